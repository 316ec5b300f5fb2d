package dev.assay.activities.cell;

import dev.assay.store.cell.CellKey;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** The cells that this worker runs now. A second attempt at a cell in the same worker finds it here and leaves it alone. */
@Singleton
public class RunningCells {

    private final ConcurrentMap<CellKey, RunningCell> cells = new ConcurrentHashMap<>();

    /** Takes the cell, unless this worker runs it already. */
    public Optional<RunningCell> take(CellKey key, int epoch) {
        RunningCell cell = new RunningCell(key, epoch);
        return cells.putIfAbsent(key, cell) == null ? Optional.of(cell) : Optional.empty();
    }

    /** Gives the cell up. */
    public void end(RunningCell cell) {
        cells.remove(cell.key(), cell);
    }

    /** All of them, now. */
    public Collection<RunningCell> all() {
        return List.copyOf(cells.values());
    }

    /** The campaigns that they belong to. */
    public Set<String> campaigns() {
        return cells.keySet().stream().map(CellKey::campaignId).collect(Collectors.toSet());
    }

    public boolean isEmpty() {
        return cells.isEmpty();
    }
}
