package dev.assay.web.artifact;

import dev.assay.domain.plan.TrialGrid;
import dev.assay.web.matrix.MatrixReading;
import java.util.BitSet;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The cells whose directories an archive has. */
final class RecordedCells {

    private final TrialGrid grid;
    private final int branches;
    private final @Nullable BitSet places;

    private RecordedCells(TrialGrid grid, int branches, @Nullable BitSet places) {
        this.grid = grid;
        this.branches = branches;
        this.places = places;
    }

    /** Every cell. */
    static RecordedCells all(TrialGrid grid) {
        return new RecordedCells(grid, 1, null);
    }

    /** The cells that a matrix, or what changed in it, says are no longer open. */
    static RecordedCells of(TrialGrid grid, MatrixReading reading) {
        BitSet places = new BitSet();
        reading.recorded().forEach(places::set);
        return new RecordedCells(grid, reading.branches(), places);
    }

    /** The numbers of their trials, case by case. */
    PrimitiveIterator.OfInt ordinals() {
        IntStream ordinals = IntStream.range(0, grid.cases())
                .flatMap(index -> IntStream.rangeClosed(1, grid.trials()).map(trial -> grid.ordinal(index, trial)));
        return ordinals.filter(this::holds).iterator();
    }

    private boolean holds(int ordinal) {
        if (places == null) {
            return true;
        }
        int next = places.nextSetBit(ordinal * branches);
        return next >= 0 && next < (ordinal + 1) * branches;
    }

    boolean holds(int ordinal, int branch) {
        return places == null || places.get(ordinal * branches + branch);
    }
}
