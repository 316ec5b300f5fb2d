package dev.assay.domain.statistics;

import org.apache.commons.statistics.distribution.HypergeometricDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The unbiased estimate of the probability that at least {@code least} of {@code of} trials pass, from the passes among more
 * trials. Formula: Σ C(c, i) C(n − c, k − i) / C(n, k) over i = j … k. With j = 1 it is pass@k (Chen et al. 2021), with j = k
 * pass^k (Yao et al. 2024).
 *
 * @param least j, 0 to {@code of}
 * @param of k, at least 1
 */
public record AtLeast(int least, int of) {

    public AtLeast {
        if (least < 0 || of < 1 || least > of) {
            throw new IllegalArgumentException("At least " + least + " of " + of + " is no rule");
        }
    }

    /** At least one of {@code of} trials. */
    public static AtLeast passAt(int of) {
        return new AtLeast(1, of);
    }

    /** All of {@code of} trials. */
    public static AtLeast passAll(int of) {
        return new AtLeast(of, of);
    }

    /**
     * The probability, 0–1; null when there are fewer than {@code of} trials.
     *
     * @param passed c, 0 to {@code trials}
     * @param trials n, those of which something is known
     */
    public @Nullable Double probability(int passed, int trials) {
        if (passed < 0 || passed > trials) {
            throw new IllegalArgumentException(passed + " of " + trials + " cannot have passed");
        }
        if (trials < of) {
            return null;
        }
        return Interval.UNIT.nearest(
                HypergeometricDistribution.of(trials, passed, of).survivalProbability(least - 1));
    }
}
