package dev.assay.domain.statistics.forecast;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The number of cases that pass when each passes with a probability of its own (Poisson's binomial distribution). Exact up to
 * {@value #MOST_EXACT} cases, beyond by the normal distribution.
 */
final class PassingCases {

    static final int MOST_EXACT = 500;

    private static final double LEAST_VARIANCE = 1e-300;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private final int cases;
    private final double[] exactly;
    private int added;
    private double mean;
    private double variance;

    /** @param cases how many will be added */
    PassingCases(int cases) {
        this.cases = cases;
        this.exactly = new double[cases <= MOST_EXACT ? cases + 1 : 1];
        this.exactly[0] = 1;
    }

    /** Adds {@code count} cases, each of which passes with {@code probability}. */
    void add(int count, double probability) {
        mean += count * probability;
        variance += count * probability * (1 - probability);
        for (int i = 0; cases <= MOST_EXACT && i < count; i++) {
            added++;
            for (int passed = added; passed > 0; passed--) {
                exactly[passed] = exactly[passed] * (1 - probability) + exactly[passed - 1] * probability;
            }
            exactly[0] *= 1 - probability;
        }
    }

    /** The probability that at least {@code needed} of them pass, 0–1. */
    double atLeast(int needed) {
        if (cases > MOST_EXACT) {
            return NORMAL.cumulativeProbability((mean - needed + 0.5) / Math.sqrt(Math.max(variance, LEAST_VARIANCE)));
        }
        double sum = 0;
        for (int passed = needed; passed <= cases; passed++) {
            sum += exactly[passed];
        }
        return sum;
    }
}
