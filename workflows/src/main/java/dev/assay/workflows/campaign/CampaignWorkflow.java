package dev.assay.workflows.campaign;

import dev.assay.workflows.campaign.SteeringActivities.Steered;
import dev.assay.workflows.delivery.BatchWorkflow;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The workflow of one campaign. It plans the open cells, runs them in slices, plans again until none is open, then aggregates and
 * gates.
 *
 * <p>PostgreSQL holds the open cells; this workflow holds nothing that could not be planned again from there.
 */
@WorkflowInterface
public interface CampaignWorkflow {

    /** The persisted name of the type. */
    String TYPE = "CampaignWorkflow";

    /** The persisted name of {@link #wake}. */
    String SIGNAL_WAKE = "wake";

    /** The persisted name of {@link #pause}. */
    String UPDATE_PAUSE = "pause";

    /** The persisted name of {@link #resume}. */
    String UPDATE_RESUME = "resume";

    /** The persisted name of {@link #cancel}. */
    String UPDATE_CANCEL = "cancel";

    /** The persisted name of {@link #setLimits}. */
    String UPDATE_SET_LIMITS = "setLimits";

    /** The persisted name of {@link #rerun}. */
    String UPDATE_RERUN = "rerun";

    /** The persisted name of {@link #progress}. */
    String QUERY_PROGRESS = "progress";

    /** The type of the failure that ends the workflow of a campaign that could not go on. */
    String FAILED = "CAMPAIGN_FAILED";

    /** Runs until no cell is open, the campaign is paused for good, or its epoch has moved on. */
    @WorkflowMethod(name = TYPE)
    void run(CampaignRun input);

    /**
     * Says that the campaign's row changed (paused, resumed, cancelled, limits, more trials, a re-run): look at it again. The
     * server signals this after each change that it made.
     *
     * @param epoch the campaign's epoch after the change
     * @param what the change, for people who read the history; null in runs from before the field
     */
    @SignalMethod(name = SIGNAL_WAKE, description = "The campaign changed in PostgreSQL: look at it again.")
    void wake(int epoch, @Nullable String what);

    /**
     * Says that a slice of this workflow has handed all its trials to workers and waits for the last of them. The next slice may
     * then start, however long these take, or however late the death of their worker is noticed.
     */
    @SignalMethod(
            name = ParallelEvaluationWorkflow.SIGNAL_EMPTY,
            description = "For slices: all trials are handed out, the next may start.")
    void sliceEmpty(int number);

    /** Says that nothing is out in a provider batch of the campaign any more: its trials can go on. */
    @SignalMethod(
            name = BatchWorkflow.SIGNAL_COLLECTED,
            description = "A batch of a provider has ended: look at the campaign again.")
    void batchCollected(String batchId);

    /** For operators, as are the other updates: they change the campaign in PostgreSQL, as the API does. */
    @UpdateMethod(name = UPDATE_PAUSE, description = "Start nothing new; calls under way are finished.")
    Steered pause();

    /** Resumes a paused campaign. One that has ended has no workflow to ask: resume it by the API or the command line. */
    @UpdateMethod(name = UPDATE_RESUME, description = "Go on with every cell that is open.")
    Steered resume();

    /** Ends the campaign, and this workflow. */
    @UpdateMethod(name = UPDATE_CANCEL, description = "End the campaign; calls under way are aborted.")
    Steered cancel();

    /** Changes limits; those that are not named stay as they are. */
    @UpdateMethod(
            name = UPDATE_SET_LIMITS,
            description = "Change limits: {\"maxConcurrent\": 50, \"budgetUsd\": 20, \"trials\": 5}, or some of these.")
    Steered setLimits(Map<String, Object> limits);

    /** Refuses limits that no campaign could take, before they are in a history. */
    @UpdateValidatorMethod(updateName = UPDATE_SET_LIMITS)
    void validateLimits(Map<String, Object> limits);

    /**
     * Runs cells again that failed or errored, or all of some branches. A campaign that has ended has no workflow to ask: re-run it by the API or the command line.
     *
     * @param cells any of {@code only}, {@code cases}, {@code branches} and {@code whole}; null: all that did not pass
     */
    @UpdateMethod(
            name = UPDATE_RERUN,
            description =
                    "Run cells again that did not pass: {\"only\": \"errored\", \"cases\": [\"france\"]}, or nothing;"
                            + " every cell, passed ones too: {\"whole\": true}.")
    Steered rerun(@Nullable Map<String, Object> cells);

    /** Refuses a re-run that no campaign could take, before it is in a history. */
    @UpdateValidatorMethod(updateName = UPDATE_RERUN)
    void validateRerun(@Nullable Map<String, Object> cells);

    /** The workflow's own state; PostgreSQL holds the exact counters. */
    @QueryMethod(name = QUERY_PROGRESS, description = "Phase, slices, and the latest counters of PostgreSQL.")
    CampaignProgress progress();
}
