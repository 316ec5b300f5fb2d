package dev.assay.domain.statistics;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a quantile and of the ends of its interval among n sorted values. They hold whatever the distribution of the values
 * is (David and Nagaraja 2003, 7.1). Ranks begin at 1.
 *
 * @param rank ⌈share · n⌉: the nearest rank
 * @param low the greatest l with P(Bin(n, share) ≤ l − 1) ≤ (1 − level) / 2; null when there is none
 * @param high the smallest u with P(Bin(n, share) ≥ u) ≤ (1 − level) / 2; null when there is none
 */
public record OrderStatistics(
        int rank, @Nullable Integer low, @Nullable Integer high) {

    /**
     * The ranks.
     *
     * @param count n, at least 1
     * @param share above 0 and below 1, such as 0.95
     * @param level above 0 and below 1
     */
    public static OrderStatistics of(int count, double share, double level) {
        int rank = BigDecimal.valueOf(share)
                .multiply(BigDecimal.valueOf(count))
                .setScale(0, RoundingMode.CEILING)
                .intValueExact();
        BinomialDistribution below = BinomialDistribution.of(count, share);
        double tail = (1 - level) / 2;
        // The smallest number of values below that is more probable than the tail: one rank further up is the first
        // that is not.
        int low = below.inverseCumulativeProbability(tail);
        if (below.cumulativeProbability(low) <= tail) {
            low++;
        }
        int high = below.inverseSurvivalProbability(tail) + 1;
        return new OrderStatistics(Math.max(1, rank), low == 0 ? null : low, high > count ? null : high);
    }
}
