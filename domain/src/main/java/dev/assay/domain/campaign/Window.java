package dev.assay.domain.campaign;

/**
 * How much of a campaign is handed out at once, counted in cells (design §4). It is wider than the calls in flight, so that
 * permits bound these and no worker waits for the next batch.
 */
public final class Window {

    private static final int CELLS_PER_CALL = 3;

    private Window() {}

    /**
     * Cells that may be in branch activities at once: three times {@code maxConcurrent}.
     *
     * @param maxConcurrent calls in flight that the campaign allows, at least 1
     */
    public static int cells(int maxConcurrent) {
        if (maxConcurrent < 1) {
            throw new IllegalArgumentException("maxConcurrent must be at least 1, not " + maxConcurrent);
        }
        return (int) Math.min(Integer.MAX_VALUE, (long) CELLS_PER_CALL * maxConcurrent);
    }

    /**
     * Batches that fill a window.
     *
     * @param cells the window, at least 1
     * @param batchTrials trials of a batch, at least 1
     * @param branches branches of the campaign, at least 1
     * @return at least 1, so that a campaign always goes on
     */
    public static int batches(int cells, int batchTrials, int branches) {
        return (int) Math.max(1, cells / ((long) batchTrials * branches));
    }
}
