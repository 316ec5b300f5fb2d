package dev.assay.workflows.campaign;

import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.workflows.campaign.SteeringActivities.Steered;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The workflow of one campaign; see {@link CampaignLoop}. */
public class CampaignWorkflowImpl implements CampaignWorkflow {

    /** Below the 4,096 events at which Temporal suggests it, and less than half of what Temporal warns about. */
    static final int CONTINUE_AFTER_EVENTS = 4_000;

    /** A slice that hangs delays all others by this time. A slice that works loses little: its calls are finished. */
    static final Duration PATIENCE_WITH_SLICES = Duration.ofMinutes(10);

    private final String campaignId;
    private final Changes changes = new Changes();
    private final CampaignLoop loop;

    /** For Temporal, which gives the input before the first signal. */
    @WorkflowInit
    public CampaignWorkflowImpl(CampaignRun input) {
        this(input, new NextRun(CONTINUE_AFTER_EVENTS, PATIENCE_WITH_SLICES));
    }

    /** With limits of its own, for tests of continuing as new. */
    CampaignWorkflowImpl(CampaignRun input, NextRun nextRun) {
        this.campaignId = input.campaignId();
        this.loop = new CampaignLoop(input, nextRun, changes);
    }

    /**
     * Runs the loop. An exception that is no failure of Temporal's is a defect: it blocks the workflow task until a build without
     * it goes on.
     */
    @Override
    public void run(CampaignRun input) {
        try {
            loop.run();
        } catch (TemporalFailure failure) {
            if (CancellationScope.current().isCancelRequested()) {
                Workflow.newDetachedCancellationScope(this::cancelCampaign).run();
            } else {
                loop.giveUp("The campaign's workflow failed: " + FailureText.of(failure));
            }
            throw failure;
        }
    }

    /** Cancels the campaign, since an operator who cancels its workflow means the campaign. */
    private void cancelCampaign() {
        if (changes.letsGo()) {
            try {
                asked("cancelled in Temporal").steer(campaignId, SteeringVerb.CANCEL);
            } catch (ActivityFailure refused) {
                // The campaign had ended by itself, and stays as it is; the history records it.
                return;
            }
        }
    }

    @Override
    public void wake(int epoch, @Nullable String what) {
        loop.wake(epoch);
    }

    @Override
    public void batchCollected(String batchId) {
        loop.batchCollected();
    }

    @Override
    public void sliceEmpty(int number) {
        loop.sliceEmpty(number);
    }

    @Override
    public Steered pause() {
        return steer(SteeringVerb.PAUSE, CampaignWorkflow.UPDATE_PAUSE);
    }

    @Override
    public Steered resume() {
        return steer(SteeringVerb.RESUME, CampaignWorkflow.UPDATE_RESUME);
    }

    @Override
    public Steered cancel() {
        return steer(SteeringVerb.CANCEL, CampaignWorkflow.UPDATE_CANCEL);
    }

    @Override
    public Steered setLimits(Map<String, Object> limits) {
        return told(asked(CampaignWorkflow.UPDATE_SET_LIMITS).setLimits(campaignId, limits));
    }

    @Override
    public void validateLimits(Map<String, Object> limits) {
        var _ = LimitChange.read(limits);
    }

    @Override
    public Steered rerun(@Nullable Map<String, Object> cells) {
        return told(asked(CampaignWorkflow.UPDATE_RERUN)
                .rerun(campaignId, Objects.requireNonNullElseGet(cells, TreeMap::new)));
    }

    @Override
    public void validateRerun(@Nullable Map<String, Object> cells) {
        if (cells != null) {
            var _ = Rerun.read(cells);
        }
    }

    private Steered steer(SteeringVerb verb, String summary) {
        return told(asked(summary).steer(campaignId, verb));
    }

    private static SteeringActivities asked(String summary) {
        return Workflow.newActivityStub(SteeringActivities.class, PlanOptions.of(summary));
    }

    /** Notes a change that is in PostgreSQL, as if another client had made it there. */
    private Steered told(Steered steered) {
        loop.wake(steered.epoch());
        return steered;
    }

    @Override
    public CampaignProgress progress() {
        return loop.progress();
    }
}
