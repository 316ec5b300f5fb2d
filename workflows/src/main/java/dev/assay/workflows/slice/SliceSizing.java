package dev.assay.workflows.slice;

import dev.assay.domain.plan.BatchSize;

/**
 * The cut of a campaign into slices, and the number of slices that run at once. Arithmetic only.
 *
 * @param lanes slices that run at once, 3–12
 * @param sliceTrials trials of a full slice, at least 1
 * @param cells cells of the campaign in branch activities at once: 3 × {@code maxConcurrent}. So permits and not windows bound the
 *     calls in flight (design §4). A slice of fast cells takes more (see {@link BatchRule})
 * @param branches branches of the campaign, at least 1
 */
public record SliceSizing(int lanes, int sliceTrials, int cells, int branches) {

    /** Activities of a slice that are reserved for trials that come back; trials beyond them are planned again. */
    static final int RETRY_RESERVE = 100;

    /** Trials of a slice of a small campaign, which is watched cell by cell: few enough for a plan to label them. */
    static final int SMALL_CAMPAIGN_SLICE = 50;

    /** A campaign with fewer would wait for the slowest cells of a slice. */
    public static final int FEWEST_LANES = 3;

    private static final int WINDOW_FACTOR = 3;
    private static final int MOST_LANES = 12;

    /** A slice that holds fewer windows than this spends its time waiting for its slowest cells. */
    private static final int WINDOWS_PER_SLICE = 3;

    /** Below this a slice costs more than the even spread over lanes gains. */
    private static final int FEWEST_SPREAD_TRIALS = 100;

    /**
     * The sizes that suit a campaign.
     *
     * @param rule the rule of the run that is sized
     * @param branches of the campaign, at least 1
     * @param maxConcurrent calls in flight that it allows, at least 1
     */
    public static SliceSizing of(BatchRule rule, int branches, int cellsTotal, int maxConcurrent, Pace pace) {
        int batch = rule.batchTrials(pace, cellsTotal, maxConcurrent);
        int cells = WINDOW_FACTOR * maxConcurrent;
        int batches = Math.max(1, (ParallelEvaluationWorkflow.MAX_ACTIVITIES - RETRY_RESERVE) / (branches + 1));
        int most = cellsTotal <= BatchSize.SMALL_CAMPAIGN_CELLS ? SMALL_CAMPAIGN_SLICE : Integer.MAX_VALUE;
        int cellsOfSlice = Math.min(most, batches * batch) * branches;
        int lanes = Math.clamp(Math.ceilDiv(WINDOWS_PER_SLICE * cells, cellsOfSlice), FEWEST_LANES, MOST_LANES);
        int batchInWindow = Math.min(batch, Math.max(1, cells / lanes / branches));
        // Unmeasured cells may turn out so slow that every batch takes one trial. A slice that has used up its
        // activities leaves the rest to the next round. That begins when the slowest slice has ended, and nothing runs
        // meanwhile.
        int trials = Math.min(most, batches * (pace.cells() == 0 ? 1 : batchInWindow));
        return new SliceSizing(lanes, trials, cells, branches);
    }

    /** Trials per slice when {@code unplanned} trials are left: all lanes get equally many slices, so that they end together. */
    public int sliceTrials(int unplanned) {
        int slicesOfLane = Math.max(1, Math.ceilDiv(unplanned, lanes * sliceTrials));
        return Math.min(sliceTrials, Math.max(FEWEST_SPREAD_TRIALS, Math.ceilDiv(unplanned, lanes * slicesOfLane)));
    }

    /** The window of a slice, in cells, when {@code slices} will run at once: its share, but always room for one trial. */
    public int window(int slices) {
        return Math.max(branches, cells / Math.clamp(slices, 1, lanes));
    }
}
