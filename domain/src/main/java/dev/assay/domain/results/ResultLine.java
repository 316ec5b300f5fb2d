package dev.assay.domain.results;

/** A line of the neutral form. */
public sealed interface ResultLine {

    /** A case, before its first use. */
    record OfCase(dev.assay.domain.suite.Case value) implements ResultLine {}

    /** An outcome. */
    record OfOutcome(ImportedOutcome value) implements ResultLine {}
}
