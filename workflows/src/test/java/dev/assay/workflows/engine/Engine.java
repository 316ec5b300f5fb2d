package dev.assay.workflows.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignAttributes;
import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.CampaignWorkflowImpl;
import dev.assay.workflows.campaign.Visibility;
import dev.assay.workflows.delivery.BatchWorkflowImpl;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import dev.assay.workflows.slice.ParallelEvaluationWorkflowImpl;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Temporal with one worker for the workflows and one for a provider: the in-process server in real time, or with
 * {@code -Dassay.test.temporal=host:port} a real one.
 */
public final class Engine implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String WORKER = "test";
    private static final int CACHED_WORKFLOWS = 100;
    private static final @Nullable String SERVER = System.getProperty("assay.test.temporal");

    private final TestWorkflowEnvironment environment;
    private final List<WorkflowStub> started = new ArrayList<>();

    /** The attribute of {@link #lackingAnAttribute}. */
    public static final String UNREGISTERED = CampaignAttributes.PROGRESS.getName();

    public Engine(CampaignInMemory campaign) {
        this(campaign, CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class);
    }

    public Engine(
            CampaignInMemory campaign,
            Class<? extends CampaignWorkflow> campaigns,
            Class<? extends ParallelEvaluationWorkflow> slices) {
        this(campaign, campaigns, slices, CACHED_WORKFLOWS, CampaignAttributes.ALL);
    }

    /** The namespace lacks {@link #UNREGISTERED}. */
    public static Engine lackingAnAttribute(CampaignInMemory campaign) {
        List<SearchAttributeKey<?>> others = CampaignAttributes.ALL.stream()
                .filter(key -> !key.getName().equals(UNREGISTERED))
                .toList();
        return new Engine(
                campaign, CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class, CACHED_WORKFLOWS, others);
    }

    /** Keeps no workflow in memory: each task replays its workflow from the first event. */
    public static Engine replaying(CampaignInMemory campaign) {
        return new Engine(
                campaign, CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class, 0, CampaignAttributes.ALL);
    }

    private Engine(
            CampaignInMemory campaign,
            Class<? extends CampaignWorkflow> campaigns,
            Class<? extends ParallelEvaluationWorkflow> slices,
            int cachedWorkflows,
            List<SearchAttributeKey<?>> attributes) {
        TestEnvironmentOptions.Builder options = TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(false)
                .setWorkflowClientOptions(
                        WorkflowClientOptions.newBuilder().setIdentity(WORKER).build())
                .setWorkerFactoryOptions(WorkerFactoryOptions.newBuilder()
                        .setUsingVirtualWorkflowThreads(true)
                        .setWorkflowCacheSize(cachedWorkflows)
                        .build());
        if (SERVER != null) {
            options.setUseExternalService(true).setTarget(SERVER);
        }
        environment = TestWorkflowEnvironment.newInstance(options.build());
        attributes.forEach(key -> environment.registerSearchAttribute(key.getName(), key.getValueType()));
        Worker orchestration = environment.newWorker(TaskQueues.ORCHESTRATION, options());
        orchestration.registerWorkflowImplementationTypes(campaigns, slices, BatchWorkflowImpl.class);
        orchestration.registerActivitiesImplementations(campaign);
        environment.newWorker(TaskQueues.provider("test"), options()).registerActivitiesImplementations(campaign);
        environment.start();
    }

    /** Whether a real server runs the workflows. */
    public static boolean isServer() {
        return SERVER != null;
    }

    private static WorkerOptions options() {
        return WorkerOptions.newBuilder()
                .setUsingVirtualThreadsOnActivityWorker(true)
                .setIdentity(WORKER)
                .build();
    }

    public WorkflowClient client() {
        return environment.getWorkflowClient();
    }

    /** Starts the workflow of {@code campaign} in its epoch. */
    public WorkflowStub start(CampaignInMemory campaign) {
        return start(CampaignRun.start(campaign.id, campaign.epoch(), Visibility.SEARCHABLE));
    }

    public WorkflowStub start(CampaignRun run) {
        WorkflowStub workflow =
                client().newUntypedWorkflowStub(CampaignWorkflow.TYPE, options(WorkflowIds.campaign(run.campaignId())));
        workflow.start(run);
        started.add(workflow);
        return workflow;
    }

    public WorkflowStub start(ParallelEvaluationWorkflow.Slice slice) {
        WorkflowStub workflow = client().newUntypedWorkflowStub(
                        ParallelEvaluationWorkflow.TYPE,
                        options(WorkflowIds.slice(slice.campaignId(), slice.epoch(), slice.number())));
        workflow.start(slice);
        started.add(workflow);
        return workflow;
    }

    private static WorkflowOptions options(String id) {
        return WorkflowOptions.newBuilder()
                .setTaskQueue(TaskQueues.ORCHESTRATION)
                .setWorkflowId(id)
                .build();
    }

    /** Runs a slice of its own to its end. */
    public ParallelEvaluationWorkflow.SliceResult run(ParallelEvaluationWorkflow.Slice slice) {
        return result(start(slice), ParallelEvaluationWorkflow.SliceResult.class);
    }

    /** Runs the workflow of {@code campaign} to its end. */
    public void run(CampaignInMemory campaign) {
        finish(start(campaign));
    }

    /** Waits until {@code workflow} has ended; throws what it failed with. */
    public void finish(WorkflowStub workflow) {
        result(workflow, Void.class);
    }

    private static <T> T result(WorkflowStub workflow, Class<T> type) {
        try {
            return workflow.getResult(PATIENCE.toSeconds(), TimeUnit.SECONDS, type);
        } catch (TimeoutException late) {
            throw new AssertionError(
                    workflow.getExecution().getWorkflowId() + " has not ended after " + PATIENCE, late);
        }
    }

    public static CampaignProgress progress(WorkflowStub campaign) {
        return campaign.query(CampaignWorkflow.QUERY_PROGRESS, CampaignProgress.class);
    }

    public WorkflowExecutionHistory history(String workflowId) {
        return client().fetchHistory(workflowId);
    }

    public List<HistoryEvent> events(String workflowId) {
        return history(workflowId).getEvents();
    }

    /** Waits until {@code condition} holds, at most a minute. */
    public static void await(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(condition::getAsBoolean);
    }

    /** For the threads of activities, which wait for what a test does. */
    public static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Leaves nothing behind on a shared server that the workers of the next test would take up. */
    @Override
    public void close() {
        for (WorkflowStub workflow : started) {
            try {
                client().newUntypedWorkflowStub(workflow.getExecution().getWorkflowId())
                        .terminate("The test is over");
            } catch (WorkflowNotFoundException ended) {
                // As it should be.
                continue;
            }
        }
        environment.close();
    }
}
