package dev.assay.workflows.delivery;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * The workflow of one provider batch, {@code batch/{id}}. PostgreSQL holds the state of the batch; this workflow only takes one step
 * after the other, and waits between them.
 */
@WorkflowInterface
public interface BatchWorkflow {

    /** The persisted name of the type. */
    String TYPE = "BatchWorkflow";

    /** The key under which its memo says how far it is. Persisted. */
    String MEMO_PROGRESS = "progress";

    /** The persisted name of {@link #look}. */
    String SIGNAL_LOOK = "look";

    /** The persisted name of the signal by which a campaign learns that nothing is out in a batch any more. */
    String SIGNAL_COLLECTED = "batchCollected";

    /** What it is, in a line for people. */
    static String summary(String provider, String model) {
        return "batch · " + provider + " " + model;
    }

    /**
     * The batch.
     *
     * @param batchId its id
     * @param campaignId whose cells are in it
     * @param queue the task queue of the workers that handle it
     */
    record BatchRun(String batchId, String campaignId, String queue) {}

    /** Runs until nothing is out in the batch any more. */
    @WorkflowMethod(name = TYPE)
    void run(BatchRun input);

    /** Takes the next step now: the batch is to be cancelled or was given up, or somebody wants to know. */
    @SignalMethod(name = SIGNAL_LOOK, description = "Look at the batch now.")
    void look();
}
