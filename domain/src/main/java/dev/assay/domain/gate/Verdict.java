package dev.assay.domain.gate;

import java.util.Collection;

/** The gate's result for a finished campaign. */
public enum Verdict {
    PASS,
    FAIL,
    /** Trials without evidence (skipped, cancelled, unscored) could turn the verdict either way. */
    INCONCLUSIVE;

    /**
     * The verdict of all gated branches together: FAIL as soon as one fails, PASS when all pass, else INCONCLUSIVE. It is the same
     * as the verdict taken twice, with all that is unknown passed and all of it failed.
     */
    public static Verdict ofAll(Collection<Verdict> branches) {
        if (branches.contains(FAIL)) {
            return FAIL;
        }
        return branches.stream().allMatch(verdict -> verdict == PASS) ? PASS : INCONCLUSIVE;
    }
}
