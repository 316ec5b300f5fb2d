package dev.assay.domain.plan;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The wait before the next attempt of a cell.
 *
 * <p>Without a Retry-After the delay doubles from 1 s with each attempt, up to 60 s. It is spread over its upper half, so that
 * cells that failed together do not retry together. A Retry-After is honoured, up to an hour: the delay is never shorter than it,
 * and up to a tenth longer. The spread follows from the cell, so a delay can be computed again.
 */
public final class Backoff {

    private static final long FIRST_MS = 1_000;
    private static final long MOST_MS = 60_000;
    private static final Duration LONGEST_RETRY_AFTER = Duration.ofHours(1);

    /** 2^6 s are beyond the cap. */
    private static final int MOST_DOUBLINGS = 6;

    /** By how much of a Retry-After cells are spread beyond it. */
    private static final double RETRY_AFTER_SPREAD = 0.1;

    private Backoff() {}

    /**
     * The delay after a failed attempt.
     *
     * @param attempt which attempt failed, from 1
     * @param retryAfter what the provider asked for; null: nothing
     * @param cell any number that names the cell
     * @return at least 500 ms
     */
    public static Duration delay(int attempt, @Nullable Duration retryAfter, long cell) {
        if (attempt < 1) {
            throw new IllegalArgumentException("Attempts are numbered from 1, not " + attempt);
        }
        double spread = spread(cell, attempt);
        long ceiling = Math.min(MOST_MS, FIRST_MS << Math.min(attempt - 1, MOST_DOUBLINGS));
        Duration own = Duration.ofMillis(Math.round(ceiling * (0.5 + spread / 2)));
        if (retryAfter == null) {
            return own;
        }
        Duration asked = retryAfter.compareTo(LONGEST_RETRY_AFTER) < 0 ? retryAfter : LONGEST_RETRY_AFTER;
        Duration honoured = asked.plusMillis((long) (asked.toMillis() * RETRY_AFTER_SPREAD * spread));
        return honoured.compareTo(own) > 0 ? honoured : own;
    }

    /** A number from 0 up to 1 that looks random and depends on its arguments only: the finalizer of SplitMix64. */
    private static double spread(long cell, int attempt) {
        long z = cell + attempt * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1.0p-53;
    }
}
