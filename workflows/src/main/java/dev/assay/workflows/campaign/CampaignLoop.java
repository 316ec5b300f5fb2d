package dev.assay.workflows.campaign;

import dev.assay.workflows.Inbox;
import dev.assay.workflows.campaign.PlanActivities.Plan;
import dev.assay.workflows.campaign.PlanActivities.PlanRequest;
import dev.assay.workflows.campaign.PlanActivities.Standing;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import io.temporal.common.InitialVersioningBehavior;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a campaign: plan what is open, run it in slices, plan again until nothing is open, complete.
 *
 * <p>A round begins with a plan from the first trial and ends when everything that was planned has run. Whatever is
 * unexpected stops the round: no further slice starts, those that run finish, and the next plan says how to go on.
 */
final class CampaignLoop {

    /** The speed of the latest cells counts, not that of hours ago: the past weighs at most as much as this many cells. */
    static final long CELLS_REMEMBERED = 500;

    /** A run belongs to the build that began it (decision 0020); the next one to the build that is current then. */
    private static final ContinueAsNewOptions ON_THE_CURRENT_BUILD = ContinueAsNewOptions.newBuilder()
            .setInitialVersioningBehavior(InitialVersioningBehavior.AUTO_UPGRADE)
            .build();

    private final String campaignId;
    private final int continueAfterEvents;
    private final Inbox inbox = new Inbox();
    private final Slices slices;
    private final ProgressGuard guard = new ProgressGuard();
    private final Visibility visibility;
    private final Observer observer;

    private Phase phase = Phase.PLANNING;
    private int epoch;
    private Pace pace;
    private @Nullable Plan plan;
    private @Nullable SliceSizing sizing;

    /** Counts signals: a plan that was asked for before the latest may not know what changed. */
    private int wakes;

    private int wakesPlanned;
    private boolean stopping;
    private @Nullable String failure;

    CampaignLoop(CampaignRun input, int continueAfterEvents) {
        this.campaignId = input.campaignId();
        this.epoch = input.epoch();
        this.pace = input.pace();
        this.continueAfterEvents = continueAfterEvents;
        this.slices = new Slices(campaignId, input.nextSlice(), inbox, this::sliceEnded);
        this.visibility = input.visibility();
        this.observer = new Observer(campaignId, visibility, inbox, this::describe);
    }

    /** Notes that the campaign's row changed; what changed in an epoch before ours is known already. */
    void wake(int raisedEpoch) {
        if (raisedEpoch >= epoch) {
            wakes++;
        }
    }

    /** Notes that a slice only waits for what it has handed out. */
    void sliceEmpty(int number) {
        inbox.post(() -> slices.empty(number));
    }

    CampaignProgress progress() {
        return new CampaignProgress(
                campaignId,
                phase.name(),
                epoch,
                plan == null ? 0 : plan.trialsTotal(),
                plan == null ? 0 : plan.trialsDone(),
                slices.running(),
                slices.done(),
                observer.latest());
    }

    void run() {
        while (phase != Phase.ENDED) {
            if (shouldContinueAsNew()) {
                // A signal that came meanwhile is not lost: the new run plans before it does anything else.
                Workflow.await(Workflow::isEveryHandlerFinished);
                Workflow.continueAsNew(
                        ON_THE_CURRENT_BUILD, new CampaignRun(campaignId, epoch, slices.next(), pace, visibility));
            }
            enter(Phase.PLANNING);
            Plan first = look(0);
            if (failure != null && first.standing() != Standing.MOVED_ON) {
                observer.lookNow();
                throw ApplicationFailure.newNonRetryableFailure(failure, CampaignWorkflow.FAILED);
            }
            switch (first.standing()) {
                case GO -> goOn(first);
                case PAUSED -> waitForWake();
                case MOVED_ON -> adopt(first.epoch());
                case ENDED -> endUnlessWoken();
            }
        }
    }

    /** Has PostgreSQL record that the campaign cannot go on. */
    void giveUp(String reason) {
        stopping = true;
        if (failure == null) {
            failure = reason;
            activities("fail").fail(campaignId, epoch, reason);
        }
    }

    private void goOn(Plan first) {
        if (runRound(first) || stopping) {
            guard.roundEnded();
        } else {
            enter(Phase.AGGREGATING);
            activities("complete").complete(campaignId, epoch);
            // Trials that were added meanwhile keep it from completing, once; the next plan finds them.
            guard.roundEnded();
        }
        giveUpWhenStuck();
    }

