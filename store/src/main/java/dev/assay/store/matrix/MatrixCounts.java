package dev.assay.store.matrix;

import dev.assay.domain.matrix.ResultMatrix;

/**
 * The counts of a campaign's counters that its matrix must agree with. A build that knows no matrices counts, and notes nothing.
 *
 * @param completeTrials trials with a selection whose cells are all final
 */
public record MatrixCounts(int trials, long finalCells, long completeTrials) {

    /** Whether a matrix holds all counted results. */
    public boolean match(ResultMatrix matrix) {
        return matrix.trials() == trials
                && matrix.finalCells() == finalCells
                && matrix.completeTrials() == completeTrials;
    }
}
