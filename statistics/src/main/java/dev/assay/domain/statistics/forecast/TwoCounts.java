package dev.assay.domain.statistics.forecast;

import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The sum of two independent binomial counts. Exact where it varies little, else by the normal distribution with a correction of
 * one half.
 */
public final class TwoCounts {

    /** The variance above which the normal distribution is close: within 0.005. */
    private static final double MOST_EXACT = 200;

    private static final double WINDOW = 9;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private TwoCounts() {}

    /** The probability that {@code first} tries with {@code chance} and {@code second} with {@code other} give {@code needed}, 0–1. */
    public static double atLeast(int needed, int first, double chance, int second, double other) {
        if (needed <= 0 || needed > first + second) {
            return needed <= 0 ? 1 : 0;
        }
        double variance = first * chance * (1 - chance) + second * other * (1 - other);
        double mean = first * chance + second * other;
        if (variance > MOST_EXACT) {
            return NORMAL.cumulativeProbability((mean - needed + 0.5) / Math.sqrt(variance));
        }
        BinomialDistribution ones = BinomialDistribution.of(first, chance);
        BinomialDistribution others = BinomialDistribution.of(second, other);
        double reach = WINDOW * Math.sqrt(first * chance * (1 - chance)) + WINDOW;
        int until = (int) Math.min(first, Math.ceil(first * chance + reach));
        double sum = 0;
        for (int i = (int) Math.max(0, Math.floor(first * chance - reach)); i <= until; i++) {
            sum += ones.probability(i) * others.survivalProbability(needed - i - 1);
        }
        return Math.clamp(sum, 0, 1);
    }
}
