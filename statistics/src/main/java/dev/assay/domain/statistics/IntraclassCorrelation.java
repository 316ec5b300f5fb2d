package dev.assay.domain.statistics;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The share of the variance of trials that lies between cases (one-way analysis of variance, Fleiss 1981). It is 0 when every case
 * is as hard as every other, and 1 when all trials of a case end alike.
 *
 * <p>There are K cases and N trials; x = s / n is the rate of a case, m the pooled rate. Then {@code MSB = Σ n (x − m)² / (K − 1)},
 * {@code MSW = Σ n x (1 − x) / (N − K)} and {@code n₀ = (N − Σ n² / N) / (K − 1)}. The correlation is
 * {@code (MSB − MSW) / (MSB + (n₀ − 1) MSW)}.
 */
public final class IntraclassCorrelation {

    private IntraclassCorrelation() {}

    /**
     * The correlation, 0–1, over the trials of which something is known. Null where it cannot be known: fewer than two cases
     * with such trials, one trial each, or all trials alike.
     *
     * @param groups how many cases have the same counts
     */
    public static @Nullable Double of(SortedMap<CaseCounts, Integer> groups) {
        SortedMap<CaseCounts, Integer> known = new TreeMap<>();
        groups.forEach((one, count) -> {
            if (one.known() > 0) {
                known.merge(new CaseCounts(one.passed(), 0, one.known()), count, Integer::sum);
            }
        });
        long cases = known.values().stream().mapToLong(Integer::longValue).sum();
        long trials = 0;
        long passed = 0;
        double squares = 0;
        for (Map.Entry<CaseCounts, Integer> group : known.entrySet()) {
            long count = group.getValue();
            long size = group.getKey().planned();
            trials += count * size;
            passed += count * group.getKey().passed();
            squares += (double) count * size * size;
        }
        return cases < 2 || trials == cases ? null : of(known, cases, trials, passed, squares);
    }

    private static @Nullable Double of(
            SortedMap<CaseCounts, Integer> known, long cases, long trials, long passed, double squares) {
        double mean = (double) passed / trials;
        double between = 0;
        double within = 0;
        for (Map.Entry<CaseCounts, Integer> group : known.entrySet()) {
            int size = group.getKey().planned();
            double rate = group.getKey().lowest();
            between += group.getValue() * size * (rate - mean) * (rate - mean);
            within += group.getValue() * size * rate * (1 - rate);
        }
        between /= cases - 1;
        within /= trials - cases;
        double size = (trials - squares / trials) / (cases - 1);
        double all = between + (size - 1) * within;
        return all <= 0 ? null : Interval.UNIT.nearest((between - within) / all);
    }
}
