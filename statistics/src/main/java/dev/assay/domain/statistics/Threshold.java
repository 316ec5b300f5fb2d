package dev.assay.domain.statistics;

/**
 * A share that must be reached.
 *
 * @param share 0–1
 */
public record Threshold(double share) {

    /** Whether {@code passed} of {@code of}, at least 1, reach it: the quotient is at least the share. */
    public boolean isReached(int passed, int of) {
        return (double) passed / of >= share;
    }

    /** The number of {@code of}, at least 1, that must pass; {@code of + 1} when not even all reach it. */
    public int needed(int of) {
        int low = 0;
        int high = of + 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isReached(middle, of)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
