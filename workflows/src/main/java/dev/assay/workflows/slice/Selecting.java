package dev.assay.workflows.slice;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.Inbox;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import dev.assay.workflows.slice.TrialActivities.SelectionBatch;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One activity that selects the winners of trials that every branch has answered: of one batch, or of several together. */
final class Selecting {

    private final Slice slice;
    private final String taskQueue;
    private final List<OrdinalRange> trials;
    private final int batches;
    private final @Nullable TrialJudges judges;

    /**
     * @param batches how many batches they are from
     * @param judges the models that read the answers; null: none, or the slice began when they had no activity of their own
     */
    Selecting(Slice slice, String taskQueue, List<OrdinalRange> trials, int batches, @Nullable TrialJudges judges) {
        this.slice = slice;
        this.taskQueue = taskQueue;
        this.trials = List.copyOf(trials);
        this.batches = batches;
        this.judges = judges;
    }

    List<OrdinalRange> trials() {
        return trials;
    }

    int batches() {
        return batches;
    }

    /**
     * Starts the activity; {@code listener} receives its result through the inbox. A failed activity throws its failure there.
     *
     * @param refers whether the slice takes trials on to other queues
     */
    void start(boolean refers, BatchSummary summary, Inbox inbox, TrialBatch.Listener listener) {
        Promise<BatchResult> answer =
                answer(new SelectionBatch(slice.campaignId(), slice.epoch(), trials, refers), summary);
        answer.handle((value, failure) -> {
            inbox.post(() -> listener.selected(this, answer.get()));
            return value;
        });
    }

    private Promise<BatchResult> answer(SelectionBatch input, BatchSummary summary) {
        if (judges == null) {
            TrialActivities selects = activities(BatchOptions.on(taskQueue, summary.selection(trials)));
            return Async.function(selects::selectTrials, input);
        }
        TrialActivities judging = activities(BatchOptions.judging(taskQueue, summary.judging(judges, trials)));
        return Async.function(judging::judgeTrials, input);
    }

    private static TrialActivities activities(ActivityOptions options) {
        return Workflow.newActivityStub(TrialActivities.class, options);
    }
}
