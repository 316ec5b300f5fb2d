package dev.assay.workflows.campaign;

import dev.assay.domain.campaign.StoreMark;
import dev.assay.workflows.Inbox;
import dev.assay.workflows.campaign.PlanActivities.Plan;
import dev.assay.workflows.campaign.PlanActivities.PlanRequest;
import dev.assay.workflows.campaign.PlanActivities.Standing;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import dev.assay.workflows.slice.SliceSizing;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a campaign: plan what is open, run it in slices, plan again until nothing is open, complete.
 *
 * <p>A round begins with a plan from the first trial and ends when everything that was planned has run. An unexpected event stops
 * the round: no further slice starts, running ones are cancelled, and the next plan says how to go on.
 */
final class CampaignLoop {

    /** The speed of the latest cells counts, not that of hours ago: the past weighs at most as much as this many cells. */
    static final long CELLS_REMEMBERED = 500;

    private static final String CHANGE_LATE_WAKES = "late-wakes";

    private final String campaignId;
    private final NextRun nextRun;
    private final Changes changes;
    private final Inbox inbox = new Inbox();
    private final Slices slices;
    private final Batches batches;
    private final ProgressGuard guard = new ProgressGuard();
    private final Visibility visibility;
    private final KnownAttributes attributes;
    private final Observer observer;

    private Phase phase = Phase.PLANNING;
    private int epoch;
    private Pace pace;
    /** The newest mark: with it the next plan finds out whether PostgreSQL went back to an earlier state. */
    private @Nullable StoreMark seen;

    private @Nullable Plan plan;
    private @Nullable SliceSizing sizing;

    /** The number of signals: a plan that was asked for before the latest one may not know the change. */
    private int wakes;

    private int wakesPlanned;
    private boolean stopping;
    private @Nullable String failure;

    CampaignLoop(CampaignRun input, NextRun nextRun, Changes changes) {
        this.campaignId = input.campaignId();
        this.epoch = input.epoch();
        this.pace = input.pace();
        this.nextRun = nextRun;
        this.changes = changes;
        this.slices = new Slices(campaignId, input.nextSlice(), inbox, this::sliceEnded, changes);
        this.visibility = input.visibility();
        this.seen = input.seen();
        this.attributes = new KnownAttributes(visibility, changes);
        this.batches = new Batches(attributes);
        this.observer = new Observer(input, attributes, inbox, this::describe);
    }

    /** Notes that the campaign's row changed. */
    void wake(int raisedEpoch) {
        // An epoch before ours: a signal that came late, or PostgreSQL was restored. Only a plan can tell.
        if (raisedEpoch >= epoch || Workflow.getVersion(CHANGE_LATE_WAKES, Workflow.DEFAULT_VERSION, 1) >= 1) {
            wakes++;
        }
    }

    /** Notes that nothing is out in a provider batch any more. */
    void batchCollected() {
        wakes++;
    }

    /** Notes that a slice waits only for trials that it has handed out. */
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
        changes.look();
        while (phase != Phase.ENDED) {
            if (nextRun.isDue(slices.done())) {
                nextRun.begin(new CampaignRun(campaignId, epoch, slices.next(), pace, visibility, seen));
            }
            enter(Phase.PLANNING);
            Plan first = enlisted(look(0));
            if (failure != null && first.standing() != Standing.MOVED_ON) {
                observer.lookNow();
                throw ApplicationFailure.newNonRetryableFailure(failure, CampaignWorkflow.FAILED);
            }
            attributes.begin(campaignId, first);
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
        stop();
        if (failure == null) {
            failure = reason;
            activities("fail").fail(campaignId, epoch, reason);
        }
    }

    private void goOn(Plan first) {
        if (runRound(first) || stopping) {
            guard.roundEnded();
        } else if (plan != null && plan.held()) {
            awaitBatches();
        } else {
            enter(Phase.AGGREGATING);
            activities("complete").complete(campaignId, epoch);
            // Trials that were added meanwhile keep it from completing, once; the next plan finds them.
            guard.roundEnded();
        }
        giveUpWhenStuck();
    }

