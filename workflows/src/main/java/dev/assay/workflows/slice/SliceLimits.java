package dev.assay.workflows.slice;

import dev.assay.domain.plan.BatchSize;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;

/** The limits of a slice: the sizes of its batches, its window and its waits. Arithmetic only. */
final class SliceLimits {

    /** No timer is shorter; an activity that hands a trial back at once is not asked again at once. */
    static final long SHORTEST_WAIT_MS = 50;

    /** The longest wait before workers are asked again: a pause reaches a waiting slice only through their answers. */
    static final long LONGEST_WAIT_MS = 60_000;

    /** Times are rounded up to this grid, so that trials that are due at almost the same time share a timer and a batch. */
    static final long TIME_GRID_MS = 100;

    private static final int BATCHES_PER_SELECTION = 4;

    private final Slice slice;
    private final BatchRule rule;

    SliceLimits(Slice slice, BatchRule rule) {
        this.slice = slice;
        this.rule = rule;
    }

    /** One for each branch, one for the selection. */
    int activitiesPerBatch() {
        return slice.branches().size() + 1;
    }

    /** The trials of the next batch when {@code due} may be tried; 0 only when none is due. */
    int batchTrials(Pace measured, int due) {
        int room = Math.max(1, window(measured) / slice.branches().size());
        return Math.min(due, Math.min(wantedTrials(measured), room));
    }

    private int wantedTrials(Pace measured) {
        return rule.batchTrials(slice.pace().plus(measured), slice.cellsTotal(), slice.maxConcurrent());
    }

    private int window(Pace measured) {
        return rule.window(slice.window(), wantedTrials(measured));
    }

    /**
     * Whether a batch is selected as soon as it is generated. It is where a model judges, and in a campaign that is small enough to
     * be watched cell by cell.
     */
    boolean selectsAtOnce() {
        boolean isJudged = TaskQueues.asksModel(slice.trialQueue());
        return isJudged || slice.cellsTotal() <= BatchSize.SMALL_CAMPAIGN_CELLS;
    }

    /**
     * The number of trials that one activity selects where batches share it. They are those of several batches, which follow each
     * other every tenth of a second, so that no selection is delayed much.
     */
    int selectionTrials(Pace measured) {
        return BATCHES_PER_SELECTION * wantedTrials(measured);
    }

    /** Whether {@code trials} more may be generated beside {@code cells} in flight; a trial always may when nothing is. */
    boolean fits(Pace measured, int cells, int trials) {
        return cells == 0 || cells + trials * slice.branches().size() <= window(measured);
    }

    /** When a trial may be tried again that was handed back at {@code nowMs} with {@code retryAfterMs}. */
    static long dueMs(long nowMs, long retryAfterMs) {
        long wait = Math.clamp(retryAfterMs, SHORTEST_WAIT_MS, LONGEST_WAIT_MS);
        return Math.ceilDiv(nowMs + wait, TIME_GRID_MS) * TIME_GRID_MS;
    }
}
