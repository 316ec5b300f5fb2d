package dev.assay.domain.agent.kind;

import dev.assay.domain.document.FieldReader;

/** The reader of the field {@code cassette} of a replay agent. */
@FunctionalInterface
public interface CassetteField {

    /** The cassette's id; any text when the field is wrong, which was reported. */
    String id(FieldReader agent);
}
