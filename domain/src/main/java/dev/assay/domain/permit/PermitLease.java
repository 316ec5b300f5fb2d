package dev.assay.domain.permit;

import java.time.Duration;

/**
 * Permits of a pool that a worker holds, as recorded where all workers see it. A worker never holds more than that.
 *
 * @param granted permits, at least 0
 * @param wish permits that it could use when it asked last
 * @param since how long it has held permits without a break, or has waited for its first, at least 0
 */
public record PermitLease(String workerId, int granted, PermitWish wish, Duration since) {

    public PermitLease {
        if (granted < 0 || since.isNegative()) {
            throw new IllegalArgumentException(
                    "Permits and times are not negative: granted " + granted + ", since " + since);
        }
    }
}
