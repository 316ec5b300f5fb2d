package dev.assay.domain.schema;

/** The result of validating a document against a JSON Schema. */
public sealed interface SchemaVerdict {

    /** The document is valid. */
    record Valid() implements SchemaVerdict {}

    /**
     * The document is not valid.
     *
     * @param violation the first errors, at most three, without a full stop at the end
     */
    record Invalid(String violation) implements SchemaVerdict {}

    /**
     * The schema cannot be applied to the document.
     *
     * @param reason why, without a full stop at the end
     */
    record Undecided(String reason) implements SchemaVerdict {}
}
