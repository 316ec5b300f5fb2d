package dev.assay.workflows.slice;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.plan.OrdinalRange;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** Selection. Runs on the task queue of a judge's provider, of the custom strategy, or on the orchestration queue. */
@ActivityInterface
public interface TrialActivities {

    /**
     * Selects the winner of each trial of a batch whose cells are all closed, and records it. A recorded trial costs nothing.
     * Always returns normally; a trial whose judge must be asked later stays open.
     */
    @ActivityMethod(name = "selectTrials")
    BatchResult selectTrials(SelectionBatch batch);

    /**
     * The same for a batch of which models read answers: graders, judges, or those that a custom strategy asks. An activity of its own
     * shows in Temporal what a trial waits for. Its heartbeats count the calls.
     */
    @ActivityMethod(name = "judgeTrials")
    BatchResult judgeTrials(SelectionBatch batch);

    /**
     * Input.
     *
     * @param refers whether the workflow takes trials on to the queues of judges that the worker cannot ask. Workflows that began before
     *     there was this field do not; the activity then fails on such a worker
     */
    record SelectionBatch(String campaignId, int epoch, List<OrdinalRange> trials, boolean refers) {

        /** The run that the batch belongs to. */
        public RunKey run() {
            return new RunKey(campaignId, epoch);
        }
    }
}
