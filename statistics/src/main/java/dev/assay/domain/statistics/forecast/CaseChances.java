package dev.assay.domain.statistics.forecast;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The chances of a case that is drawn from others like it: its pass rate is Beta-distributed.
 *
 * @param rate the mean of the case rates, 0–1
 * @param icc how much cases differ: 0 not at all, 1 every case passes always or never
 */
public record CaseChances(double rate, double icc) {

    private boolean isAlike() {
        return icc <= 0 || rate == 0 || rate == 1;
    }

    private BetaBinomial trials(int most) {
        double size = (1 - icc) / icc;
        return new BetaBinomial(rate * size, (1 - rate) * size, most);
    }

    /** The probability that at least {@code needed} of {@code count} trials of the case pass, 0–1. */
    public double atLeast(int needed, int count) {
        if (needed <= 0) {
            return 1;
        }
        if (needed > count) {
            return 0;
        }
        if (isAlike()) {
            return BinomialDistribution.of(count, rate).survivalProbability(needed - 1);
        }
        return icc >= 1 ? rate : trials(count).atLeast(needed, count, 0, 0, BetaBinomial.risingLogs(1, count));
    }

    /** The probability that at least {@code needed} of {@code count} trials pass, and of as many others of the same case, 0–1. */
    public double atLeastTwice(int needed, int count) {
        if (needed <= 0 || needed > count) {
            return needed <= 0 ? 1 : 0;
        }
        double once = atLeast(needed, count);
        if (isAlike() || icc >= 1) {
            return icc >= 1 && !isAlike() ? once : once * once;
        }
        return Math.clamp(twice(needed, count), once * once, once);
    }

    private double twice(int needed, int count) {
        BetaBinomial trials = trials(2 * count);
        double[] logFactorials = BetaBinomial.risingLogs(1, count);
        double sum = 0;
        for (int first = needed; first <= count; first++) {
            double ways = ways(logFactorials, count, first);
            for (int second = needed; second <= count; second++) {
                int passed = first + second;
                sum += Math.exp(
                        ways + ways(logFactorials, count, second) + trials.logLikelihood(passed, 2 * count - passed));
            }
        }
        return sum;
    }

    private static double ways(double[] logFactorials, int count, int passed) {
        return logFactorials[count] - logFactorials[passed] - logFactorials[count - passed];
    }
}
