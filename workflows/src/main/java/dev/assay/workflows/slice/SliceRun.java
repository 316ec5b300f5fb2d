package dev.assay.workflows.slice;

import static java.util.Objects.requireNonNullElse;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.workflows.Inbox;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One run of a slice: keeps the window full of batches until every trial is done, or nothing more may be started. */
final class SliceRun implements TrialBatch.Listener {

    private final Slice slice;
    private final SliceChanges changes;
    private final SliceLimits limits;
    private final TrialQueue queue;
    private final BatchSummary summary;
    private final Inbox inbox = new Inbox();
    private final WakeUps wakeUps = new WakeUps(inbox);
    private final Standstill standstill;

    /** Activities started, and one for each batch whose selection is still to come. */
    private int activities;

    private int batches;
    private int cells;

    /** Trials that every branch has answered and that are not being selected yet, and how many batches they are from. */
    private final SortedSet<Integer> unselected = new TreeSet<>();

    private int unselectedBatches;
    private int trialsDone;
    private int trialsOut;
    private boolean halted;
    private boolean waited;
    private boolean saidEmpty;
    private Pace measured = Pace.UNKNOWN;

    SliceRun(Slice slice) {
        if (slice.branches().size() >= ParallelEvaluationWorkflow.MAX_ACTIVITIES) {
            throw ApplicationFailure.newNonRetryableFailure(
                    "A campaign may have at most " + (ParallelEvaluationWorkflow.MAX_ACTIVITIES - 1)
                            + " branches, this one has " + slice.branches().size(),
                    "TOO_MANY_BRANCHES");
        }
        this.slice = slice;
        this.changes = SliceChanges.ofRun(slice);
        this.limits = new SliceLimits(slice, changes.batchRule());
        this.standstill = new Standstill(changes.endsAtStandstill());
        this.queue = queue(slice);
        this.summary = new BatchSummary(slice.labels());
    }

    /** The queue of a slice's trials. Wrong input is in the recorded history: no later build could go on with it. */
    private static TrialQueue queue(Slice slice) {
        try {
            return new TrialQueue(slice.trials());
        } catch (IllegalArgumentException e) {
            throw ApplicationFailure.newNonRetryableFailureWithCause(
                    "The slice cannot be run: " + e.getMessage(), "INVALID_SLICE", e);
        }
    }

    SliceResult run() {
        startBatches();
        while (batches > 0 || mayStartLater()) {
            sayEmpty();
            askToBeWoken();
            Workflow.await(() -> !inbox.isEmpty());
            // A failed activity throws here, at once, however long other batches take. No retry mends it: the campaign
            // fails, and workers stop what it has in flight.
            inbox.handleAll();
            startBatches();
            selectWhenDue();
        }
        return new SliceResult(trialsDone, halted, waited && !queue.isEmpty(), measured, trialsOut);
    }

    /** Signals the campaign, once, that all trials are handed out. Trials that come back later are still this slice's. */
    private void sayEmpty() {
        if (saidEmpty || !queue.isEmpty() || halted) {
            return;
        }
        saidEmpty = true;
        // Not awaited: a campaign that has ended or moved on does not need it.
        Workflow.getInfo()
                .getParentWorkflowId()
                .map(Workflow::newUntypedExternalWorkflowStub)
                .ifPresent(campaign -> Async.procedure(
                        () -> campaign.signal(ParallelEvaluationWorkflow.SIGNAL_EMPTY, slice.number())));
    }

    private void startBatches() {
        if (batches == 0) {
            standstill.settled(Workflow.currentTimeMillis());
        }
        while (mayStart() && !isHeld()) {
            int trials = limits.batchTrials(measured, queue.due(Workflow.currentTimeMillis()));
            if (trials == 0 || !limits.fits(measured, cells, trials)) {
                return;
            }
            start(queue.take(trials, Workflow.currentTimeMillis()));
        }
    }

    private void start(List<OrdinalRange> trials) {
        TrialBatch batch = new TrialBatch(slice, summary, trials, inbox, this);
        activities += limits.activitiesPerBatch();
        batches++;
        cells += batch.cells();
        batch.generate();
    }

    private boolean mayStart() {
        return !halted
                && !standstill.isReached()
                && activities + limits.activitiesPerBatch() <= ParallelEvaluationWorkflow.MAX_ACTIVITIES;
    }

    /** Whether it is too early for a batch, since those before came back for no reason. */
    private boolean isHeld() {
        return standstill.isSuspected() && (batches > 0 || Workflow.currentTimeMillis() < standstill.nextTryMs());
    }

    private boolean mayStartLater() {
        return mayStart() && !queue.isEmpty();
    }

