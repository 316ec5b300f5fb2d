package dev.assay.domain.report;

import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The times that the cells of a branch took, and the case of each. Holds eight bytes for each of them. */
final class LatencyTally {

    /** The bits of a case's index: so many cases would not fit into memory. */
    private static final int CASE_BITS = 24;

    /** Seventeen years: what takes longer counts as that. */
    private static final long MOST_MS = (1L << (63 - CASE_BITS)) - 1;

    /** The milliseconds, then the case's index in the lowest bits: sorted, they ascend by time. */
    private long[] measured = new long[64];

    private int count;
    private int[] timedOut = new int[8];
    private int timeouts;

    /**
     * Adds a cell that was answered.
     *
     * @param latencyMs negative: a batch of the provider answered it, and it has no latency
     */
    void measure(int caseIndex, long latencyMs) {
        if (latencyMs < 0) {
            return;
        }
        if (count == measured.length) {
            measured = Arrays.copyOf(measured, count * 2);
        }
        measured[count++] = Math.min(latencyMs, MOST_MS) << CASE_BITS | caseIndex;
    }

    /** Adds a cell whose time ran out. */
    void timeOut(int caseIndex) {
        if (timeouts == timedOut.length) {
            timedOut = Arrays.copyOf(timedOut, timeouts * 2);
        }
        timedOut[timeouts++] = caseIndex;
    }

    /** @param limit when a cell's time runs out; null: not known */
    Latency summarize(@Nullable Duration limit) {
        long[] sorted = Arrays.copyOf(measured, count);
        Arrays.sort(sorted);
        return Latency.of(
                Arrays.stream(sorted).mapToDouble(one -> one >> CASE_BITS).toArray(),
                Arrays.stream(sorted)
                        .mapToInt(one -> (int) (one & ((1 << CASE_BITS) - 1)))
                        .toArray(),
                Arrays.copyOf(timedOut, timeouts),
                limit);
    }
}
