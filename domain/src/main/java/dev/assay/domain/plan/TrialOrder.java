package dev.assay.domain.plan;

import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The order in which a campaign asks its trials: which trial number stands at which position, both from 0. Rounds come one after the
 * other in every order: a position and its trial number are of the same repetition (see {@link TrialGrid}).
 */
public sealed interface TrialOrder permits GivenOrder, DrawnOrder {

    /** The trial number at {@code position}. */
    int ordinal(int position);

    /** The position of trial number {@code ordinal}. */
    int position(int ordinal);

    /** The trial numbers at {@code positions}. */
    default SortedSet<Integer> ordinals(List<OrdinalRange> positions) {
        SortedSet<Integer> ordinals = new TreeSet<>();
        OrdinalRanges.ordinals(positions).forEach(position -> ordinals.add(ordinal(position)));
        return ordinals;
    }

    /** The positions of trial numbers, as a normal list (see {@link OrdinalRanges}). */
    default List<OrdinalRange> positions(Collection<Integer> ordinals) {
        return OrdinalRanges.ofSorted(ordinals.stream()
                .mapToInt(Integer::intValue)
                .map(this::position)
                .sorted()
                .toArray());
    }
}
