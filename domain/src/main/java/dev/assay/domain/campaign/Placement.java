package dev.assay.domain.campaign;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;

/**
 * Where a cell may run whose workers died. A worker that dies may have been killed by one of its cells, for example by an answer that
 * filled its memory. So a suspected cell runs alone: the next loss then says who it was.
 */
public enum Placement {
    /** Beside other cells: no worker died with it. */
    BESIDE_OTHERS,
    /** While its worker runs nothing else. */
    ALONE,
    /** Nowhere: it ends as WORKER_LOST. */
    NOWHERE;

    /** Workers that may die while they run one cell alone. */
    private static final int RUNS_ALONE = 3;

    /** Why a cell is given to no other worker. */
    public static final Failure LOST = new Failure(
            ErrorCode.WORKER_LOST,
            ("%d workers died while they ran the cell, the last %d while they ran nothing else."
                            + " Look for a lack of memory in their logs, then run it again.")
                    .formatted(RUNS_ALONE + 1, RUNS_ALONE));

    /**
     * Decides where a cell may run.
     *
     * @param lostRuns how many workers died after they had begun the cell, at least 0
     */
    public static Placement after(int lostRuns) {
        if (lostRuns == 0) {
            return BESIDE_OTHERS;
        }
        return lostRuns <= RUNS_ALONE ? ALONE : NOWHERE;
    }
}
