package dev.assay.campaigns.launch;

import dev.assay.domain.campaign.ExpectedCell;
import dev.assay.domain.health.EndInTemporal;
import dev.assay.domain.health.HealthFacts;
import dev.assay.domain.text.Utf8;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.Visibility;
import dev.assay.workflows.slice.Pace;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionResponse;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The starter of campaigns' workflows, which also signals them. */
@Singleton
public final class CampaignLauncher {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignLauncher.class);

    /** Temporal refuses a summary of more than 400 bytes, its JSON quotes included. */
    private static final int SUMMARY_BYTES = 380;

    private static final long PROBE_MS = 500;

    private static final int MAX_WAKES = 5;

    /** A task that failed more often fails because of a defect, not of a lost worker. */
    private static final int MOST_ATTEMPTS = 3;

    private final WorkflowClient client;
    private final WorkerRepository workers;
    private final Visibility visibility;
    private final NamePrefix prefix;

    /**
     * Over a namespace.
     *
     * @param workers says which queues are polled
     * @param visibility the search attributes that the namespace takes; null: unknown, so none
     * @param prefix of the names there; null: none
     */
    public CampaignLauncher(
            WorkflowClient client,
            WorkerRepository workers,
            @Nullable Visibility visibility,
            @Nullable NamePrefix prefix) {
        this.client = client;
        this.workers = workers;
        this.prefix = prefix == null ? NamePrefix.NONE : prefix;
        this.visibility = visibility == null ? Visibility.OBSERVED : visibility;
    }

    /** The id of the campaign's workflow in Temporal. */
    public String workflowId(String campaignId) {
        return prefix.on(WorkflowIds.campaign(campaignId));
    }

    /** Starts the campaign's workflow, unless it is running, or the answers that it scores are still being copied. */
    public void start(StoredCampaign campaign) {
        start(campaign, WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING);
    }

    /** Starts the campaign's workflow in place of the one that is running, in one step: its slices end with it. */
    public void replace(StoredCampaign campaign) {
        start(campaign, WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING);
    }

    private void start(StoredCampaign campaign, WorkflowIdConflictPolicy running) {
        if (campaign.awaitsAnswers()) {
            return;
        }
        CampaignRun run = firstRun(campaign);
        TemporalDeadline.within(() -> stub(campaign, running).start(run));
    }

    private CampaignRun firstRun(StoredCampaign campaign) {
        OptionalDouble seconds = ExpectedCell.seconds(campaign.definition());
        Pace expected = seconds.isPresent() ? new Pace(1, seconds.getAsDouble()) : Pace.UNKNOWN;
        return CampaignRun.start(campaign.id(), campaign.epoch(), expected, visibility);
    }

    /** Starts the workflow of a new campaign. If Temporal does not answer now, the reconciler starts it as soon as Temporal answers. */
    public void startSoon(StoredCampaign campaign) {
        try {
            start(campaign);
        } catch (WorkflowServiceException | StatusRuntimeException e) {
            LOG.warn("Campaign {} is stored and will start when Temporal answers", campaign.id(), e);
        }
    }

    /**
     * Signals the campaign's workflow that the campaign's row changed; starts the workflow when it is not running.
     *
     * @param what the change, for people who look at the workflow in Temporal
     */
    public void wake(StoredCampaign campaign, String what) {
        if (campaign.awaitsAnswers()) {
            return;
        }
        Object[] signal = {campaign.epoch(), what};
        Object[] run = {firstRun(campaign)};
        for (int tries = 1; ; tries++) {
            try {
                TemporalDeadline.within(
                        () -> stub(campaign, WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                                .signalWithStart(CampaignWorkflow.SIGNAL_WAKE, signal, run));
                return;
            } catch (WorkflowServiceException e) {
                // The in-process engine looks for a running workflow and then signals it: it may have ended in between.
                if (tries == MAX_WAKES || Status.fromThrowable(e).getCode() != Status.Code.NOT_FOUND) {
                    throw e;
                }
            }
        }
    }

    /**
     * Signals the campaign's workflow that the campaign's row changed, if it is running.
     *
     * @param what the change, for people who look at the workflow in Temporal
     */
    public void tell(StoredCampaign campaign, String what) {
        try {
            WorkflowStub workflow = client.newUntypedWorkflowStub(workflowId(campaign.id()));
            TemporalDeadline.within(() -> {
                workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.epoch(), what);
                return campaign;
            });
        } catch (WorkflowNotFoundException e) {
            // There is no workflow to signal.
        }
    }

    /** The status of the latest run of the campaign's workflow; empty when Temporal knows of none. */
    public Optional<WorkflowExecutionStatus> status(String campaignId) {
        try {
            WorkflowStub workflow = client.newUntypedWorkflowStub(workflowId(campaignId));
            return Optional.of(TemporalDeadline.within(workflow::describe).getStatus());
        } catch (WorkflowNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Whether the campaign's workflow runs. */
    public boolean isRunning(String campaignId) {
        return status(campaignId)
                .filter(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING::equals)
                .isPresent();
    }

    /**
     * The end of the latest run of the campaign's workflow.
     *
     * @throws WorkflowNotFoundException when Temporal knows of none
     */
    public RunEnd end(String campaignId) {
        return TemporalDeadline.within(() -> RunEnd.of(
                client.fetchHistory(workflowId(campaignId)).getEvents(),
                client.getOptions().getDataConverter()));
    }

    /** An operator's end of the latest run; null: there is none, it was of an older epoch, or Temporal does not say. */
    public @Nullable EndInTemporal operatorEnd(StoredCampaign campaign) {
        try {
            return end(campaign.id()).counting(campaign.epoch());
        } catch (WorkflowException | StatusRuntimeException e) {
            LOG.debug("The end of the workflow of campaign {} cannot be read", campaign.id(), e);
            return null;
        }
    }

    /** The state of the campaign's workflow in Temporal, whoever ended it, asked for within {@value #PROBE_MS} ms. */
    public HealthFacts.Driver driver(String campaignId) {
        try {
            DescribeWorkflowExecutionResponse workflow = client.getWorkflowServiceStubs()
                    .blockingStub()
                    .withDeadlineAfter(PROBE_MS, TimeUnit.MILLISECONDS)
                    .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                            .setNamespace(client.getOptions().getNamespace())
                            .setExecution(WorkflowExecution.newBuilder().setWorkflowId(workflowId(campaignId)))
                            .build());
            return switch (workflow.getWorkflowExecutionInfo().getStatus()) {
                case WORKFLOW_EXECUTION_STATUS_RUNNING ->
                    workflow.getPendingWorkflowTask().getAttempt() > MOST_ATTEMPTS
                            ? HealthFacts.Driver.BLOCKED
                            : HealthFacts.Driver.RUNNING;
                case WORKFLOW_EXECUTION_STATUS_TERMINATED, WORKFLOW_EXECUTION_STATUS_CANCELED ->
                    HealthFacts.Driver.ENDED;
                default -> HealthFacts.Driver.MISSING;
            };
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.NOT_FOUND
                    ? HealthFacts.Driver.MISSING
                    : HealthFacts.Driver.UNREACHABLE;
        }
    }

    private WorkflowStub stub(StoredCampaign campaign, WorkflowIdConflictPolicy running) {
        WorkflowOptions.Builder options = WorkflowOptions.newBuilder()
                .setWorkflowId(workflowId(campaign.id()))
                .setTaskQueue(prefix.on(queue(campaign)))
                // A campaign that ended is resumed, run again and extended under its id.
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                .setWorkflowIdConflictPolicy(running)
                .setStaticSummary(
                        Utf8.first(campaign.name() + " · " + campaign.suite().name(), SUMMARY_BYTES))
                .setStaticDetails(details(campaign));
        return client.newUntypedWorkflowStub(CampaignWorkflow.TYPE, options.build());
    }

    /** A worker of an earlier build would never find an evaluation on the queue of these. */
    private String queue(StoredCampaign campaign) {
        return campaign.isUrgent() && workers.isPolledByAll(TaskQueues.EVALUATIONS)
                ? TaskQueues.EVALUATIONS
                : TaskQueues.ORCHESTRATION;
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
}
