package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The advantage of the second of two over the first, on average over the cases that they share.
 *
 * <p>The interval is that of {@link PlusFour}. Simulated, it covers 93 % and more for differences up to 15 points. For 40 points on five or ten cases it covers 91.6 %, and 90 %
 * where cases only ever fall one way.
 *
 * @param value the mean difference, −1 … 1; null when no case is shared
 * @param interval its interval for other cases like these; null as {@code value}
 */
public record PairedDifference(
        @Nullable Double value, @Nullable Interval interval, int cases) {

    /**
     * The difference of rates.
     *
     * @param first the rate of each shared case, 0–1
     * @param second its rate with the second, in the same order
     * @param level above 0 and below 1
     */
    public static PairedDifference of(double[] first, double[] second, double level) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(first.length + " cases cannot be paired with " + second.length);
        }
        double[] differences = new double[first.length];
        Arrays.setAll(differences, i -> second[i] - first[i]);
        // Sorted, the sums do not depend on the order of the cases.
        Arrays.sort(differences);
        return of(differences, level);
    }

    /**
     * As {@link #of(double[], double[], double)} of cases that are related: the interval is that of {@link GroupedDifference}.
     *
     * @param groups the group of each case; null: cases are not related
     */
    public static PairedDifference of(double[] first, double[] second, @Nullable List<String> groups, double level) {
        PairedDifference alone = of(first, second, level);
        if (groups == null || first.length == 0) {
            return alone;
        }
        double[] differences = new double[first.length];
        Arrays.setAll(differences, i -> second[i] - first[i]);
        return new PairedDifference(
                alone.value, GroupedDifference.of(differences, groups).interval(level), first.length);
    }

    /** The difference of trials: the lower end where the unknown of the second failed and that of the first passed. */
    public static PairedDifference ofCounts(List<CaseCounts> first, List<CaseCounts> second, double level) {
        PairedDifference certain = of(rates(first, CaseCounts::lowest), rates(second, CaseCounts::lowest), level);
        Interval low = of(rates(first, CaseCounts::highest), rates(second, CaseCounts::lowest), level).interval;
        Interval high = of(rates(first, CaseCounts::lowest), rates(second, CaseCounts::highest), level).interval;
        return low == null || high == null
                ? certain
                : new PairedDifference(certain.value, new Interval(low.low(), high.high()), certain.cases);
    }

    private static PairedDifference of(double[] differences, double level) {
        if (differences.length == 0) {
            return new PairedDifference(null, null, 0);
        }
        return new PairedDifference(
                Sum.of(differences).getAsDouble() / differences.length,
                PlusFour.of(differences).interval(level),
                differences.length);
    }

    private static double[] rates(List<CaseCounts> cases, ToDoubleFunction<CaseCounts> rate) {
        return cases.stream().mapToDouble(rate).toArray();
    }
}
