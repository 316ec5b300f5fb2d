package dev.assay.workflows.evaluation;

import dev.assay.domain.campaign.OrdinalRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Turns trial numbers into ranges and back. Only for as many trials as a batch holds. */
final class TrialRanges {

    private TrialRanges() {}

    /** How many trials {@code ranges} hold. */
    static int size(Collection<OrdinalRange> ranges) {
        return ranges.stream().mapToInt(OrdinalRange::size).sum();
    }

    /** The trials that {@code ranges} hold, ascending. */
    static SortedSet<Integer> trials(Collection<OrdinalRange> ranges) {
        SortedSet<Integer> trials = new TreeSet<>();
        for (OrdinalRange range : ranges) {
            for (int trial = range.from(); trial < range.to(); trial++) {
                trials.add(trial);
            }
        }
        return trials;
    }

    /** The fewest ranges that hold exactly {@code trials}, ascending. */
    static List<OrdinalRange> of(SortedSet<Integer> trials) {
        List<OrdinalRange> ranges = new ArrayList<>();
        int from = -1;
        int to = -1;
        for (int trial : trials) {
            if (trial != to) {
                if (from >= 0) {
                    ranges.add(new OrdinalRange(from, to));
                }
                from = trial;
            }
            to = trial + 1;
        }
        if (from >= 0) {
            ranges.add(new OrdinalRange(from, to));
        }
        return ranges;
    }
}
