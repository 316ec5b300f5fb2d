package dev.assay.domain.evidence;

import java.util.List;
import java.util.Map;

/**
 * The draws of a campaign that re-runs changed.
 *
 * @param redraws the first scored draws of cells that were asked again
 * @param carried by branch the ordinals of copies whose cells were asked again where the answers come from
 * @param wholeReruns re-runs that asked every cell of a branch again, passed ones too: they replace earlier draws
 */
public record Draws(List<Redraw> redraws, Map<Integer, List<Integer>> carried, int wholeReruns) {

    /** No cell was asked again. */
    public static final Draws ONCE = new Draws(List.of(), 0);

    public Draws {
        redraws = List.copyOf(redraws);
        carried = Map.copyOf(carried);
    }

    /** Those of a campaign without copies. */
    public Draws(List<Redraw> redraws, int wholeReruns) {
        this(redraws, Map.of(), wholeReruns);
    }

    /** Those of one branch. */
    public List<Redraw> ofBranch(int branchIndex) {
        return redraws.stream()
                .filter(redraw -> redraw.branchIndex() == branchIndex)
                .toList();
    }

    /** The ordinals of a branch's copies whose cells were asked again where the answers come from. */
    public List<Integer> carriedOf(int branchIndex) {
        return carried.getOrDefault(branchIndex, List.of());
    }
}
