package dev.assay.domain.evidence;

import java.util.List;

/**
 * The draws of a campaign that re-runs changed.
 *
 * @param redraws the first scored draws of cells that were asked again
 * @param wholeReruns re-runs that asked every cell of a branch again, passed ones too: they replace earlier draws
 */
public record Draws(List<Redraw> redraws, int wholeReruns) {

    /** No cell was asked again. */
    public static final Draws ONCE = new Draws(List.of(), 0);

    public Draws {
        redraws = List.copyOf(redraws);
    }

    /** Those of one branch. */
    public List<Redraw> ofBranch(int branchIndex) {
        return redraws.stream()
                .filter(redraw -> redraw.branchIndex() == branchIndex)
                .toList();
    }
}
