package dev.assay.work;

import java.time.Duration;

/**
 * The limits of one piece of work, counted from its beginning.
 *
 * @param cpu time of a processor; positive
 * @param wall time of the clock; positive
 */
public record WorkLimits(Duration cpu, Duration wall) {

    public WorkLimits {
        if (!cpu.isPositive() || !wall.isPositive()) {
            throw new IllegalArgumentException("Limits must be positive, were " + cpu + " and " + wall);
        }
    }
}
