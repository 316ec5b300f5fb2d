package dev.assay.domain.report;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How long answers took, by the nearest-rank method: the smallest latency that at least the given share does not exceed.
 *
 * @param outcomes how many were measured: those that completed or that a limit ended
 * @param p50Ms milliseconds; null when none was measured
 * @param p95Ms milliseconds; null when none was measured
 */
public record Latency(
        int outcomes, @Nullable Long p50Ms, @Nullable Long p95Ms) {

    /** The percentiles of {@code milliseconds}, in any order. */
    public static Latency of(long[] milliseconds) {
        long[] sorted = milliseconds.clone();
        Arrays.sort(sorted);
        return new Latency(sorted.length, percentile(sorted, 50), percentile(sorted, 95));
    }

    private static @Nullable Long percentile(long[] sorted, int percent) {
        if (sorted.length == 0) {
            return null;
        }
        long rank = Math.ceilDiv((long) sorted.length * percent, 100L);
        return sorted[(int) rank - 1];
    }
}
