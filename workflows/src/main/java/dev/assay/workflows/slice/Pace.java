package dev.assay.workflows.slice;

import dev.assay.domain.plan.BatchSize;

/** Measured speed: how long cells took, without their waits for permits, ledger and budget. */
public record Pace(long cells, double seconds) {

    /** Nothing measured yet. */
    public static final Pace UNKNOWN = new Pace(0, 0);

    /** Cells of which nobody was asked: their answers were on record, which takes no time. */
    public static Pace ofRecorded(long cells) {
        return new Pace(cells, 0);
    }

    /** The same mean, as if measured on at most {@code most} cells: later measurements then count for more. */
    public Pace weighingAtMost(long most) {
        return cells <= most ? this : new Pace(most, seconds * most / cells);
    }

    /** Both measurements together. */
    public Pace plus(Pace other) {
        return new Pace(cells + other.cells, seconds + other.seconds);
    }

    /** The number of trials in one batch of a campaign at this speed (see {@link BatchSize}). */
    int batchTrials(int cellsTotal, int maxConcurrent) {
        return BatchSize.of(cellsTotal, maxConcurrent, cells, seconds);
    }

    /** The same where fast cells of a small campaign have batches, too. */
    int fastBatchTrials(int cellsTotal, int maxConcurrent) {
        return BatchSize.ofFast(cellsTotal, maxConcurrent, cells, seconds);
    }
}
