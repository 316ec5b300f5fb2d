package dev.assay.domain.isolation;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The limits of an attempt of a program.
 *
 * @param memoryMb memory of all its processes, in MiB
 * @param processes how many it may have at once
 * @param cpus processors' worth of time; null: all
 * @param diskMb what its directory may take, in MiB
 */
public record AttemptLimits(
        int memoryMb, int processes, @Nullable BigDecimal cpus, int diskMb) {

    /** Those of a program without rules. */
    public static final AttemptLimits DEFAULT = new AttemptLimits(2_048, 512, null, 2_048);
}
