package dev.assay.workflows.slice;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of one slice. It cuts the slice into batches of trials. Each batch has one branch activity per branch, all at once,
 * then one trial activity that selects the winners and records the trials. It is {@code judgeTrials} where models read answers, else
 * {@code selectTrials}. The slice starts at most {@link #MAX_ACTIVITIES} activities.
 */
@WorkflowInterface
public interface ParallelEvaluationWorkflow {

    /** The persisted name of the type. */
    String TYPE = "ParallelEvaluationWorkflow";

    /** The persisted name of the signal to the campaign that a slice has handed out all its trials; it takes the slice's number. */
    String SIGNAL_EMPTY = "sliceEmpty";

    /** Keeps a history far below Temporal's limits: 3 events an activity and at most 3 a workflow task. */
    int MAX_ACTIVITIES = 500;

    /** Runs the slice; the campaign plans open trials again. */
    @WorkflowMethod(name = TYPE)
    SliceResult run(Slice slice);

    /**
     * Input.
     *
     * @param number the slice's number in the epoch
     * @param trials open trials, ascending
     * @param labels see {@link dev.assay.workflows.campaign.PlanActivities.SlicePlan}
     * @param branches each branch with its task queue, in order
     * @param trialQueue the task queue on which selections are made
     * @param maxConcurrent calls in flight that the campaign allows
     * @param window cells that this slice may have in branch activities at once, at least 1
     * @param judges the models that read the answers of trials; null: none, or the slice was planned before there was this field
     * @param stops whether the campaign may stop before its last trial
     */
    record Slice(
            String campaignId,
            int epoch,
            int number,
            List<OrdinalRange> trials,
            Map<Integer, String> labels,
            List<BranchRoute> branches,
            String trialQueue,
            int cellsTotal,
            int maxConcurrent,
            int window,
            Pace pace,
            @Nullable TrialJudges judges,
            boolean stops) {}

    /**
     * The route of a branch.
     *
     * @param branchIndex 0-based
     */
    record BranchRoute(int branchIndex, String branchId, String taskQueue) {}

    /**
     * Result.
     *
     * @param halted whether the campaign was paused, cancelled or restarted meanwhile
     * @param waiting whether trials were left open for want of activities while they waited for the time of a retry
     * @param trialsOut trials whose judges or graders are asked in a batch of their provider next; 0 in histories that were recorded
     *     before there was this field
     */
    record SliceResult(int trialsDone, boolean halted, boolean waiting, Pace pace, int trialsOut) {

        /** A result without trials that are out. */
        public SliceResult(int trialsDone, boolean halted, boolean waiting, Pace pace) {
            this(trialsDone, halted, waiting, pace, 0);
        }
    }
}
