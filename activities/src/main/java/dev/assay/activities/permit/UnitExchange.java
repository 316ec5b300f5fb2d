package dev.assay.activities.permit;

import dev.assay.activities.permit.LeasedPermits.UnitRound;
import dev.assay.store.limit.UnitRepository;

/** Asks pools that have limits for the units of the next requests. They may be used for a second. */
public final class UnitExchange {

    private final UnitRepository repository;
    private final LeasedPermits permits;
    private final String workerId;

    public UnitExchange(UnitRepository repository, LeasedPermits permits, String workerId) {
        this.repository = repository;
        this.permits = permits;
        this.workerId = workerId;
    }

    /** Asks once. False where there was nothing to ask or to put right. */
    boolean exchange() {
        UnitRound round = permits.unitRound();
        if (round.requests().isEmpty()) {
            return false;
        }
        permits.unitsCame(round, repository.exchange(workerId, round.requests()));
        return true;
    }
}
