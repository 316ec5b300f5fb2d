package dev.assay.domain.stop;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import java.util.BitSet;
import java.util.List;

/** The cases that still need answers, by branch. Immutable. */
public final class NeededCells {

    /** The reason why no request was sent for a cell that is not needed. */
    public static final Failure NOT_NEEDED = new Failure(
            ErrorCode.CANCELLED,
            "No model was asked: the campaign stops early, and the answer was not needed any more.");

    private final List<BitSet> cases;

    /** @param cases of each branch the cases that still need answers; not changed any more */
    NeededCells(List<BitSet> cases) {
        this.cases = List.copyOf(cases);
    }

    /** Whether cells of the case are still to be asked of the branch. */
    public boolean contains(int branchIndex, int caseIndex) {
        return cases.get(branchIndex).get(caseIndex);
    }
}
