package dev.assay.domain.gate;

/** What the gate says of a finished campaign. */
public enum Verdict {
    PASS,
    FAIL,
    /** Trials without evidence (skipped, cancelled, unscored) could turn the verdict either way. */
    INCONCLUSIVE
}
