package dev.assay.domain.plan;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import java.time.Duration;

/**
 * The place where a cell may run whose workers died. A worker that dies may have been killed by one of its cells, for example by an
 * answer that filled its memory. So a suspected cell runs alone: the next loss then says which cell it was.
 */
public enum Placement {
    /** Beside other cells: no worker died with it. */
    BESIDE_OTHERS,
    /** While its worker runs nothing else. */
    ALONE,
    /** Nowhere: it ends as WORKER_LOST. */
    NOWHERE;

    /** The number of workers that may die while they run one cell alone. */
    private static final int RUNS_ALONE = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** The failure of a cell that no other worker gets. */
    public static final Failure LOST = new Failure(
            ErrorCode.WORKER_LOST,
            ("%d workers died while they ran the cell, the last %d while they ran nothing else."
                            + " Look for a lack of memory in their logs, then run it again.")
                    .formatted(RUNS_ALONE + 1, RUNS_ALONE));

    /**
     * The time for which a suspected cell lets the less suspected go first. Workers may be killed one after the other, for example
     * to be replaced. They then condemn none of many cells.
     *
     * @param lostRuns how many workers died after they had begun the cell, at least 0
     */
    public static Duration patience(int lostRuns) {
        return PATIENCE.multipliedBy(Math.max(0, lostRuns - 1));
    }

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
