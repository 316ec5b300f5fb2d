package dev.assay.domain.limit;

import java.time.Duration;

/** The time over which a limit counts. */
public enum LimitPeriod {
    MINUTE(Duration.ofMinutes(1), Duration.ofMillis(500)),
    DAY(Duration.ofDays(1), Duration.ofMinutes(10));

    private final long slotMs;
    private final int slots;

    LimitPeriod(Duration length, Duration slot) {
        slotMs = slot.toMillis();
        // A charge is made anywhere in its slot, so one slot more keeps it until the last moment at which it may arrive
        // is past.
        long counted = length.plus(UnitLease.TIME).plus(UnitLease.WAY).toMillis();
        slots = Math.toIntExact(Math.ceilDiv(counted, slotMs)) + 1;
    }

    /** Milliseconds of one slot. */
    long slotMs() {
        return slotMs;
    }

    /** The number of slots in which a charge counts, its own included. */
    int slots() {
        return slots;
    }

    /** Milliseconds for which a charge counts: a minute counts for 62 s. */
    long horizonMs() {
        return slotMs * slots;
    }
}
