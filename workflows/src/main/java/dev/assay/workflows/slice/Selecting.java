package dev.assay.workflows.slice;

import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.Inbox;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import dev.assay.workflows.slice.TrialActivities.SelectionBatch;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;

/** One activity that selects the winners of trials that every branch has answered: of one batch, or of several together. */
final class Selecting {

    private final Slice slice;
    private final String taskQueue;
    private final List<OrdinalRange> trials;
    private final int batches;

    /**
     * @param taskQueue of workers that can select
     * @param trials trials with no open cell
     * @param batches how many batches they are from
     */
    Selecting(Slice slice, String taskQueue, List<OrdinalRange> trials, int batches) {
        this.slice = slice;
        this.taskQueue = taskQueue;
        this.trials = List.copyOf(trials);
        this.batches = batches;
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
        TrialActivities activities =
                Workflow.newActivityStub(TrialActivities.class, BatchOptions.on(taskQueue, summary.selection(trials)));
        SelectionBatch input = new SelectionBatch(slice.campaignId(), slice.epoch(), trials, refers);
        Promise<BatchResult> answer = Async.function(activities::selectTrials, input);
        answer.handle((value, failure) -> {
            inbox.post(() -> listener.selected(this, answer.get()));
            return value;
        });
    }
}
