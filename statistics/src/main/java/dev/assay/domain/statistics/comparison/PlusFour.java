package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import org.apache.commons.numbers.core.Sum;

/**
 * A mean difference with four pseudo-cases, of differences 1, −1, 0 and 0 (Agresti and Min 2005, from pairs to rates). With K cases
 * and {@code K′ = K + 4} it is {@code c = Σ d / K′}, of variance {@code V / K′} with {@code V = (Σ d² + 2) / K′ − c²}.
 *
 * @param variance V, above 0
 * @param cases K′, at least 4
 */
public record PlusFour(double centre, double variance, double cases) {

    /** The pseudo-cases. They draw the centre towards 0, and keep the variance above 0. */
    public static final int PSEUDO_CASES = 4;

    private static final Interval LIMITS = new Interval(-1, 1);

    /** @param sorted the differences, ascending, so that their sums do not depend on the order of the cases */
    static PlusFour of(double[] sorted) {
        return of(Sum.of(sorted).getAsDouble(), Sum.ofProducts(sorted, sorted).getAsDouble(), sorted.length);
    }

    /**
     * The same from sums over the cases, as they are or as they are expected.
     *
     * @param count of the cases, at least 0
     */
    public static PlusFour of(double sum, double squares, long count) {
        double cases = (double) (count + PSEUDO_CASES);
        double centre = sum / cases;
        return new PlusFour(centre, (squares + 2) / cases - centre * centre, cases);
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

    /** The standard error of the centre: {@code √(V / K′)}. */
    public double error() {
        return Math.sqrt(variance / cases);
    }
}
