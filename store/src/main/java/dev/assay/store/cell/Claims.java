package dev.assay.store.cell;

import java.time.Duration;
import java.util.List;

/**
 * The result of a worker's request for cells. A cell is in exactly one of the lists.
 *
 * @param claimed cells that the worker now holds
 * @param closed trial numbers of cells that need no work in this epoch
 * @param waiting cells that another worker holds, or that may not be tried yet
 */
public record Claims(List<Claimed> claimed, List<Integer> closed, List<Waiting> waiting) {

    /**
     * A cell that the worker holds.
     *
     * @param attempts attempts that have begun and were not given back, at least 0
     * @param lostAttempts of these, the ones that were lost with their workers, at least 0
     * @param lostRuns workers that died after they had begun it, at least 0
     * @param excused attempts that do not count, since the provider was down or refused them, at least 0
     */
    public record Claimed(int ordinal, int attempts, int lostAttempts, int lostRuns, int excused) {}

    /**
     * A cell that cannot be worked on now.
     *
     * @param stated whether it waits for the time of a retry or for a worker that holds it; else the reason is unknown
     */
    public record Waiting(int ordinal, Duration retryAfter, boolean stated) {}
}
