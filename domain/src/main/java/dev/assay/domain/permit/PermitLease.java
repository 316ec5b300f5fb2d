package dev.assay.domain.permit;

/**
 * Permits of a pool that a worker holds, as recorded where all workers see it. A worker never holds more than that.
 *
 * @param workerId who
 * @param granted permits, at least 0
 * @param wanted permits that it could use when it asked last, at least 0
 */
public record PermitLease(String workerId, int granted, int wanted) {

    public PermitLease {
        if (granted < 0 || wanted < 0) {
            throw new IllegalArgumentException("Permits are not negative: granted " + granted + ", wanted " + wanted);
        }
    }
}
