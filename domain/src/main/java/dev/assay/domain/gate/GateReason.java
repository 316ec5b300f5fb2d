package dev.assay.domain.gate;

/** The reason for an INCONCLUSIVE verdict. The names are those of the JSON. */
public enum GateReason {
    /** Trials without evidence could turn the verdict either way. */
    MISSING_EVIDENCE,
    /** Run again, the verdict would too often be another, or how often is unknown. */
    UNREPEATABLE,
    /** Trials that ended in errors could turn the verdict, or they are more than the gate accepts. */
    ERRORS,
    /** The interval holds the threshold: the trials are too few to be sure. */
    UNSURE,
    /** No case is shared with the baseline. */
    NO_SHARED_CASES,
    /** Trials were asked again after they had failed or passed, and the verdict depends on which draw counts. */
    REDRAWN,
    /** An import left out checks, or what is asked. */
    LOST,
    /** Baseline and campaign were judged by different evaluators, or who judged is not known: the difference may be theirs. */
    EVALUATORS_DIFFER
}
