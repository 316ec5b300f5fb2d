package dev.assay.domain.statistics;

import org.apache.commons.statistics.interval.BinomialConfidenceInterval;
import org.jspecify.annotations.Nullable;

/**
 * The score interval of Wilson (1927): the rates p for which (s / n − p) / √(p (1 − p) / n) stays within the normal quantile.
 * It treats all observations as independent, which trials of several cases are not: {@link TrialRate} is for those.
 */
public final class WilsonScore {

    private WilsonScore() {}

    /**
     * The interval; null when {@code of} is 0. It ends at 0 exactly without a success and at 1 without a failure.
     *
     * @param successes 0 to {@code of}
     * @param of observations, at least 0
     * @param level above 0 and below 1
     */
    public static @Nullable Interval of(int successes, int of, double level) {
        if (of == 0) {
            return null;
        }
        var interval = BinomialConfidenceInterval.WILSON_SCORE.fromErrorRate(of, successes, 1 - level);
        return new Interval(
                successes == 0 ? 0 : interval.getLowerBound(), successes == of ? 1 : interval.getUpperBound());
    }
}
