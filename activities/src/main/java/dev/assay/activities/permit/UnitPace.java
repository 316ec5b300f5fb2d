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
        double pace = perSecond(now);
        return pace < STILL ? 0 : (int) Math.min(UnitAsk.MOST, Math.ceil(pace * AHEAD.toNanos() / NANOS_OF_A_SECOND));
    }

    /** Ends a stretch that is long enough to tell the speed: what is taken from now on belongs to the next. */
    void mark(long now) {
        if (isLongEnough(now)) {
            perSecond = perSecond(now);
            taken = 0;
            since = now;
        }
    }

    private double perSecond(long now) {
        if (!isLongEnough(now)) {
            return perSecond;
        }
        double last = taken * NANOS_OF_A_SECOND / (now - since);
        return Math.max(last, (last + perSecond) / 2);
    }

    private boolean isLongEnough(long now) {
        return now - since >= SHORTEST.toNanos();
    }
}
