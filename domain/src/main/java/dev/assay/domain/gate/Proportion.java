package dev.assay.domain.gate;

import org.apache.commons.statistics.interval.BinomialConfidenceInterval;
import org.apache.commons.statistics.interval.Interval;
import org.jspecify.annotations.Nullable;

/**
 * A share, with what it is a share of and how sure it is.
 *
 * <p>What is not known yet counts as no success, so {@code value} is what is certain; the interval covers both ways in which
 * it can turn out. It is the Wilson score interval at 95 %: its lower end when everything unknown is no success, its upper end
 * when all of it is.
 *
 * @param successes at least 0
 * @param unknown how many of the denominator could still turn out either way, at least 0
 * @param denominator of how many, at least 0
 * @param value {@code successes / denominator}, 0–1; null when the denominator is 0
 * @param low lower end of the interval, 0–1; null when the denominator is 0
 * @param high upper end of the interval, 0–1; null when the denominator is 0
 */
public record Proportion(
        int successes,
        int unknown,
        int denominator,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high) {

    /** One in twenty such intervals misses the true rate. */
    private static final double ERROR_RATE = 0.05;

    public Proportion {
        if (successes < 0 || unknown < 0 || denominator < 0 || successes > denominator - unknown) {
            throw new IllegalArgumentException(
                    successes + " successes and " + unknown + " unknown of " + denominator + " make no rate");
        }
    }

    /** The rate of {@code successes} when everything is known. */
    public static Proportion of(int successes, int denominator) {
        return of(successes, 0, denominator);
    }

    /** The rate of {@code successes} when {@code unknown} could still turn out either way. */
    public static Proportion of(int successes, int unknown, int denominator) {
        if (denominator == 0) {
            return new Proportion(successes, unknown, 0, null, null, null);
        }
        double low = wilsonLow(successes, denominator);
        double high = wilsonHigh(successes + unknown, denominator);
        return new Proportion(successes, unknown, denominator, (double) successes / denominator, low, high);
    }

    /**
     * Whether the rate reaches {@code threshold}: PASS when it does even if nothing unknown is a success, FAIL when it does not
     * even if all of it is, else INCONCLUSIVE.
     *
     * @param threshold 0–1
     */
    public static Verdict verdict(int successes, int unknown, int denominator, double threshold) {
        if (reaches(successes, denominator, threshold)) {
            return Verdict.PASS;
        }
        return reaches(successes + unknown, denominator, threshold) ? Verdict.INCONCLUSIVE : Verdict.FAIL;
    }

    /** Lower end of the Wilson score interval at 95 %: exactly 0 without a success, where rounding would miss it by a hair. */
    public static double wilsonLow(int successes, int denominator) {
        return successes == 0 ? 0 : wilson(successes, denominator).getLowerBound();
    }

    /** Upper end of the Wilson score interval at 95 %: exactly 1 without a failure. */
    public static double wilsonHigh(int successes, int denominator) {
        return successes == denominator ? 1 : wilson(successes, denominator).getUpperBound();
    }

    private static Interval wilson(int successes, int denominator) {
        return BinomialConfidenceInterval.WILSON_SCORE.fromErrorRate(denominator, successes, ERROR_RATE);
    }

    private static boolean reaches(int successes, int denominator, double threshold) {
        return (double) successes / denominator >= threshold;
    }
}
