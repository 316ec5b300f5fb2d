package dev.assay.domain.statistics;

import java.util.Arrays;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * A ratio of two sums over units, which are cases or groups of cases. Leaving out one unit at a time shows its standard error
 * (Tukey 1958). With R the ratio of all G units and R₍g₎ that without unit g, se² = (G − 1) / G · Σ (R₍g₎ − mean of R₍g₎)².
 *
 * @param value R
 * @param error se, at least 0
 * @param units G, at least 2
 */
public record Jackknife(double value, double error, int units) {

    /** Rounding alone moves what leaving out shows by less. */
    private static final double ROUNDING = 1e-12;

    /**
     * The ratio; null with fewer than two units, or where a sum of denominators is 0.
     *
     * @param denominators of each unit, at least 0, in the same order
     */
    public static @Nullable Jackknife ofRatio(double[] numerators, double[] denominators) {
        int units = numerators.length;
        double numerator = Sum.of(numerators).getAsDouble();
        double denominator = Sum.of(denominators).getAsDouble();
        if (units < 2 || Arrays.stream(denominators).anyMatch(one -> !(denominator - one > 0))) {
            return null;
        }
        double[] without = new double[units];
        Arrays.setAll(without, i -> (numerator - numerators[i]) / (denominator - denominators[i]));
        double mean = Sum.of(without).getAsDouble() / units;
        double[] deviations = Arrays.stream(without).map(one -> one - mean).toArray();
        double squares = Sum.ofProducts(deviations, deviations).getAsDouble();
        return new Jackknife(numerator / denominator, Math.sqrt((units - 1.0) / units * squares), units);
    }

    /** Whether the units differ, so that the error says something. */
    public boolean varies() {
        return error > ROUNDING;
    }

    /** {@code R ∓ t se} with t of G − 1 degrees of freedom, cut to {@code limits}. */
    public Interval interval(double level, Interval limits) {
        return Interval.around(value, Quantiles.student(units - 1, level) * error, limits);
    }

    /** The two-sided p-value of R being 0, by t with G − 1 degrees of freedom; only where the units differ. */
    public double p() {
        return Quantiles.studentBeyond(value / error, units - 1);
    }
}
