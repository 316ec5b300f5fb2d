package dev.assay.campaigns.upkeep;

import dev.assay.campaigns.launch.BatchLauncher;
import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.campaigns.scoring.AnswerCopies;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.EndInTemporal;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.limit.LimitChanges;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.TaskScheduler;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps campaigns going, and looks after what is left over. Every campaign that should be going on and has no running workflow gets a new epoch and a workflow.
 *
 * <p>A campaign whose workflow ends three times without any progress becomes FAILED. A campaign whose workflow an operator
 * terminated or cancelled becomes CANCELLED, a paused one too. It does not where its epoch has moved on since: the run that ended
 * is then an old one, and the newer wish counts. How often each was restarted is held in memory, so a new process starts to count
 * at zero.
 */
@Singleton
public final class CampaignReconciler {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignReconciler.class);

    /** A lost workflow is noticed within 30 s: this interval, and the seconds for which a changed campaign is left alone. */
    private static final Duration INTERVAL = Duration.ofSeconds(25);

    /** The author of changes that a server notices. */
    private static final String SERVER = "assay";

    private static final int MAX_RESTARTS_WITHOUT_PROGRESS = 3;
    private static final Set<CampaignState> GOING_ON = EnumSet.of(CampaignState.PENDING, CampaignState.RUNNING);

    private final CampaignRepository campaigns;
    private final CampaignChanges changes;
    private final ProgressRepository progress;
    private final CampaignLauncher launcher;
    private final LimitChanges limits;
    private final AnswerCopies copies;
    private final BatchLauncher batches;
    private final TaskScheduler scheduler;
    private final Map<String, Restarts> restarts = new HashMap<>();

    /** Campaigns that were going on when the server started and were not signalled since. */
    private final Set<String> untold = new HashSet<>();

    private @Nullable ScheduledFuture<?> schedule;
    private boolean looked;

    CampaignReconciler(
            CampaignRepository campaigns,
            CampaignChanges changes,
            ProgressRepository progress,
            CampaignLauncher launcher,
            LimitChanges limits,
            AnswerCopies copies,
            BatchLauncher batches,
            @Named(TaskExecutors.SCHEDULED) TaskScheduler scheduler) {
        this.campaigns = campaigns;
        this.changes = changes;
        this.progress = progress;
        this.launcher = launcher;
        this.limits = limits;
        this.copies = copies;
        this.batches = batches;
        this.scheduler = scheduler;
    }

    /** Reconciles now and every 25 s from now on. Called by the server when everything that it starts is up. */
    public synchronized void start() {
        if (schedule == null) {
            schedule = scheduler.scheduleWithFixedDelay(Duration.ZERO, INTERVAL, this::reconcile);
        }
    }

    /** Looks no more. */
    @PreDestroy
    public synchronized void stop() {
        if (schedule != null) {
            schedule.cancel(false);
            schedule = null;
        }
    }

    /**
     * Looks once at every campaign that has not ended, but for those that another request may be starting now. A campaign whose
     * look fails is retried later, and delays no other.
     */
    public synchronized void reconcile() {
        try {
            // At the start of a server no other process is starting what was running.
            List<String> unfinished = campaigns.unfinished(!looked);
            if (!looked) {
                untold.addAll(unfinished);
            }
            batches.lookAfter(!looked);
            looked = true;
            unfinished.forEach(this::reconcileSafely);
            limits.lookAfter(SERVER);
        } catch (RuntimeException | Error e) {
            // An Error would end the schedule silently.
            LOG.warn("Campaigns could not be looked at; next try in {}", INTERVAL, e);
        }
    }

    private void reconcileSafely(String campaignId) {
        try {
            campaigns
                    .find(campaignId)
                    .filter(campaign -> !campaign.state().ended())
                    .ifPresent(this::reconcile);
        } catch (RuntimeException | Error e) {
            LOG.warn("Campaign {} could not be looked at; next try in {}", campaignId, INTERVAL, e);
        }
    }

    private void reconcile(StoredCampaign campaign) {
        if (campaign.awaitsAnswers()) {
            copies.begin(campaign.id());
            return;
        }
        Optional<WorkflowExecutionStatus> status = launcher.status(campaign.id());
        switch (status.orElse(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED)) {
            case WORKFLOW_EXECUTION_STATUS_RUNNING -> tellOnce(campaign);
            case WORKFLOW_EXECUTION_STATUS_TERMINATED, WORKFLOW_EXECUTION_STATUS_CANCELED -> {
                EndInTemporal end = launcher.end(campaign.id()).counting(campaign.epoch());
                if (end != null) {
                    cancel(campaign, end);
                } else {
                    restartOrGiveUp(campaign, status);
                }
            }
            default -> restartOrGiveUp(campaign, status);
        }
    }

    /** A server that was killed between a change and its signal left a workflow that waits for it. */
    private void tellOnce(StoredCampaign campaign) {
        if (untold.contains(campaign.id())) {
            launcher.tell(campaign, "the server started");
            untold.remove(campaign.id());
        }
    }

    private void cancel(StoredCampaign campaign, EndInTemporal end) {
        if (changes.cancel(campaign.run(), end)) {
            LOG.info("Campaign {} is cancelled: its workflow was ended by an operator", campaign.id());
        }
        restarts.remove(campaign.id());
    }

    private void restartOrGiveUp(StoredCampaign campaign, Optional<WorkflowExecutionStatus> status) {
        if (!GOING_ON.contains(campaign.state())) {
            // Paused: resuming it starts a workflow.
            return;
        }
        Restarts before = restarts.getOrDefault(campaign.id(), Restarts.NONE);
        Restarts now = before.next(Counted.of(progress.find(campaign.id()).orElseThrow()));
        if (now.withoutProgress() > MAX_RESTARTS_WITHOUT_PROGRESS) {
            giveUp(campaign, status);
        } else {
            restarts.put(campaign.id(), now);
            restart(campaign);
        }
    }

    private void restart(StoredCampaign campaign) {
        // Empty when the campaign ended between the look and now.
        campaigns.raiseEpoch(campaign.id(), GOING_ON).ifPresent(raised -> {
            LOG.info("Campaign {} has no running workflow and is started in epoch {}", raised.id(), raised.epoch());
            launcher.start(raised);
        });
    }

    private void giveUp(StoredCampaign campaign, Optional<WorkflowExecutionStatus> status) {
        String last = status.map(value -> value.name().replace("WORKFLOW_EXECUTION_STATUS_", ""))
                .orElse("unknown to Temporal");
        String reason =
                "Its workflow ended " + MAX_RESTARTS_WITHOUT_PROGRESS + " times after a restart without any progress"
                        + " (last: " + last + "): look at workflow " + launcher.workflowId(campaign.id())
                        + " in Temporal, then resume the campaign";
        LOG.warn("Campaign {} failed: {}", campaign.id(), reason);
        campaigns.transition(campaign.id(), GOING_ON, CampaignState.FAILED, true, reason);
        restarts.remove(campaign.id());
    }

    /** The counts that show progress. */
    private record Counted(long cellsDone, long trialsDone) {
        static Counted of(CampaignCounters counters) {
            return new Counted(counters.cellsDone(), counters.trialsDone());
        }
    }

    /**
     * Restarts of one campaign.
     *
     * @param withoutProgress how many followed each other with the same counters
     * @param counted the counters at the last one; null: there was none
     */
    private record Restarts(int withoutProgress, @Nullable Counted counted) {
        static final Restarts NONE = new Restarts(0, null);

        Restarts next(Counted now) {
            return new Restarts(now.equals(counted) ? withoutProgress + 1 : 1, now);
        }
    }
}
