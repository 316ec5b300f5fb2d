package dev.assay.workflows.campaign;

import io.temporal.common.InitialVersioningBehavior;
import io.temporal.common.SearchAttributes;
import io.temporal.workflow.ContinueAsNewOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Duration;

/**
 * The time and way in which a run of a campaign's workflow continues as new.
 *
 * @param events of history after which it starts nothing more
 * @param patience how long it then waits for slices
 */
record NextRun(int events, Duration patience) {

    /**
     * A run belongs to the build that began it (decision 0020); the next one to the build that is current then. Temporal refuses to carry
     * over a search attribute that its namespace has lost; the new run sets those that there are.
     */
    private static final ContinueAsNewOptions ON_THE_CURRENT_BUILD = ContinueAsNewOptions.newBuilder()
            .setInitialVersioningBehavior(InitialVersioningBehavior.AUTO_UPGRADE)
            .setTypedSearchAttributes(SearchAttributes.EMPTY)
            .build();

    /** The history is long, or another build is current. At least one slice has run then, so that no run is for nothing. */
    boolean isDue(int slicesDone) {
        WorkflowInfo info = Workflow.getInfo();
        return info.isContinueAsNewSuggested()
                || info.getHistoryLength() > events
                || (info.isTargetWorkerDeploymentVersionChanged() && slicesDone > 0);
    }

    /** Ends the calling run, and begins one with {@code input}. */
    void begin(CampaignRun input) {
        // A signal that came meanwhile is not lost: the new run plans before it does anything else.
        Workflow.await(Workflow::isEveryHandlerFinished);
        Workflow.continueAsNew(ON_THE_CURRENT_BUILD, input);
    }
}
