package dev.assay.activities.permit;

import dev.assay.domain.permit.PermitPool;
import java.util.List;

/** A bound of this worker's share of a pool. */
record RoomBound(Use use, PermitPool pool) {

    /** What a cell may have of a pool. */
    enum Use {
        /** The right to write requests into the ledger. */
        PLACE,
        /** The same for cells of evaluations. */
        URGENT_PLACE,
        /** The right to have a call in flight. */
        PERMIT
    }

    static List<RoomBound> of(Use use, List<PermitPool> pools) {
        return pools.stream().map(pool -> new RoomBound(use, pool)).toList();
    }

    static List<RoomBound> places(boolean isUrgent, List<PermitPool> pools) {
        return of(isUrgent ? Use.URGENT_PLACE : Use.PLACE, pools);
    }

    static List<RoomBound> permits(List<PermitPool> pools) {
        return of(Use.PERMIT, pools);
    }
}
