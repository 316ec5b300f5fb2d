package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import org.apache.commons.numbers.core.Sum;

/**
 * A mean difference with four pseudo-cases, of differences 1, −1, 0 and 0 (Agresti and Min 2005, from pairs to rates). With K cases
 * and {@code K′ = K + 4} it is {@code c = Σ d / K′}, of variance {@code V / K′} with {@code V = (Σ d² + 2) / K′ − c²}.
 *
 * @param centre c
 * @param variance V, above 0
 * @param cases K′, at least 4
 */
record PlusFour(double centre, double variance, int cases) {

    private static final int PSEUDO_CASES = 4;
    private static final Interval LIMITS = new Interval(-1, 1);

    /** @param sorted the differences, ascending, so that their sums do not depend on the order of the cases */
    static PlusFour of(double[] sorted) {
        int cases = sorted.length + PSEUDO_CASES;
        double centre = Sum.of(sorted).getAsDouble() / cases;
        double square = (Sum.ofProducts(sorted, sorted).getAsDouble() + 2) / cases;
        return new PlusFour(centre, square - centre * centre, cases);
    }

    /** {@code c ∓ z √(V / K′)}, cut to −1 … 1. */
    Interval interval(double level) {
        return Interval.around(centre, Quantiles.normal(level) * error(), LIMITS);
    }

    /**
     * The two-sided p-value of no difference: {@code T = c / √(V / K′)} by t with K′ − 1 degrees of freedom. The pseudo-cases keep it
     * right where differences lean to one side without an effect, as those of one trial beside ten do.
     */
    double p() {
        return Quantiles.studentBeyond(centre / error(), cases - 1);
    }

    private double error() {
        return Math.sqrt(variance / cases);
    }
}
