package dev.assay.campaigns.launch;

import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.DeleteWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsResponse;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.client.WorkflowClient;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The histories that Temporal keeps of campaigns and their slices. */
@Singleton
public final class CampaignHistories {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignHistories.class);
    private static final int PAGE = 1_000;
    private static final long DEADLINE_SECONDS = 5;

    private final WorkflowClient client;
    private final CampaignLauncher launcher;

    CampaignHistories(WorkflowClient client, CampaignLauncher launcher) {
        this.client = client;
        this.launcher = launcher;
    }

    /**
     * Deletes Temporal's records of a campaign, and ends runs that still go on. Records that cannot be deleted now go with
     * Temporal's retention.
     */
    public void forget(String campaignId) {
        String id = launcher.workflowId(campaignId);
        String text = id.replace("\\", "\\\\").replace("'", "\\'");
        String query = "WorkflowId = '" + text + "' OR WorkflowId STARTS_WITH '" + text + "/'";
        ListWorkflowExecutionsRequest.Builder request = ListWorkflowExecutionsRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setPageSize(PAGE)
                .setQuery(query);
        try {
            delete(WorkflowExecution.newBuilder().setWorkflowId(id).build());
            ListWorkflowExecutionsResponse page;
            do {
                page = stub().listWorkflowExecutions(request.build());
                page.getExecutionsList().stream()
                        .map(WorkflowExecutionInfo::getExecution)
                        .forEach(this::delete);
                request.setNextPageToken(page.getNextPageToken());
            } while (!page.getNextPageToken().isEmpty());
        } catch (StatusRuntimeException e) {
            LOG.info("Temporal keeps histories of campaign {} for its retention: {}", campaignId, e.getMessage());
        }
    }

    private void delete(WorkflowExecution execution) {
        try {
            var _ = stub().deleteWorkflowExecution(DeleteWorkflowExecutionRequest.newBuilder()
                    .setNamespace(client.getOptions().getNamespace())
                    .setWorkflowExecution(execution)
                    .build());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() != io.grpc.Status.Code.NOT_FOUND) {
                throw e;
            }
        }
    }

    private WorkflowServiceBlockingStub stub() {
        return client.getWorkflowServiceStubs().blockingStub().withDeadlineAfter(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
}
