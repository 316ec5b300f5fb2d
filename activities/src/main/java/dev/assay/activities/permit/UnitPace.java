package dev.assay.activities.permit;

import dev.assay.domain.limit.UnitAsk;
import java.time.Duration;

/**
 * How often a worker takes units of a pool. Those of the next moments are leased ahead, so that a request need not wait for an
 * exchange. Guarded by its owner's lock.
 */
final class UnitPace {

    /** The longest time between two exchanges, and what one takes. */
    private static final Duration AHEAD = Duration.ofMillis(400);

    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final double NANOS_OF_A_SECOND = 1e9;
    /** Fewer requests a second than this need none ahead. */
    private static final double STILL = 1;

    private double perSecond;
    private int taken;
    private long since;

    UnitPace(long now) {
        since = now;
    }

    void taken() {
        taken++;
    }

    boolean isStill() {
        return taken == 0 && perSecond < STILL;
    }

    /** Requests of the next moments, at the speed of the last ones. What is slower than before counts by half. */
    int soon(long now) {
        long nanos = now - since;
        if (nanos >= SHORTEST.toNanos()) {
            double last = taken * NANOS_OF_A_SECOND / nanos;
            perSecond = Math.max(last, (last + perSecond) / 2);
            taken = 0;
            since = now;
        }
        return perSecond < STILL
                ? 0
                : (int) Math.min(UnitAsk.MOST, Math.ceil(perSecond * AHEAD.toNanos() / NANOS_OF_A_SECOND));
    }
}
