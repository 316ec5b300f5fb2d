package dev.assay.domain.limit;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The time that a campaign needs still. */
public final class EndForecast {

    /** Fewer cells say nothing of the speed. */
    private static final int FEWEST_CLOSED = 10;

    private EndForecast() {}

    /**
     * The longer one of two times: what its open cells take at the speed of late, and what they take at least under limits.
     *
     * @param open cells that are open
     * @param closed cells that were closed in {@code window}
     * @param pools what the open cells take of pools, with the campaign's part of the limits
     * @return null: it is not known
     */
    public static @Nullable Duration of(long open, double closed, Duration window, List<PoolWork> pools) {
        if (open <= 0 || closed < FEWEST_CLOSED) {
            return null;
        }
        double atThisSpeed = open / closed * window.toMillis() / 1_000;
        long underLimits = CallForecast.of(pools, 1).seconds();
        return Duration.ofSeconds((long) Math.ceil(Math.max(atThisSpeed, (double) underLimits)));
    }

    /** Cells a second, at least 0; 0 where the window is too short to say. */
    public static double perSecond(double closed, Duration window) {
        return window.toMillis() <= 0 ? 0 : closed * 1_000 / window.toMillis();
    }
}
