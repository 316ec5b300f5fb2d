package dev.assay.workflows.campaign;

import dev.assay.domain.steering.SteeringVerb;
import dev.assay.workflows.UnexpectedFailure;
import dev.assay.workflows.campaign.SteeringActivities.Steered;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Drives one campaign; see {@link CampaignLoop}. */
public class CampaignWorkflowImpl implements CampaignWorkflow {

    /** Below the 4,096 events at which Temporal suggests it, and less than half of what Temporal warns about. */
    static final int CONTINUE_AFTER_EVENTS = 4_000;

    private final String campaignId;
    private final CampaignLoop loop;

    /** For Temporal, which gives the input before the first signal. */
    @WorkflowInit
    public CampaignWorkflowImpl(CampaignRun input) {
        this(input, CONTINUE_AFTER_EVENTS);
    }

    /** With a limit of its own, for tests of continuing as new. */
    CampaignWorkflowImpl(CampaignRun input, int continueAfterEvents) {
        this.campaignId = input.campaignId();
        this.loop = new CampaignLoop(input, continueAfterEvents);
    }

    @Override
    public void run(CampaignRun input) {
        UnexpectedFailure.surfaced(() -> {
            try {
                loop.run();
            } catch (RuntimeException failure) {
                recordUnlessCancelled(failure);
                throw failure;
            }
            return input;
        });
    }

    private void recordUnlessCancelled(RuntimeException failure) {
        if (!CancellationScope.current().isCancelRequested()) {
            loop.giveUp("The campaign's workflow failed: " + FailureText.of(failure));
        }
    }

    @Override
    public void wake(int epoch, @Nullable String what) {
        loop.wake(epoch);
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

    private Steered steer(SteeringVerb verb, String summary) {
        return told(asked(summary).steer(campaignId, verb));
    }

    private static SteeringActivities asked(String summary) {
        return Workflow.newActivityStub(SteeringActivities.class, PlanOptions.of(summary));
    }

    /** The change is in PostgreSQL: from here on it is as if somebody else had made it there. */
    private Steered told(Steered steered) {
        loop.wake(steered.epoch());
        return steered;
    }

    @Override
    public CampaignProgress progress() {
        return loop.progress();
    }
}
