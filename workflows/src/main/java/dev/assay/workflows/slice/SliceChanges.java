package dev.assay.workflows.slice;

import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import io.temporal.workflow.Workflow;

/**
 * The differences of a slice that began before the code changed: see {@code docs/changing-a-workflow.md}.
 *
 * @param batchRule by which it sizes its batches
 * @param refers whether trials are taken on to the queues of judges that a worker cannot ask
 * @param judges whether trials that models read have an activity of their own
 * @param endsAtStandstill whether it ends when its batches come back for no reason
 */
record SliceChanges(BatchRule batchRule, boolean refers, boolean judges, boolean endsAtStandstill) {

    private static final String REFERRALS = "trials-go-to-their-judges";
    private static final String JUDGES = "judges-have-their-activity";
    private static final String STANDSTILL = "slices-end-at-a-standstill";

    /** Those of the run that asks; to be called before it does anything that depends on them. */
    static SliceChanges ofRun(Slice slice) {
        BatchRule rule = BatchRule.ofRun().where(slice.stops(), slice.judges() != null);
        boolean asksModel = TaskQueues.asksModel(slice.trialQueue());
        return new SliceChanges(
                rule,
                asksModel && began(REFERRALS),
                (asksModel || slice.judges() != null) && began(JUDGES),
                began(STANDSTILL));
    }

    /** Whether the run began after the change. */
    private static boolean began(String change) {
        return Workflow.getVersion(change, Workflow.DEFAULT_VERSION, 1) > Workflow.DEFAULT_VERSION;
    }
}
