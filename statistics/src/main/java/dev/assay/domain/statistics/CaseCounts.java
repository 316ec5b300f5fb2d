package dev.assay.domain.statistics;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The trials of one case.
 *
 * @param passed trials that passed, at least 0
 * @param unknown trials of which nothing is known, at least 0
 * @param planned all trials of the case, at least 1
 */
public record CaseCounts(int passed, int unknown, int planned) implements Comparable<CaseCounts> {

    private static final Comparator<CaseCounts> ORDER = Comparator.comparingInt(CaseCounts::planned)
            .thenComparingInt(CaseCounts::passed)
            .thenComparingInt(CaseCounts::unknown);

    public CaseCounts {
        if (passed < 0 || unknown < 0 || planned < 1 || passed > planned - unknown) {
            throw new IllegalArgumentException(
                    passed + " passed and " + unknown + " unknown of " + planned + " make no case");
        }
    }

    /** The number of cases with the same counts, in an order that does not depend on that of the cases. So sums over it never do. */
    public static SortedMap<CaseCounts, Integer> grouped(Collection<CaseCounts> cases) {
        // A million cases have a few dozen different counts: only these are sorted.
        Map<CaseCounts, Integer> groups = new HashMap<>();
        cases.forEach(one -> groups.merge(one, 1, Integer::sum));
        return new TreeMap<>(groups);
    }

    /** The pass rate when what is unknown failed, 0–1. */
    public double lowest() {
        return (double) passed / planned;
    }

    /** The pass rate when what is unknown passed, 0–1. */
    public double highest() {
        return (double) (passed + unknown) / planned;
    }

    /** Trials of which something is known. */
    public int known() {
        return planned - unknown;
    }

    /** The pass rate of what is known, 0–1; only where something is. */
    public double knownRate() {
        if (known() == 0) {
            throw new IllegalStateException("Nothing is known of " + planned + " trials");
        }
        return (double) passed / known();
    }

    /** The known trials alone; only where something is known. */
    public CaseCounts certain() {
        return unknown == 0 ? this : new CaseCounts(passed, 0, known());
    }

    @Override
    public int compareTo(CaseCounts other) {
        return ORDER.compare(this, other);
    }
}
