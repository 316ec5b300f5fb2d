package dev.assay.workflows.slice;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.plan.OrdinalRange;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** Generation. Runs on the task queue of the branch's provider. */
@ActivityInterface
public interface BranchActivities {

    /**
     * Ensures outcomes for one branch's cells in a batch of trials: claims the open ones, runs them, records each. A finished
     * cell costs nothing. Always returns normally; a cell that must be tried later stays open.
     */
    @ActivityMethod(name = "ensureOutcomes")
    BatchResult ensureOutcomes(BranchBatch batch);

    /**
     * Input.
     *
     * @param branchIndex 0-based
     */
    record BranchBatch(String campaignId, int epoch, int branchIndex, List<OrdinalRange> trials) {

        /** The run that the batch belongs to. */
        public RunKey run() {
            return new RunKey(campaignId, epoch);
        }
    }
}
