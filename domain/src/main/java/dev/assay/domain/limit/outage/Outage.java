package dev.assay.domain.limit.outage;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pool that is down. One real request at a time probes it.
 *
 * @param probes how many have failed, at least 0
 * @param nextProbe the earliest time of the next
 * @param lastProbe the last one; null: there was none
 */
public record Outage(
        Reason reason,
        Instant since,
        int probes,
        Instant nextProbe,
        @Nullable Probe lastProbe) {

    /** The reason why a pool is down. */
    public enum Reason {
        /** The provider does not answer. */
        DOWN,
        /** Its last key was refused. */
        AUTH,
        /** Its last key has no quota left. */
        QUOTA
    }

    private static final Duration MOST = Duration.ofSeconds(30);

    /** 2^5 s are beyond the most. */
    private static final int MOST_DOUBLINGS = 5;

    private static final Duration KEY_INTERVAL = Duration.ofMinutes(10);

    /** A pool that is down from {@code now} on. */
    public static Outage begun(Reason reason, Instant now) {
        return new Outage(reason, now, 0, now.plus(interval(reason, 0)), null);
    }

    private static Duration interval(Reason reason, int probes) {
        return switch (reason) {
            case DOWN -> {
                Duration doubled = Duration.ofSeconds(1L << Math.min(probes, MOST_DOUBLINGS));
                yield doubled.compareTo(MOST) < 0 ? doubled : MOST;
            }
            case AUTH, QUOTA -> KEY_INTERVAL;
        };
    }

    /** Whether {@code probe} may be sent. Each is of another cell than the last, and of another worker, where there are others. */
    public boolean takes(Probe probe, Instant now) {
        if (now.isBefore(nextProbe)) {
            return false;
        }
        if (lastProbe == null) {
            return true;
        }
        boolean isOtherCell = probe.isOnlyCell() || !probe.cell().equals(lastProbe.cell());
        boolean isOtherWorker = probe.isOnlyWorker() || !probe.workerId().equals(lastProbe.workerId());
        return isOtherCell && isOtherWorker;
    }

    /** The same while {@code probe} is in flight. Where nothing is heard of it, as of a worker that was killed, another follows. */
    public Outage probed(Probe probe, Instant now) {
        return new Outage(reason, since, probes, later(now.plus(MOST), now.plus(interval(reason, probes))), probe);
    }

    /**
     * The same after a probe that failed.
     *
     * @param retryAfter how long the answer asks to wait; null: it does not say
     */
    public Outage probeFailed(@Nullable Duration retryAfter, Instant now) {
        Instant next = now.plus(interval(reason, probes + 1));
        return new Outage(
                reason, since, probes + 1, retryAfter == null ? next : later(next, now.plus(retryAfter)), lastProbe);
    }

    /** The same after somebody enabled the key, or a worker has another value: the next probe goes at once. */
    public Outage probedAnew(Instant now) {
        return new Outage(reason, since, probes, now, null);
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }
}
