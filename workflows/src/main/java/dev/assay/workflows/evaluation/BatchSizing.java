package dev.assay.workflows.evaluation;

/**
 * How many trials one batch takes, so that a campaign is no slower than its models: an activity costs the engine some
 * milliseconds, and a batch waits for its slowest cell (design §4).
 */
public final class BatchSizing {

    /** Up to this many cells a campaign runs trial by trial: the finest grain costs nothing that anyone would notice. */
    public static final int SMALL_CAMPAIGN_CELLS = 500;

    private static final int MOST = 50;
    private static final int ACTIVITIES_PER_SECOND = 25;

    private BatchSizing() {}

    /**
     * The number of trials in a batch: {@code ceil(maxConcurrent / meanCellSeconds / 25)}, at least 1, at most 50 and at most
     * half of {@code maxConcurrent}; 1 for small campaigns and while nothing is measured.
     *
     * @param cellsTotal cells of the campaign
     * @param maxConcurrent calls in flight that the campaign allows
     * @param pace what was measured so far
     */
    public static int trials(int cellsTotal, int maxConcurrent, Pace pace) {
        if (cellsTotal <= SMALL_CAMPAIGN_CELLS || pace.cells() == 0) {
            return 1;
        }
        double cellsPerSecond = maxConcurrent * (double) pace.cells() / pace.seconds();
        double wanted = Math.ceil(cellsPerSecond / ACTIVITIES_PER_SECOND);
        int most = Math.min(MOST, maxConcurrent / 2);
        return (int) Math.max(1, Math.min(wanted, most));
    }
}
