package dev.assay.domain.limit;

import java.time.Duration;

/** The time for which units that were granted may be used. */
public final class UnitLease {

    /** Since the worker asked for them, by its monotonic clock. Units that are older are returned. */
    public static final Duration TIME = Duration.ofSeconds(1);

    /** The time that a request takes to its provider at most. */
    static final Duration WAY = Duration.ofMillis(500);

    private UnitLease() {}
}
