package dev.assay.activities.stop;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.evidence.Redraw;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.stop.NeededCells;
import dev.assay.domain.stop.StopTally;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.stop.StopRepository;
import dev.assay.store.stop.StopRepository.DoneCell;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cells that one campaign still needs, in one epoch. Everything comes from PostgreSQL, so it is the same in every worker and
 * after any crash. Trials below the first that is not done are read once; a look reads the few behind it. The more a look reads and
 * counts, the longer the next one waits: a few per cent of the time of one connection. Safe for use by several threads.
 */
final class StopLook {

    private static final long LEAST_REST_NANOS = 10_000_000;
    private static final long REST_NANOS_BY_CELL_READ = 100_000;
    private static final long REST_NANOS_BY_CASE = 5_000;

    private final StopRepository cells;
    private final DrawQueries draws;
    private final StoredCampaign campaign;
    private final StopTally tally;
    private final int branches;
    private final ReentrantLock looking = new ReentrantLock();

    /** All trials below are done, and counted for good. */
    private int frontier;

    /** The cells from {@link #frontier} on that are counted until the next look. */
    private final List<DoneCell> above = new ArrayList<>();

    /** The first draws of cells that were asked again, by trial number and branch; null: not read yet. */
    private @Nullable Map<List<Integer>, Redraw> redraws;

    private volatile @Nullable NeededCells needed;
    private volatile long nextNanos = System.nanoTime();

    StopLook(StopRepository cells, DrawQueries draws, StoredCampaign campaign) {
        this.cells = cells;
        this.draws = draws;
        this.campaign = campaign;
        List<Branch> all = campaign.definition().branches();
        this.branches = all.size();
        this.tally = new StopTally(
                campaign.stopping(),
                campaign.grid(),
                campaign.definition().gate(),
                all.stream().map(Branch::id).toList());
    }

    /** Whether it is of the campaign as it is now. A new epoch, a re-run or more trials change what is done and what is needed. */
    boolean isOf(StoredCampaign now) {
        return campaign.epoch() == now.epoch()
                && campaign.reruns() == now.reruns()
                && campaign.trials() == now.trials();
    }

    /** The cells that are needed, as of a moment ago. */
    NeededCells needed() {
        NeededCells known = needed;
        if (known == null) {
            looking.lock();
            try {
                return renewed();
            } finally {
                looking.unlock();
            }
        }
        if (isDue() && looking.tryLock()) {
            try {
                return renewed();
            } finally {
                looking.unlock();
            }
        }
        return known;
    }

    private boolean isDue() {
        return System.nanoTime() - nextNanos >= 0;
    }

    /** Another thread may have looked meanwhile. */
    private NeededCells renewed() {
        NeededCells known = needed;
        return known == null || isDue() ? look() : known;
    }

    private NeededCells look() {
        above.forEach(cell -> count(cell, false));
        above.clear();
        cells.done(campaign, frontier, this::take);
        NeededCells now = tally.needed();
        needed = now;
        nextNanos = System.nanoTime() + rest();
        return now;
    }

    private long rest() {
        return LEAST_REST_NANOS
                + REST_NANOS_BY_CELL_READ * above.size()
                + REST_NANOS_BY_CASE * campaign.caseCount() * branches;
    }

    /** Takes the next cell, by trial number and then branch. */
    private void take(DoneCell cell) {
        count(cell, true);
        above.add(cell);
        if (cell.ordinal() == frontier && above.size() == branches) {
            above.clear();
            frontier++;
        }
    }

    private void count(DoneCell cell, boolean adds) {
        TrialVerdict verdict = verdict(cell);
        if (verdict == null) {
            return;
        }
        if (adds) {
            tally.add(cell.ordinal(), cell.branchIndex(), verdict);
        } else {
            tally.remove(cell.ordinal(), cell.branchIndex(), verdict);
        }
    }

    /** What a cell counts as: of one that was asked again the first draw, and nothing where its draws disagree. */
    private @Nullable TrialVerdict verdict(DoneCell cell) {
        Redraw redraw = redraws().get(List.of(cell.ordinal(), cell.branchIndex()));
        if (redraw == null) {
            return cell.verdict();
        }
        TrialVerdict last = cell.verdict() == null ? TrialVerdict.NO_EVIDENCE : cell.verdict();
        return redraw.bound(campaign.definition().gate().demands().errors().seen(last));
    }

    private Map<List<Integer>, Redraw> redraws() {
        Map<List<Integer>, Redraw> known = redraws;
        if (known == null) {
            known = draws.of(campaign).redraws().stream()
                    .collect(Collectors.toMap(
                            redraw -> List.of(redraw.ordinal(), redraw.branchIndex()), Function.identity()));
            redraws = known;
        }
        return known;
    }
}
