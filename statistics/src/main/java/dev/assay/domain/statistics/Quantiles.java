package dev.assay.domain.statistics;

import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/** Quantiles of the distributions on which intervals rest. */
public final class Quantiles {

    /** The default level of an interval: 19 of 20 cover the truth. */
    public static final double LEVEL = 0.95;

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    private static final int REFINEMENTS = 3;

    private Quantiles() {}

    /** The number of standard errors that a two-sided interval of {@code level}, 0–1, reaches each way: the normal distribution. */
    public static double normal(double level) {
        return NORMAL.inverseSurvivalProbability((1 - level) / 2);
    }

    /** As {@link #normal} where the variance was estimated with {@code degrees} of freedom, at least 1 (Student 1908). */
    public static double student(double degrees, double level) {
        return TDistribution.of(degrees).inverseSurvivalProbability((1 - level) / 2);
    }

    /** The probability that a variable of Student's t distribution lies at least as far from 0 as {@code t}, on either side. */
    public static double studentBeyond(double t, double degrees) {
        return Math.min(1, 2 * TDistribution.of(degrees).survivalProbability(Math.abs(t)));
    }

    /** The value that a standard normal variable stays below with {@code probability}, 0–1. */
    public static double below(double probability) {
        return NORMAL.inverseCumulativeProbability(probability);
    }

    /**
     * The value that a variable of the distribution Beta({@code alpha}, {@code beta}) stays below with {@code probability}.
     *
     * @param probability above 0 and below 1
     * @param alpha above 0
     * @param beta above 0
     */
    public static double beta(double probability, double alpha, double beta) {
        BetaDistribution distribution = BetaDistribution.of(alpha, beta);
        double value = distribution.inverseCumulativeProbability(probability);
        // The library stops within 1e-9. Steps of Newton go to the last digits, which small rates need.
        for (int i = 0; i < REFINEMENTS; i++) {
            double next =
                    value - (distribution.cumulativeProbability(value) - probability) / distribution.density(value);
            if (!(next > 0 && next < 1)) {
                return value;
            }
            value = next;
        }
        return value;
    }
}
