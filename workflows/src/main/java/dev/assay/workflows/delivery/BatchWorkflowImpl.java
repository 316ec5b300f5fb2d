package dev.assay.workflows.delivery;

import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.delivery.BatchActivities.Step;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.ExternalWorkflowStub;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Collections;

/** The workflow of one provider batch. */
public class BatchWorkflowImpl implements BatchWorkflow {

    /** Reading or writing 50,000 lines of a slow provider; meanwhile the activity says that it lives. */
    private static final Duration STEP = Duration.ofHours(6);

    private static final Duration HEARTBEAT = Duration.ofSeconds(60);
    private static final Duration SLOWEST_RETRY = Duration.ofMinutes(1);

    private boolean looks;
    private String shown = "";

    @Override
    public void run(BatchRun input) {
        // Asked once: runs from before have no memo in their history.
        boolean hasMemo = Workflow.getVersion("show-batch-in-memo", Workflow.DEFAULT_VERSION, 1) == 1;
        // A step is taken by the row's state, so that a step that is taken again does nothing twice.
        BatchActivities activities = Workflow.newActivityStub(
                BatchActivities.class,
                ActivityOptions.newBuilder()
                        .setTaskQueue(NamePrefix.ofThisWorkflow().on(input.queue()))
                        .setStartToCloseTimeout(STEP)
                        .setHeartbeatTimeout(HEARTBEAT)
                        .setRetryOptions(RetryOptions.newBuilder()
                                .setMaximumInterval(SLOWEST_RETRY)
                                .build())
                        .setSummary("next step of the batch")
                        .build());
        while (true) {
            looks = false;
            Step step = activities.advance(input.batchId());
            show(step.text(), hasMemo);
            if (step.done()) {
                tell(input);
                return;
            }
            if (step.waitMs() > 0) {
                // Left to fire: cancelling it would add to the history.
                Promise<Void> next = Workflow.newTimer(Duration.ofMillis(step.waitMs()));
                Workflow.await(() -> looks || next.isCompleted());
            }
            if (Workflow.getInfo().isContinueAsNewSuggested()) {
                Workflow.continueAsNew(input);
            }
        }
    }

    private void show(String text, boolean hasMemo) {
        Workflow.setCurrentDetails(text);
        if (hasMemo && !shown.equals(text)) {
            Workflow.upsertMemo(Collections.singletonMap(MEMO_PROGRESS, text));
            shown = text;
        }
    }

    @Override
    public void look() {
        looks = true;
    }

    /** Tells the campaign that its trials may go on. One that was cancelled has no workflow any more. */
    private static void tell(BatchRun input) {
        ExternalWorkflowStub campaign = Workflow.newUntypedExternalWorkflowStub(
                NamePrefix.ofThisWorkflow().on(WorkflowIds.campaign(input.campaignId())));
        try {
            campaign.signal(SIGNAL_COLLECTED, input.batchId());
        } catch (ApplicationFailure gone) {
            return;
        }
    }
}
