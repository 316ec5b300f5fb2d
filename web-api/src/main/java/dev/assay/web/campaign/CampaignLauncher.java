package dev.assay.web.campaign;

import dev.assay.store.campaign.StoredCampaign;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Starts the workflows of campaigns and talks to them. */
@Singleton
public final class CampaignLauncher {

    /** Temporal refuses a summary of more than 400 bytes, its JSON quotes included. */
    private static final int SUMMARY_BYTES = 380;

    private final WorkflowClient client;

    CampaignLauncher(WorkflowClient client) {
        this.client = client;
    }

    /** Starts the campaign's workflow, unless it is running. */
    public void start(StoredCampaign campaign) {
        TemporalDeadline.within(() -> stub(campaign).start(CampaignRun.start(campaign.id(), campaign.epoch())));
    }

    /** Tells the campaign's workflow that the campaign's row changed; starts it when it is not running. */
    public void wake(StoredCampaign campaign) {
        Object[] signal = {campaign.epoch()};
        Object[] run = {CampaignRun.start(campaign.id(), campaign.epoch())};
        TemporalDeadline.within(() -> stub(campaign).signalWithStart(CampaignWorkflow.SIGNAL_WAKE, signal, run));
    }

    /** Tells the campaign's workflow that the campaign's row changed, if it is running. */
    public void tell(StoredCampaign campaign) {
        try {
            WorkflowStub workflow = client.newUntypedWorkflowStub(WorkflowIds.campaign(campaign.id()));
            TemporalDeadline.within(() -> {
                workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.epoch());
                return campaign;
            });
        } catch (WorkflowNotFoundException e) {
            // Nobody is there who would need to know.
        }
    }

    /** How the latest run of the campaign's workflow stands; empty when Temporal knows of none. */
    public Optional<WorkflowExecutionStatus> status(String campaignId) {
        try {
            WorkflowStub workflow = client.newUntypedWorkflowStub(WorkflowIds.campaign(campaignId));
            return Optional.of(TemporalDeadline.within(workflow::describe).getStatus());
        } catch (WorkflowNotFoundException e) {
            return Optional.empty();
        }
    }

    private WorkflowStub stub(StoredCampaign campaign) {
        return client.newUntypedWorkflowStub(
                CampaignWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                        .setWorkflowId(WorkflowIds.campaign(campaign.id()))
                        .setTaskQueue(TaskQueues.ORCHESTRATION)
                        // A campaign that ended is resumed, run again and extended under its id.
                        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                        .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                        .setStaticSummary(cut(campaign.name() + " · " + campaign.suiteName()))
                        .setStaticDetails(details(campaign))
                        .build());
    }

    private static String details(StoredCampaign campaign) {
        return """
            Campaign `%s`: %d cases × %d trials × %d branches, strategy %s.
            """.formatted(
                        campaign.id(),
                        campaign.caseCount(),
                        campaign.trials(),
                        campaign.definition().branches().size(),
                        campaign.definition().strategy().type());
    }

    private static String cut(String summary) {
        String cut = summary;
        while (cut.getBytes(StandardCharsets.UTF_8).length > SUMMARY_BYTES) {
            cut = cut.substring(0, cut.offsetByCodePoints(cut.length(), -1));
        }
        return cut;
    }
}
