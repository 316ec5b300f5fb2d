package dev.assay.workflows.slice;

import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.workflows.Inbox;
import dev.assay.workflows.slice.BranchActivities.BranchBatch;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/** Some trials of a slice that every branch generates at once. */
final class TrialBatch {

    /** The messages of a batch to its slice, through the inbox. A failed activity throws its failure there. */
    interface Listener {

        /** Every branch has answered. */
        void generated(TrialBatch batch, List<BatchResult> answers);

        /** The winners of one or several batches are selected. */
        void selected(Selecting selecting, BatchResult answer);
    }

    private final Slice slice;
    private final BatchSummary summary;
    private final List<OrdinalRange> trials;
    private final Inbox inbox;
    private final Listener listener;

    TrialBatch(Slice slice, BatchSummary summary, List<OrdinalRange> trials, Inbox inbox, Listener listener) {
        this.slice = slice;
        this.summary = summary;
        this.trials = List.copyOf(trials);
        this.inbox = inbox;
        this.listener = listener;
    }

    List<OrdinalRange> trials() {
        return trials;
    }

    /** The cells that it holds while it generates. */
    int cells() {
        return OrdinalRanges.size(trials) * slice.branches().size();
    }

    /** Starts one activity per branch, each on its branch's task queue. */
    void generate() {
        List<Promise<BatchResult>> answers = new ArrayList<>();
        for (BranchRoute branch : slice.branches()) {
            BranchActivities activities = Workflow.newActivityStub(
                    BranchActivities.class,
                    BatchOptions.on(branch.taskQueue(), summary.generation(branch.branchId(), trials)));
            BranchBatch input = new BranchBatch(slice.campaignId(), slice.epoch(), branch.branchIndex(), trials);
            answers.add(Async.function(activities::ensureOutcomes, input));
        }
        Promise<?> all = Promise.allOf(answers);
        all.handle((value, failure) -> {
            inbox.post(() -> {
                all.get();
                listener.generated(this, answers.stream().map(Promise::get).toList());
            });
            return value;
        });
    }
}
