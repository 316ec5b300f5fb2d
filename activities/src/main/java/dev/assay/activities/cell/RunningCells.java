package dev.assay.activities.cell;

import dev.assay.domain.health.WorkerLoad;
import dev.assay.store.cell.CellKey;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** The cells that this worker runs now. A second attempt at a cell in the same worker finds it here and leaves it alone. */
@Singleton
public class RunningCells {

    private final ConcurrentMap<CellKey, RunningCell> cells = new ConcurrentHashMap<>();
    private volatile boolean draining;

    /** Takes the cell, unless this worker runs it already or takes no more cells. */
    public Optional<RunningCell> take(CellKey key, int epoch) {
        RunningCell cell = new RunningCell(key, epoch);
        if (cells.putIfAbsent(key, cell) != null) {
            return Optional.empty();
        }
        // Checked when the cell is in: a drain that begins now finds it there.
        if (draining) {
            end(cell);
            return Optional.empty();
        }
        return Optional.of(cell);
    }

    /** Takes no more cells, and sends no further request; those in flight go on. */
    public void drain() {
        draining = true;
        all().forEach(cell -> cell.stopBeforeNextCall(StopReason.SHUTDOWN));
    }

    /** Whether it takes no more cells. */
    public boolean isDraining() {
        return draining;
    }

    /** Gives the cell up. */
    public void end(RunningCell cell) {
        cells.remove(cell.key(), cell);
    }

    /** All of them, now. */
    public Collection<RunningCell> all() {
        return List.copyOf(cells.values());
    }

    /** The campaigns of these cells. */
    public Set<String> campaigns() {
        return cells.keySet().stream().map(CellKey::campaignId).collect(Collectors.toSet());
    }

    /** The number of cells by campaign and provider; cells that have not asked for a permit yet are left out. */
    public List<WorkerLoad> load() {
        Map<Asked, List<RunningCell>> byProvider = new TreeMap<>();
        for (RunningCell cell : cells.values()) {
            String provider = cell.provider();
            if (provider != null) {
                byProvider
                        .computeIfAbsent(new Asked(cell.key().campaignId(), provider), asked -> new ArrayList<>())
                        .add(cell);
            }
        }
        return byProvider.entrySet().stream()
                .map(entry -> load(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static WorkerLoad load(Asked asked, List<RunningCell> cells) {
        int forBudget = 0;
        int forPermit = 0;
        for (RunningCell cell : cells) {
            if (cell.waitsForBudget()) {
                forBudget++;
            } else if (cell.phase() == RunningCell.Phase.WAITING) {
                forPermit++;
            }
        }
        int calling = cells.size() - forBudget - forPermit;
        return new WorkerLoad(asked.campaignId(), asked.provider(), calling, forPermit, forBudget);
    }

    private record Asked(String campaignId, String provider) implements Comparable<Asked> {
        @Override
        public int compareTo(Asked other) {
            int byCampaign = campaignId.compareTo(other.campaignId);
            return byCampaign != 0 ? byCampaign : provider.compareTo(other.provider);
        }
    }

    public boolean isEmpty() {
        return cells.isEmpty();
    }
}