    /** Runs everything that is open. True when anything was. */
    private boolean runRound(Plan first) {
        enter(Phase.RUNNING);
        observer.watch();
        stopping = false;
        boolean found = !first.slices().isEmpty();
        int next = accept(first, 0);
        while (true) {
            if (changes.letsGo()) {
                // However often the campaign changes, it handles the messages of its slices.
                inbox.handleAll();
            }
            startSlices(next);
            if (stopping && slices.running() == 0) {
                return found;
            } else if (wasTold() || (!stopping && slices.noneQueued() && next < total())) {
                Plan page = look(next);
                found |= !page.slices().isEmpty();
                next = accept(page, next);
            } else if (slices.running() > 0) {
                Workflow.await(() -> !inbox.isEmpty() || wasTold());
                inbox.handleAll();
            } else if (slices.noneQueued()) {
                return found;
            }
        }
    }

    /** Whether the campaign changed since the latest plan. A run from before slices were cancelled asks when its round is over. */
    private boolean wasTold() {
        return wakes != wakesPlanned && (!stopping || changes.letsGo());
    }

    /** Queues the slices of a page that was asked for from trial number {@code from}; answers where the next page begins. */
    private int accept(Plan page, int from) {
        if (page.standing() != Standing.GO) {
            stop();
            return from;
        }
        slices.queue(page.slices());
        int next = page.nextOrdinal();
        if (next < page.trialsTotal() && next <= from) {
            // The plan is in the recorded history: no later build could go on with it.
            throw ApplicationFailure.newNonRetryableFailure(
                    "The plan from trial number " + from + " looked at no trial", CampaignWorkflow.FAILED);
        }
        return next;
    }

    private void startSlices(int next) {
        if (!stopping && nextRun.isDue(slices.done())) {
            stopping = true;
            slices.letGoAfter(nextRun.patience());
        }
        if (stopping) {
            slices.dropQueued();
        } else if (plan != null && sizing != null) {
            slices.start(plan, epoch, pace, sizing, next < total());
        }
    }

    private void sliceEnded(SliceEnd end) {
        switch (end) {
            case SliceEnd.Finished(SliceResult result) -> {
                if (result.halted()) {
                    stop();
                }
                pace = pace.plus(result.pace()).weighingAtMost(CELLS_REMEMBERED);
                guard.slice(result.trialsDone() + result.trialsOut(), result.waiting());
            }
            case SliceEnd.Collided(PlanActivities.SlicePlan again) -> slices.queueAgain(again);
            case SliceEnd.Stopped() -> {
                if (changes.letsGo()) {
                    guard.sliceStopped();
                } else {
                    guard.slice(0, false);
                }
            }
            case SliceEnd.Failed(String reason) -> giveUp(reason);
        }
        giveUpWhenStuck();
        describe();
    }

    /** Ends the round: running slices are of no use to the campaign as it is now. */
    private void stop() {
        stopping = true;
        slices.letGo();
    }

    private void giveUpWhenStuck() {
        if (guard.stuck()) {
            giveUp("No trial was finished in " + ProgressGuard.ROUNDS + " rounds (or " + ProgressGuard.SLICES
                    + " slices) of planning and running, and none waits for the time of a retry. "
                    + "Look for errors in the log of the workers, then resume the campaign.");
        }
    }

    /** Puts open cells into batches of their providers first, where the campaign wants that: slices take what is left. */
    private Plan enlisted(Plan first) {
        if (first.standing() != Standing.GO || first.deliveries().isEmpty()) {
            return first;
        }
        return batches.enlist(campaignId, epoch, first) ? look(0) : first;
    }

    /** Nothing can run before a batch of a provider has ended. */
    private void awaitBatches() {
        guard.reset();
        enter(Phase.WAITING);
        observer.watch();
        batches.await(inbox, () -> wakes != wakesPlanned);
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
        // An operator's update that arrives now gets an answer, and its change is made.
        Workflow.await(Workflow::isEveryHandlerFinished);
        if (wakes == wakesPlanned) {
            enter(Phase.ENDED);
        }
    }

    private Plan look(int from) {
        wakesPlanned = wakes;
        Plan answer =
                activities("plan from trial number " + from).plan(new PlanRequest(campaignId, epoch, from, pace, seen));
        seen = answer.mark() == null ? seen : answer.mark();
        plan = answer;
        if (answer.standing() == Standing.GO) {
            sizing = SliceSizing.of(
                    changes.batchRule().where(answer.stops(), answer.judges() != null),
                    answer.branches().size(),
                    answer.cellsTotal(),
                    answer.maxConcurrent(),
                    pace);
        }
        return answer;
    }

    private int total() {
        return plan == null ? 0 : plan.trialsTotal();
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

    /** The phase of the workflow; the names are part of the answer to the query {@code progress}. */
    private enum Phase {
        PLANNING,
        RUNNING,
        WAITING,
        AGGREGATING,
        ENDED
    }
}
