package dev.assay.domain.stop;

import java.util.BitSet;
import java.util.List;

/** The cases that still need answers, by branch. Immutable. */
public final class NeededCells {

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
