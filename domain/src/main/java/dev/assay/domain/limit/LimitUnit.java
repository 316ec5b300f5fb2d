package dev.assay.domain.limit;

/** The things that a limit counts. */
public enum LimitUnit {
    REQUESTS,
    INPUT,
    OUTPUT,
    /** Input and output. */
    TOKENS
}
