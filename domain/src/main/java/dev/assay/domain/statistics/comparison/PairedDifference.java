package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The advantage of the second of two over the first, on average over the cases that they share.
 *
 * <p>The interval adds one pseudo-case of each kind, with differences 1, −1, 0 and 0 (Agresti and Min 2005, from pairs to rates).
 * With {@code K′ = K + 4}, {@code c = Σ d / K′} and {@code V = (Σ d² + 2) / K′ − c²} it is {@code c ∓ z √(V / K′)}, cut to −1 … 1.
 * Simulated, it covers 93 % and more for differences up to 15 points. For 40 points on five or ten cases it covers 91.6 %, and 90 %
 * where cases only ever fall one way.
 *
 * @param value the mean difference, −1 … 1; null when no case is shared
 * @param interval its interval for other cases like these; null as {@code value}
 * @param cases the shared cases
 */
public record PairedDifference(
        @Nullable Double value, @Nullable Interval interval, int cases) {

    private static final int PSEUDO_CASES = 4;
    private static final Interval LIMITS = new Interval(-1, 1);

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
        double sum = Sum.of(differences).getAsDouble();
        int cases = differences.length + PSEUDO_CASES;
        double half = Quantiles.normal(level) * Math.sqrt(variance(differences) / cases);
        return new PairedDifference(
                sum / differences.length, Interval.around(sum / cases, half, LIMITS), differences.length);
    }

    /** The variance V of the difference of one case, the four pseudo-cases included. */
    static double variance(double[] differences) {
        int cases = differences.length + PSEUDO_CASES;
        double centre = Sum.of(differences).getAsDouble() / cases;
        return (Sum.ofProducts(differences, differences).getAsDouble() + 2) / cases - centre * centre;
    }

    private static double[] rates(List<CaseCounts> cases, ToDoubleFunction<CaseCounts> rate) {
        return cases.stream().mapToDouble(rate).toArray();
    }
}
