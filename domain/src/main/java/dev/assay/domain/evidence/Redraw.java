package dev.assay.domain.evidence;

import dev.assay.domain.gate.TrialVerdict;
import org.jspecify.annotations.Nullable;

/**
 * The first scored draw of a cell that was asked again. It is the cell's oldest outcome that passed or failed since the last whole
 * re-run of its branch.
 *
 * @param branchIndex 0-based
 * @param passed whether the draw passed
 * @param score its score, 0–1; null: not known
 */
public record Redraw(
        int branchIndex,
        int ordinal,
        boolean passed,
        @Nullable Double score) {

    /** The verdict of the first draw. */
    public TrialVerdict first() {
        return passed ? TrialVerdict.PASSED : TrialVerdict.FAILED;
    }

    /** Whether the last draw says the contrary. */
    public boolean disagrees(TrialVerdict last) {
        return last.isScored() && last != first();
    }

    /**
     * What the cell counts as where bounds matter: the first draw, and unknown where the last one says the contrary.
     *
     * @param last PASSED, FAILED or NO_EVIDENCE: the present outcome, as errors are treated
     */
    public TrialVerdict bound(TrialVerdict last) {
        return disagrees(last) ? TrialVerdict.NO_EVIDENCE : first();
    }
}
