package dev.assay.activities.campaign;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.call.CampaignEvents;
import dev.assay.activities.replay.CassetteSource;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.activities.worker.CampaignWorker;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.EvaluationSubmission;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.replay.CassetteEntry;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.Visibility;
import io.micronaut.context.ApplicationContext;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** PostgreSQL, the in-process Temporal server and one worker: everything between a stored campaign and its result. */
final class Engine implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(90);

    final StoreFixture store;
    final CampaignRepository campaigns;
    private final TestWorkflowEnvironment temporal;
    private final CampaignWorker worker;
    private final List<ApplicationContext> joined = new ArrayList<>();

    /** What every loop told, in the order in which it came. */
    final Queue<AgentEvent> events = new ConcurrentLinkedQueue<>();

    /** What a replay finds; it may throw. */
    volatile Supplier<Optional<CassetteEntry>> recorded = Optional::empty;

    /** What happens when a loop tells something; it may throw. */
    volatile Consumer<AgentEvent> reaction = event -> {};

    Engine() {
        this(ToolPolicy.NONE);
    }

    /** An engine whose tools may reach what {@code tools} allows. */
    Engine(ToolPolicy tools) {
        this(tools, Map.of());
    }

    /** @param properties further settings of the worker */
    Engine(ToolPolicy tools, Map<String, Object> properties) {
        this(tools, properties, context -> {});
    }

    /** @param beans what the worker has in place of its own */
    Engine(ToolPolicy tools, Map<String, Object> properties, Consumer<ApplicationContext> beans) {
        store = StoreFixture.open(properties);
        beans.accept(store.context());
        temporal = TestWorkflowEnvironment.newInstance(
                TestEnvironmentOptions.newBuilder().setUseTimeskipping(false).build());
        store.context().registerSingleton(WorkflowClient.class, temporal.getWorkflowClient());
        store.context().registerSingleton(CampaignEvents.class, new CampaignEvents(store.get(RunJournal.class)) {
            @Override
            public AgentEvents of(StoredCampaign campaign) {
                return event -> {
                    events.add(event);
                    reaction.accept(event);
                };
            }
        });
        store.context().registerSingleton(CassetteSource.class, new CassetteSource() {
            @Override
            public Optional<CassetteEntry> find(String cassetteId, String key, int trial) {
                return recorded.get();
            }

            @Override
            public List<Integer> recordedTrials(String cassetteId, String key) {
                return List.of();
            }
        });
        Toolboxes toolboxes = new Toolboxes(tools, Map.of("TOOL_KEY", "s3cret"), store.get(ComputePool.class));
        store.context().registerSingleton(Toolboxes.class, toolboxes);
        campaigns = store.get(CampaignRepository.class);
        worker = store.get(CampaignWorker.class);
        worker.start();
    }

    /**
     * Starts another worker on the same store.
     *
     * @param properties its settings
     */
    void join(Map<String, Object> properties) {
        join(properties, context -> {});
    }

    /** The same; {@code beans} says what it has in place of its own. */
    void join(Map<String, Object> properties, Consumer<ApplicationContext> beans) {
        Map<String, Object> all = new HashMap<>(store.dataSourceProperties());
        all.putAll(properties);
        ApplicationContext context = ApplicationContext.builder("test")
                .deduceEnvironment(false)
                .banner(false)
                .properties(all)
                .start();
        joined.add(context);
        beans.accept(context);
        context.registerSingleton(WorkflowClient.class, temporal.getWorkflowClient());
        context.getBean(CampaignWorker.class).start();
    }

    /** Stores an evaluation and starts its workflow. */
    void evaluate(String id, String yaml, Map<String, ProviderInfo> providers) {
        store.get(EvaluationRepository.class)
                .create(
                        id,
                        new EvaluationSubmission(
                                CampaignReader.read(CampaignDocument.parse(yaml), providers),
                                CancelPolicy.SELECT,
                                false),
                        new EvaluationRepository.Place("session-" + id, null),
                        SubmissionOrigin.UNKNOWN);
        start(id);
    }

    /** What happened in the campaign's first slice. */
    List<HistoryEvent> history(String id) {
        return temporal.getWorkflowClient()
                .fetchHistory(WorkflowIds.slice(id, get(id).epoch(), 0))
                .getEvents();
    }

    /** Stores a campaign and starts its workflow. */
    void submit(String id, String yaml, Map<String, ProviderInfo> providers) {
        submit(id, yaml, providers, () -> {});
    }

    /** The same; {@code between} runs when the campaign is stored and nobody has read it. */
    void submit(String id, String yaml, Map<String, ProviderInfo> providers, Runnable between) {
        Set<String> strategies = store.get(ProviderQueries.class).offer().strategies();
        WorkerCapabilities offer = new WorkerCapabilities(providers, null, strategies);
        campaigns.create(id, CampaignReader.read(CampaignDocument.parse(yaml), offer));
        between.run();
        start(id);
    }

    /** Starts the workflow of a stored campaign in its epoch. */
    void start(String id) {
        StoredCampaign campaign = get(id);
        CampaignWorkflow workflow = temporal.getWorkflowClient()
                .newWorkflowStub(
                        CampaignWorkflow.class,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(WorkflowIds.campaign(id))
                                .setTaskQueue(TaskQueues.ORCHESTRATION)
                                .build());
        var _ = WorkflowClient.start(workflow::run, CampaignRun.start(id, campaign.epoch(), Visibility.OBSERVED));
    }

    /** Runs the workflow of a campaign to its end that PostgreSQL does not know: throws what it failed with. */
    void runUnknown(String id) throws TimeoutException {
        WorkflowStub workflow = temporal.getWorkflowClient()
                .newUntypedWorkflowStub(
                        CampaignWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setWorkflowId(WorkflowIds.campaign(id))
                                .setTaskQueue(TaskQueues.ORCHESTRATION)
                                .build());
        workflow.start(CampaignRun.start(id, 1, Visibility.SEARCHABLE));
        workflow.getResult(PATIENCE.toSeconds(), TimeUnit.SECONDS, Void.class);
    }

    /** As the server does after a change: starts the workflow, or wakes the one that runs, in one step. */
    void startOrWake(String id) {
        StoredCampaign campaign = get(id);
        CampaignRun run = CampaignRun.start(id, campaign.epoch(), Visibility.OBSERVED);
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId(WorkflowIds.campaign(id))
                .setTaskQueue(TaskQueues.ORCHESTRATION)
                .build();
        Callable<WorkflowExecution> wake = () -> temporal.getWorkflowClient()
                .newUntypedWorkflowStub(CampaignWorkflow.TYPE, options)
                .signalWithStart(CampaignWorkflow.SIGNAL_WAKE, new Object[] {campaign.epoch()}, new Object[] {run});
        // As the server: this Temporal looks for a running workflow and then signals it, which may have ended in
        // between.
        Awaitility.await()
                .ignoreExceptionsInstanceOf(WorkflowServiceException.class)
                .until(wake, Objects::nonNull);
    }

    /** As an operator does who cancels the campaign's workflow in Temporal. */
    void cancelInTemporal(String id) {
        temporal.getWorkflowClient()
                .newUntypedWorkflowStub(WorkflowIds.campaign(id))
                .cancel();
    }

    /** Whether the campaign's workflow has not ended. */
    boolean isOpen(String id) {
        return temporal.getWorkflowClient()
                        .newUntypedWorkflowStub(WorkflowIds.campaign(id))
                        .describe()
                        .getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    }

    /** The identity under which Temporal records what this process asks for. */
    String identity() {
        return temporal.getWorkflowClient().getOptions().getIdentity();
    }

    /** Says to the running workflow that the campaign's row changed. */
    void wake(String id) {
        temporal.getWorkflowClient()
                .newWorkflowStub(CampaignWorkflow.class, WorkflowIds.campaign(id))
                .wake(get(id).epoch(), "told by a test");
    }

    StoredCampaign get(String id) {
        return campaigns.find(id).orElseThrow();
    }

    StoredCampaign awaitEnd(String id) {
        return await(id, campaign -> campaign.state().ended());
    }

    StoredCampaign await(String id, CampaignState state) {
        return await(id, campaign -> campaign.state() == state);
    }

    private StoredCampaign await(String id, Predicate<StoredCampaign> condition) {
        try {
            return Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> get(id), condition::test);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(
                    "Campaign " + id + " is still " + get(id).state() + "; trials done: "
                            + store.count("SELECT count(*) FROM trial WHERE campaign_id = ?", id),
                    late);
        }
    }

    /** Stops the worker as SIGTERM does. */
    void stopWorker(Duration drain) throws InterruptedException {
        worker.stop(drain);
    }

    @Override
    public void close() throws InterruptedException {
        worker.stop(Duration.ZERO);
        for (ApplicationContext context : joined) {
            context.getBean(CampaignWorker.class).stop(Duration.ZERO);
            context.close();
        }
        temporal.close();
        store.close();
    }
}
