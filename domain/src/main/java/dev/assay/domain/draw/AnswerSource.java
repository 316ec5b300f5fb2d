package dev.assay.domain.draw;

/** Where the answer of an outcome comes from. The names are stored and part of the API. */
public enum AnswerSource {
    /** The branch was asked for it. */
    LIVE,
    /** It is a copy of a stored answer. */
    REUSED,
    /** Another tool asked. */
    IMPORTED
}
