package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import java.time.Duration;
import java.util.Map;

/**
 * Tells the other workers what pools refuse, and hears which of them are blocked. It does so at once where others must know, or where
 * this worker begins to ask a pool; otherwise four times a second.
 */
public final class ThrottleExchange {

    private static final Duration EVERY = Duration.ofMillis(250);

    private final ThrottleRepository repository;
    private final LeasedPermits permits;
    private final String workerId;
    /** By the monotonic clock. */
    private long next = System.nanoTime();

    public ThrottleExchange(ThrottleRepository repository, LeasedPermits permits, String workerId) {
        this.repository = repository;
        this.permits = permits;
        this.workerId = workerId;
    }

    /** Tells and hears once where it is time to; nothing where this worker asks no pool. */
    void exchange() {
        Throttles throttles = permits.throttles();
        if (!throttles.takeNews() && System.nanoTime() - next < 0) {
            return;
        }
        Map<ModelPool, ThrottleReport> reports = throttles.reports();
        boolean isHeard = false;
        try {
            if (!reports.isEmpty()) {
                throttles.heard(reports.keySet(), repository.exchange(workerId, reports));
            }
            isHeard = true;
        } finally {
            if (!isHeard) {
                throttles.unheard(reports);
            }
            // A pool that is blocked goes on as soon as it may.
            next = System.nanoTime() + throttles.untilNext(EVERY).toNanos();
        }
    }
}
