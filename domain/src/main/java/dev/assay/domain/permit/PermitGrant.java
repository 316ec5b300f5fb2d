package dev.assay.domain.permit;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The permits that a worker gets of a pool.
 *
 * @param granted permits that are recorded as held by it
 * @param share permits that are its fair part. Where it is less than {@code granted} the worker returns the excess as soon as that
 *     is not in use. It says so when it asks again
 */
public record PermitGrant(int granted, int share) {

    /** Permits that the worker may use from now on. */
    public int usable() {
        return Math.min(granted, share);
    }

    /** Whether the pool must record the worker that got this on {@code ask}: its permits, or its wish. */
    public boolean isRecordedFor(PermitAsk ask) {
        return granted > 0 || ask.wish().wanted() > 0;
    }

    /**
     * The answer to a worker that asks. A permit changes hands in two steps: a worker that has too many returns it, then a worker
     * that has too few finds it free. So the sum of recorded permits never exceeds {@code size}, unless the pool was made smaller.
     * No worker then gets more until the pool has shrunk.
     *
     * @param size permits of the pool, at least 0
     * @param leases what is recorded of live workers, the asking one included if it has a lease
     */
    public static PermitGrant of(int size, List<PermitLease> leases, String workerId, PermitAsk ask) {
        // Unrecorded permits were lost with a lapsed lease, perhaps to another worker.
        PermitLease own = leases.stream()
                .filter(lease -> lease.workerId().equals(workerId))
                .findFirst()
                .orElse(new PermitLease(workerId, 0, PermitWish.NONE, Duration.ZERO));
        PermitLease asking = new PermitLease(workerId, own.granted(), ask.wish(), own.since());
        List<PermitLease> others = leases.stream()
                .filter(lease -> !lease.workerId().equals(workerId))
                .toList();
        long taken = others.stream().mapToLong(PermitLease::granted).sum();
        int kept = Math.min(ask.held(), own.granted());
        int share = share(size, others, asking);
        long free = Math.max(0, size - taken - kept);
        return new PermitGrant(share <= kept ? kept : (int) Math.min(share, kept + free), share);
    }

    private static int share(int size, List<PermitLease> others, PermitLease asking) {
        if (asking.wish().wanted() == 0) {
            return 0;
        }
        List<PermitLease> workers = Stream.concat(others.stream(), Stream.of(asking))
                .filter(lease -> lease.wish().wanted() > 0)
                .toList();
        return new PermitShare(size, workers).of(asking);
    }
}