    /** Sets a timer for the next trial that must wait, unless another event will free the room that it needs. */
    private void askToBeWoken() {
        if (!mayStart() || !limits.fits(measured, cells, 1)) {
            return;
        }
        if (isHeld()) {
            if (batches == 0) {
                wakeUps.at(standstill.nextTryMs());
            }
        } else if (queue.due(Workflow.currentTimeMillis()) == 0) {
            queue.nextDueMs().ifPresent(wakeUps::at);
        }
    }

    @Override
    public void generated(TrialBatch batch, List<BatchResult> results) {
        cells -= batch.cells();
        results.forEach(this::note);
        standstill.note(results);
        SortedSet<Integer> closed = trials(batch.trials());
        closed.removeAll(handBack(closed, results));
        if (closed.isEmpty() || halted) {
            activities--;
            batches--;
        } else if (isRead(closed, results)) {
            startSelecting(slice.trialQueue(), OrdinalRanges.of(closed), 1, judges());
        } else {
            unselected.addAll(closed);
            unselectedBatches++;
            if (limits.selectsAtOnce()) {
                select();
            }
        }
    }

    /** Whether enough branches have answered one of the trials for a model to read it. */
    private boolean isRead(SortedSet<Integer> closed, List<BatchResult> results) {
        TrialJudges judges = judges();
        if (judges == null) {
            return false;
        }
        TreeMap<Integer, Integer> answers = new TreeMap<>();
        closed.forEach(trial -> answers.put(trial, results.size()));
        results.forEach(result -> trials(result.unanswered())
                .forEach(trial -> answers.computeIfPresent(trial, (unanswered, branches) -> branches - 1)));
        return answers.values().stream().anyMatch(branches -> branches >= judges.fewestAnswers());
    }

    /** The models that read answers; null where they have no activity of their own. */
    private @Nullable TrialJudges judges() {
        return changes.judges() ? requireNonNullElse(slice.judges(), TrialJudges.UNNAMED) : null;
    }

    /** Selects generated trials when they are enough for an activity, or when no more will come for now. */
    private void selectWhenDue() {
        if (halted) {
            // They are open in PostgreSQL and will be planned again.
            batches -= unselectedBatches;
            unselectedBatches = 0;
            unselected.clear();
        } else if (!unselected.isEmpty()
                && (unselectedBatches == batches || unselected.size() >= limits.selectionTrials(measured))) {
            select();
        }
    }

    private void select() {
        // One activity was counted for each of the batches.
        activities -= unselectedBatches - 1;
        startSelecting(slice.trialQueue(), OrdinalRanges.of(unselected), unselectedBatches, null);
        unselected.clear();
        unselectedBatches = 0;
    }

    private void startSelecting(
            String taskQueue, List<OrdinalRange> trials, int ofBatches, @Nullable TrialJudges judges) {
        new Selecting(slice, taskQueue, trials, ofBatches, judges).start(changes.refers(), summary, inbox, this);
    }

    @Override
    public void selected(Selecting selecting, BatchResult result) {
        batches -= selecting.batches();
        note(result);
        SortedSet<Integer> done = trials(selecting.trials());
        result.referrals().forEach(referral -> done.removeAll(refer(referral)));
        done.removeAll(handBack(done, List.of(result)));
        SortedSet<Integer> out = trials(result.out());
        out.retainAll(done);
        done.removeAll(out);
        trialsOut += out.size();
        trialsDone += done.size();
        if (done.isEmpty() && out.isEmpty() && result.referrals().isEmpty()) {
            standstill.note(List.of(result));
        } else {
            standstill.moved();
        }
    }

    /** Has trials selected by workers that can ask their next judge. Returns these trials; none when nothing more is started. */
    private Set<Integer> refer(BatchResult.Referral referral) {
        if (halted || activities >= ParallelEvaluationWorkflow.MAX_ACTIVITIES) {
            return new TreeSet<>();
        }
        activities++;
        batches++;
        startSelecting(referral.taskQueue(), referral.trials(), 1, judges());
        return trials(referral.trials());
    }

    private static SortedSet<Integer> trials(List<OrdinalRange> ranges) {
        return OrdinalRanges.ordinals(ranges).boxed().collect(Collectors.toCollection(TreeSet::new));
    }

    private void note(BatchResult result) {
        halted |= result.halted();
        measured = measured.plus(result.pace());
    }

    /** Puts the open trials of {@code batch} back, each for the time of its last cell. Returns them. */
    private Set<Integer> handBack(Set<Integer> batch, List<BatchResult> results) {
        TreeMap<Integer, Long> dueMs = new TreeMap<>();
        long now = Workflow.currentTimeMillis();
        for (BatchResult result : results) {
            SortedSet<Integer> open = trials(result.open());
            open.retainAll(batch);
            waited |= !open.isEmpty() && result.waits();
            open.forEach(trial -> dueMs.merge(trial, SliceLimits.dueMs(now, result.retryAfterMs()), Math::max));
        }
        dueMs.forEach(queue::handBack);
        return dueMs.keySet();
    }
}
