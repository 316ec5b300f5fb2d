package dev.assay.activities.worker;

import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.permit.LeasedPermits;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.store.worker.WorkerRepository.CampaignControl;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks every half second epoch and state of the campaigns whose cells run here, and stops stale cells. Cells for which this
 * worker has no permit are left to others.
 */
public final class CampaignWatch {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignWatch.class);

    private static final long EVERY_MS = 500;

    /** A worker without permits holds a cell for 5 s at most: this time, and those of a look and of releasing the claims. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    private final WorkerRepository workers;
    private final RunningCells cells;
    private final LeasedPermits permits;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("campaign-watch").factory());

    public CampaignWatch(WorkerRepository workers, RunningCells cells, LeasedPermits permits) {
        this.workers = workers;
        this.cells = cells;
        this.permits = permits;
    }

    /** Begins to look. */
    public void start() {
        var _ = scheduler.scheduleWithFixedDelay(this::lookSafely, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    private void lookSafely() {
        try {
            look();
        } catch (RuntimeException | Error e) {
            // An Error would end the schedule silently. The lease guards against a database that stays away.
            LOG.debug("Campaigns could not be looked at", e);
        }
    }

    void look() {
        Map<String, CampaignControl> controls = workers.controls(cells.campaigns()).stream()
                .collect(Collectors.toMap(CampaignControl::campaignId, Function.identity()));
        for (RunningCell cell : cells.all()) {
            CampaignControl control = controls.get(cell.key().campaignId());
            StopReason reason = control == null ? null : reason(cell, control);
            if (reason != null) {
                cell.stop(reason);
            } else if (isStarved(cell)) {
                cell.stopIfWaiting(StopReason.NO_PERMIT);
            }
        }
    }

    private boolean isStarved(RunningCell cell) {
        String provider = cell.provider();
        return provider != null
                && permits.starved(cell.key().campaignId(), provider).compareTo(PATIENCE) >= 0;
    }

    /** The reason why a cell must stop; null when it may go on. */
    static @Nullable StopReason reason(RunningCell cell, CampaignControl control) {
        if (control.state() == CampaignState.CANCELLED) {
            return StopReason.CANCELLED;
        }
        if (control.epoch() != cell.epoch() || control.state() == CampaignState.FAILED) {
            return StopReason.STALE;
        }
        Integer branch = cell.key().kind().branch(cell.key().slot());
        if (branch != null && control.cancelledBranches().contains(branch)) {
            return StopReason.BRANCH_CANCELLED;
        }
        // A program may go on for an hour and pay all the time; for a model's answer the worker waits.
        boolean mayStop = cell.phase() == RunningCell.Phase.WAITING || Agent.PROVIDER_COMMAND.equals(cell.provider());
        return control.state() == CampaignState.PAUSED && mayStop ? StopReason.PAUSED : null;
    }

    /** Ends. */
    public void stop() {
        scheduler.shutdownNow();
    }
}
