package dev.assay.domain.report;

import dev.assay.domain.statistics.LatencyQuantile;
import dev.assay.domain.statistics.LatencyQuantile.Point;
import dev.assay.domain.statistics.Quantiles;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The latencies of answers by the nearest-rank method: the smallest latency that at least the given share does not exceed. Cells
 * whose time ran out took longer than all that were measured.
 *
 * @param outcomes how many were measured: those that completed or that a limit ended
 * @param p50Ms milliseconds; null when there is none, or it ran into the limit
 * @param p95Ms milliseconds; null when there is none, or it ran into the limit
 * @param timedOut cells whose time ran out; 0 in a summary that was stored before they were counted
 * @param p50 what is known of the median; null in older summaries
 * @param p95 what is known of the 95th percentile; null in older summaries
 * @param limitMs milliseconds after which a cell's time runs out; null where it is not known
 * @param question what the intervals of the percentiles answer; null in older summaries, where it is RUN_AGAIN
 */
public record Latency(
        int outcomes,
        @Nullable Long p50Ms,
        @Nullable Long p95Ms,
        int timedOut,
        @Nullable Spread p50,
        @Nullable Spread p95,
        @Nullable Long limitMs,
        @Nullable Question question) {

    /**
     * The confidence interval of a percentile, at 95 %, by order statistics of as many durations as those of related cells are worth.
     *
     * @param overLimit whether the percentile itself is longer than the time limit: it is shown as above it
     * @param lowMs lower end of its interval; null when too few cells have one, or it ran into the limit
     * @param highMs upper end; null when too few cells have one, or it ran into the limit
     */
    public record Spread(
            boolean overLimit,
            @Nullable Long lowMs,
            @Nullable Long highMs) {

        static Spread of(LatencyQuantile quantile) {
            return new Spread(
                    quantile.value() instanceof Point.OverLimit, millis(quantile.low()), millis(quantile.high()));
        }
    }

    /** The question that an interval answers. */
    public enum Question {
        /** How long do answers to other cases like these take? */
        CASES_LIKE_THESE,
        /** How long do answers to these very cases take, run again? There is only one case. */
        RUN_AGAIN
    }

    /** Percentiles without what is known of them, as they were stored before. */
    public Latency(int outcomes, @Nullable Long p50Ms, @Nullable Long p95Ms) {
        this(outcomes, p50Ms, p95Ms, 0, null, null, null, null);
    }

    /**
     * The percentiles.
     *
     * @param sorted what was measured, in milliseconds, ascending
     * @param cases the case of each, in the same order
     * @param timedOut the cases of the cells that took longer
     * @param limit when a cell's time runs out; null: not known
     */
    static Latency of(double[] sorted, int[] cases, int[] timedOut, @Nullable Duration limit) {
        LatencyQuantile p50 = LatencyQuantile.ofCases(sorted, cases, timedOut, 0.5, Quantiles.LEVEL);
        LatencyQuantile p95 = LatencyQuantile.ofCases(sorted, cases, timedOut, 0.95, Quantiles.LEVEL);
        boolean isOneCase = IntStream.concat(Arrays.stream(cases), Arrays.stream(timedOut))
                        .distinct()
                        .limit(2)
                        .count()
                < 2;
        return new Latency(
                sorted.length,
                millis(p50.value()),
                millis(p95.value()),
                timedOut.length,
                Spread.of(p50),
                Spread.of(p95),
                limit == null ? null : (Long) limit.toMillis(),
                isOneCase ? Question.RUN_AGAIN : Question.CASES_LIKE_THESE);
    }

    private static @Nullable Long millis(@Nullable Point point) {
        return point instanceof Point.Measured(double millis) ? (Long) (long) millis : null;
    }
}
