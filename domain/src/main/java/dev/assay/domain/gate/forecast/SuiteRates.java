package dev.assay.domain.gate.forecast;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The suites of cases that could be drawn, by the mean m of their case rates. That mean is Beta-distributed with the mean and the
 * variance {@code icc p (1 − p) / K} of the mean of K Beta-distributed case rates; for one case it is exact. It takes the middles of
 * {@value #POINTS} equally probable parts.
 */
final class SuiteRates {

    private static final int POINTS = 64;

    /** An intraclass correlation so near 1 that every case passes always or never. */
    private static final double CERTAIN = 1 - 1e-9;

    private final double[] means;
    private final double[] weights;
    private final double spread;

    private SuiteRates(double[] means, double[] weights, double spread) {
        this.means = means;
        this.weights = weights;
        this.spread = spread;
    }

    static SuiteRates of(PlannedSuite suite) {
        double rate = suite.rate();
        double icc = suite.icc();
        int cases = suite.cases();
        if (icc <= 0 || rate <= 0 || rate >= 1) {
            return new SuiteRates(new double[] {rate}, new double[] {1}, 0);
        }
        if (icc > CERTAIN && cases <= 10_000) {
            BinomialDistribution passing = BinomialDistribution.of(cases, rate);
            return new SuiteRates(
                    IntStream.rangeClosed(0, cases)
                            .mapToDouble(passed -> (double) passed / cases)
                            .toArray(),
                    IntStream.rangeClosed(0, cases)
                            .mapToDouble(passing::probability)
                            .toArray(),
                    1);
        }
        double size = cases / Math.min(icc, CERTAIN) - 1;
        BetaDistribution means = BetaDistribution.of(rate * size, (1 - rate) * size);
        double[] weights = new double[POINTS];
        Arrays.fill(weights, 1.0 / POINTS);
        return new SuiteRates(
                IntStream.range(0, POINTS)
                        .mapToDouble(point -> means.inverseCumulativeProbability((point + 0.5) / POINTS))
                        .toArray(),
                weights,
                Math.clamp(1 - (1 - icc) / (1 - icc / cases), 0, 1));
    }

    int count() {
        return means.length;
    }

    /** The mean case rate of a suite, 0–1. */
    double mean(int place) {
        return means[place];
    }

    /** How probable each suite is, together 1. */
    double[] weights() {
        return weights;
    }

    /**
     * The share of {@code m (1 − m)} that lies between the cases of a suite, 0–1: the passes of a round have the variance {@code K
     * m (1 − m) (1 − spread)}.
     */
    double spread() {
        return spread;
    }
}