    /** Runs everything that is open; answers whether anything was. */
    private boolean runRound(Plan first) {
        enter(Phase.RUNNING);
        observer.watch();
        stopping = false;
        boolean found = !first.slices().isEmpty();
        int next = accept(first, 0);
        while (true) {
            startSlices(next);
            if (!stopping && (wakes != wakesPlanned || (slices.noneQueued() && next < total()))) {
                Plan page = look(next);
                found |= !page.slices().isEmpty();
                next = accept(page, next);
            } else if (slices.running() > 0) {
                Workflow.await(() -> !inbox.isEmpty() || (wakes != wakesPlanned && !stopping));
                inbox.handleAll();
            } else if (slices.noneQueued()) {
                return found;
            }
        }
    }

    /** Queues the slices of a page that was asked for from trial number {@code from}; answers where the next page begins. */
    private int accept(Plan page, int from) {
        if (page.standing() != Standing.GO) {
            stopping = true;
            return from;
        }
        slices.queue(page.slices());
        int next = page.nextOrdinal();
        if (next < page.trialsTotal() && next <= from) {
            throw new IllegalStateException("The plan from trial number " + from + " looked at no trial");
        }
        return next;
    }

    private void startSlices(int next) {
        stopping |= shouldContinueAsNew();
        if (stopping) {
            slices.dropQueued();
        } else if (plan != null && sizing != null) {
            slices.start(plan, epoch, pace, sizing, next < total());
        }
    }

    private void sliceEnded(SliceEnd end) {
        switch (end) {
            case SliceEnd.Finished(SliceResult result) -> {
                stopping |= result.halted();
                pace = pace.plus(result.pace()).weighingAtMost(CELLS_REMEMBERED);
                guard.slice(result.trialsDone(), result.waiting());
            }
            case SliceEnd.Collided(PlanActivities.SlicePlan again) -> slices.queueAgain(again);
            case SliceEnd.Stopped() -> guard.slice(0, false);
            case SliceEnd.Failed(String reason) -> giveUp(reason);
        }
        giveUpWhenStuck();
        describe();
    }

    private void giveUpWhenStuck() {
        if (guard.stuck()) {
            giveUp("No trial was finished in " + ProgressGuard.ROUNDS + " rounds (or " + ProgressGuard.SLICES
                    + " slices) of planning and running, and none waits for the time of a retry. "
                    + "Look for errors in the log of the workers, then resume the campaign.");
        }
    }

    private void waitForWake() {
        guard.reset();
        enter(Phase.WAITING);
        observer.lookNow();
        Workflow.await(() -> wakes != wakesPlanned);
    }

    private void adopt(int raisedEpoch) {
        guard.reset();
        failure = null;
        epoch = raisedEpoch;
    }

    private void endUnlessWoken() {
        observer.lookNow();
        // An operator who asks for something now gets an answer, and what was asked for is done.
        Workflow.await(Workflow::isEveryHandlerFinished);
        if (wakes == wakesPlanned) {
            enter(Phase.ENDED);
        }
    }

    private Plan look(int from) {
        wakesPlanned = wakes;
        Plan answer = activities("plan from trial number " + from).plan(new PlanRequest(campaignId, epoch, from, pace));
        plan = answer;
        if (answer.standing() == Standing.GO) {
            sizing = SliceSizing.of(answer.branches().size(), answer.cellsTotal(), answer.maxConcurrent(), pace);
        }
        return answer;
    }

    private int total() {
        return plan == null ? 0 : plan.trialsTotal();
    }

    /** The history is long, or another build is current. At least one slice has run then, so that no run is for nothing. */
    private boolean shouldContinueAsNew() {
        WorkflowInfo info = Workflow.getInfo();
        return info.isContinueAsNewSuggested()
                || info.getHistoryLength() > continueAfterEvents
                || (info.isTargetWorkerDeploymentVersionChanged() && slices.done() > 0);
    }

    private void enter(Phase entered) {
        phase = entered;
        describe();
    }

    private void describe() {
        Workflow.setCurrentDetails(ProgressText.of(progress(), pace));
    }

    private static PlanActivities activities(String summary) {
        return Workflow.newActivityStub(PlanActivities.class, PlanOptions.of(summary));
    }

    /** What the workflow does; the names are part of the answer to the query {@code progress}. */
    private enum Phase {
        PLANNING,
        RUNNING,
        WAITING,
        AGGREGATING,
        ENDED
    }
}
