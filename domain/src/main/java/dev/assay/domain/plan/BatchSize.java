package dev.assay.domain.plan;

/**
 * The number of trials of one activity (design §4).
 *
 * <p>A batch waits for its slowest cell, so it should be small. An engine starts only some hundred activities a second, so it must
 * not be too small for fast models. The size follows the measured speed: enough that {@value #ACTIVITIES_PER_SECOND} activities a
 * second keep {@code maxConcurrent} calls in flight.
 */
public final class BatchSize {

    /** Campaigns of up to this many cells are small enough for one cell per activity, where cells are not much shorter than an activity. */
    public static final int SMALL_CAMPAIGN_CELLS = 500;

    private static final int ACTIVITIES_PER_SECOND = 10;

    /** The assumed seconds of a cell while none was measured: a short answer of a hosted model. */
    private static final double UNMEASURED_CELL_SECONDS = 1;

    private static final int MOST = 50;

    private BatchSize() {}

    /**
     * The size for a campaign.
     *
     * @param cellsTotal cells of the whole campaign, at least 0
     * @param maxConcurrent calls in flight that the campaign allows, at least 1
     * @param measuredCells how many cells were measured, at least 0; 0: nothing is known, and a
     *     cell is taken to last 1 s
     * @param measuredSeconds their times added up, at least 0
     * @return 1–50
     */
    public static int of(int cellsTotal, int maxConcurrent, long measuredCells, double measuredSeconds) {
        return cellsTotal <= SMALL_CAMPAIGN_CELLS ? 1 : paced(maxConcurrent, measuredCells, measuredSeconds);
    }

    /**
     * The same for a campaign that has batches of fast cells even if it is small. Nobody watches such cells one by one. Fast cells last
     * less than {@value #UNMEASURED_CELL_SECONDS} s, and one of them was measured.
     *
     * @return 1–50
     */
    public static int ofFast(int cellsTotal, int maxConcurrent, long measuredCells, double measuredSeconds) {
        boolean isFast = measuredCells > 0 && measuredSeconds < measuredCells * UNMEASURED_CELL_SECONDS;
        return cellsTotal <= SMALL_CAMPAIGN_CELLS && !isFast ? 1 : paced(maxConcurrent, measuredCells, measuredSeconds);
    }

    private static int paced(int maxConcurrent, long measuredCells, double measuredSeconds) {
        if (maxConcurrent < 1 || measuredCells < 0 || !(measuredSeconds >= 0)) {
            throw new IllegalArgumentException("Batch size needs at least one call in flight and times from 0 up, not "
                    + maxConcurrent + ", " + measuredCells + " cells in " + measuredSeconds + " s");
        }
        double meanCellSeconds = measuredCells == 0 ? UNMEASURED_CELL_SECONDS : measuredSeconds / measuredCells;
        double size = Math.ceil(maxConcurrent / meanCellSeconds / ACTIVITIES_PER_SECOND);
        return (int) Math.clamp(size, 1, MOST);
    }
}
