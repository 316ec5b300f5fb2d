package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import java.util.Map;

/** Tells the other workers what pools refuse, and hears which of them are blocked. */
public final class ThrottleExchange {

    private final ThrottleRepository repository;
    private final LeasedPermits permits;

    public ThrottleExchange(ThrottleRepository repository, LeasedPermits permits) {
        this.repository = repository;
        this.permits = permits;
    }

    /** Tells and hears once; nothing where this worker asks no pool. */
    void exchange() {
        Throttles throttles = permits.throttles();
        Map<ModelPool, ThrottleReport> reports = throttles.reports();
        boolean isHeard = false;
        try {
            if (!reports.isEmpty()) {
                throttles.heard(reports.keySet(), repository.exchange(reports));
            }
            isHeard = true;
        } finally {
            if (!isHeard) {
                throttles.unheard(reports);
            }
        }
    }
}
