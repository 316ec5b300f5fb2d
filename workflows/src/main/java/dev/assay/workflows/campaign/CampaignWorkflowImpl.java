package dev.assay.workflows.campaign;

import dev.assay.workflows.UnexpectedFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.WorkflowInit;
import org.jspecify.annotations.Nullable;

/** Drives one campaign; see {@link CampaignLoop}. */
public class CampaignWorkflowImpl implements CampaignWorkflow {

    /** Below the 4,096 events at which Temporal suggests it, and less than half of what Temporal warns about. */
    static final int CONTINUE_AFTER_EVENTS = 4_000;

    private final CampaignLoop loop;

    /** For Temporal, which gives the input before the first signal. */
    @WorkflowInit
    public CampaignWorkflowImpl(CampaignRun input) {
        this(input, CONTINUE_AFTER_EVENTS);
    }

    /** With a limit of its own, for tests of continuing as new. */
    CampaignWorkflowImpl(CampaignRun input, int continueAfterEvents) {
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
    public CampaignProgress progress() {
        return loop.progress();
    }
}
