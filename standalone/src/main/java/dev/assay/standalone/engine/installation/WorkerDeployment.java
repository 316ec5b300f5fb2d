package dev.assay.standalone.engine.installation;

import dev.assay.workflows.campaign.CampaignWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.deployment.v1.RoutingConfig;
import io.temporal.api.deployment.v1.WorkerDeploymentInfo;
import io.temporal.api.enums.v1.WorkerDeploymentVersionStatus;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkerDeploymentRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.SetWorkerDeploymentCurrentVersionRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The builds of an installation as Temporal knows them: its worker deployment. */
final class WorkerDeployment {

    private static final long CALL_SECONDS = 5;
    private static final int PAGE = 100;

    private final WorkflowServiceStubs stubs;
    private final String namespace;
    private final String name;

    WorkerDeployment(WorkflowServiceStubs stubs, String namespace, String name) {
        this.stubs = stubs;
        this.namespace = namespace;
        this.name = name;
    }

    /**
     * The builds.
     *
     * @param current the build that new runs belong to; empty when there is none
     * @param chosen whether it was ever said which build is current, be it none
     * @param inUse builds to which open runs may belong
     */
    record Builds(String current, boolean chosen, Set<String> inUse) {}

    /**
     * The reason why builds cannot be made current here; empty when they can. Temporal checks the permission before it looks at the
     * request, which names nothing and so changes nothing.
     *
     * @throws StatusRuntimeException when Temporal does not answer
     */
    String refusal() {
        try {
            var _ = stub().setWorkerDeploymentCurrentVersion(SetWorkerDeploymentCurrentVersionRequest.newBuilder()
                    .setNamespace(namespace)
                    .build());
            return "";
        } catch (StatusRuntimeException e) {
            return switch (e.getStatus().getCode()) {
                case INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION -> "";
                case UNIMPLEMENTED, PERMISSION_DENIED -> reason(e.getStatus());
                default -> throw e;
            };
        }
    }

    private static String reason(Status status) {
        return status.getDescription() == null ? status.getCode().name() : status.getDescription();
    }

    /**
     * Makes {@code build} the build of new runs. Task queues that its workers do not poll stay as they are.
     *
     * @throws StatusRuntimeException FAILED_PRECONDITION or NOT_FOUND when Temporal has seen no worker of it yet
     */
    void makeCurrent(String build) {
        var _ = stub().setWorkerDeploymentCurrentVersion(SetWorkerDeploymentCurrentVersionRequest.newBuilder()
                .setNamespace(namespace)
                .setDeploymentName(name)
                .setBuildId(build)
                .setIgnoreMissingTaskQueues(true)
                .build());
    }

    /** The builds that Temporal knows; none before the first worker. */
    Builds builds() {
        try {
            return builds(described());
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                return new Builds("", false, Set.of());
            }
            throw e;
        }
    }

    private WorkerDeploymentInfo described() {
        return stub().describeWorkerDeployment(DescribeWorkerDeploymentRequest.newBuilder()
                        .setNamespace(namespace)
                        .setDeploymentName(name)
                        .build())
                .getWorkerDeploymentInfo();
    }

    private static Builds builds(WorkerDeploymentInfo info) {
        RoutingConfig routing = info.getRoutingConfig();
        String current = routing.getCurrentDeploymentVersion().getBuildId();
        return new Builds(
                current,
                !current.isEmpty() || routing.hasCurrentVersionChangedTime(),
                info.getVersionSummariesList().stream()
                        .filter(version -> version.getStatus()
                                != WorkerDeploymentVersionStatus.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED)
                        .map(version -> version.getDeploymentVersion().getBuildId())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Ids of the workflows of campaigns that are open and belong to {@code build}, at most {@value #PAGE} of them. */
    List<String> openCampaigns(String build) {
        String query = "ExecutionStatus = 'Running' AND WorkflowType = '" + CampaignWorkflow.TYPE
                + "' AND TemporalWorkerDeploymentVersion = '" + name + ":" + build + "'";
        // The list may be seconds old.
        return stub()
                .listWorkflowExecutions(ListWorkflowExecutionsRequest.newBuilder()
                        .setNamespace(namespace)
                        .setQuery(query)
                        .setPageSize(PAGE)
                        .build())
                .getExecutionsList()
                .stream()
                .map(listed -> listed.getExecution().getWorkflowId())
                .distinct()
                .filter(workflowId -> belongs(workflowId, build))
                .toList();
    }

    private boolean belongs(String workflowId, String build) {
        WorkflowExecutionInfo run = stub().describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace(namespace)
                        .setExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId))
                        .build())
                .getWorkflowExecutionInfo();
        return run.getStatus() == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING
                && run.getVersioningInfo().getDeploymentVersion().getBuildId().equals(build);
    }

    private WorkflowServiceBlockingStub stub() {
        return stubs.blockingStub().withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }
}
