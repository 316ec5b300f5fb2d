package dev.assay.workflows.campaign;

import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import org.jspecify.annotations.Nullable;

/**
 * Drives one campaign: plans the open cells, runs them in slices, plans again until none is open, then aggregates and gates.
 *
 * <p>PostgreSQL knows what is open; this workflow holds nothing that could not be planned again from there.
 */
@WorkflowInterface
public interface CampaignWorkflow {

    /** The persisted name of the type. */
    String TYPE = "CampaignWorkflow";

    /** The persisted name of {@link #wake}. */
    String SIGNAL_WAKE = "wake";

    /** The persisted name of {@link #progress}. */
    String QUERY_PROGRESS = "progress";

    /** The type of the failure that ends the workflow of a campaign that could not go on. */
    String FAILED = "CAMPAIGN_FAILED";

    /** Runs until no cell is open, the campaign is paused for good, or its epoch has moved on. */
    @WorkflowMethod(name = TYPE)
    void run(CampaignRun input);

    /**
     * Says that the campaign's row changed (resumed, cancelled, limits, more trials): look at it again.
     *
     * @param epoch the campaign's epoch after the change
     * @param what what happened, for people who read the history; null in runs of before it was said
     */
    @SignalMethod(name = SIGNAL_WAKE)
    void wake(int epoch, @Nullable String what);

    /** What the workflow itself knows; PostgreSQL holds the exact counters. */
    @QueryMethod(name = QUERY_PROGRESS)
    CampaignProgress progress();
}
