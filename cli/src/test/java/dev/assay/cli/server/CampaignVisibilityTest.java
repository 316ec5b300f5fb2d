package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.engine.ExternalEngine;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.server.AssayServer;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.server.ServerOptions;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignWorkflow;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.enums.v1.TaskQueueType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.RemoveSearchAttributesRequest;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.api.taskqueue.v1.PollerInfo;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.DescribeTaskQueueRequest;
import io.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.OperatorServiceStubs;
import io.temporal.serviceclient.OperatorServiceStubsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators find, read and do to a campaign in Temporal itself, on the dev server. */
@Tag("slow")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CampaignVisibilityTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CAMPAIGN = """
        name: seen
        cases: [{id: france, prompt: "Capital of France?", checks: [{type: icontains, value: Paris}]}]
        branches:
          - {id: right, kind: scripted, script: {answers: [Paris]}}
          - {id: wrong, kind: scripted, script: {answers: [Lyon]}}
        trials: 4
        strategy: {type: token-efficient}
        """;

    private static final String SLOW = """
        name: slow
        cases: [{id: france, prompt: "Capital of France?", checks: [{type: icontains, value: Paris}]}]
        branches: [{id: right, kind: scripted, script: {answers: [Paris], delayMs: 1000}}]
        trials: 4
        limits: {maxConcurrent: 1}
        """;

    private static StubModel model;
    private static AssayServer server;
    private static ExternalEngine engine;
    private static WorkflowClient client;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        model = new StubModel();
        model.writeProviders(data);
        ServerOptions options =
                new ServerOptions("assay up", "127.0.0.1", 0, EngineKind.DEV_SERVER, ServerOptions.Role.SERVICE);
        server = AssayServer.tryStart(DataDirectory.open(data), options).orElseThrow();
        Endpoints endpoints = server.endpoints();
        engine =
                ExternalEngine.at(Objects.requireNonNull(endpoints.temporal()), endpoints.namespace(), new NoopScope());
        client = WorkflowClient.newInstance(engine.stubs());
    }

    @AfterAll
    static void stop() {
        if (engine != null) {
            engine.close();
        }
        if (server != null) {
            server.close();
        }
        if (model != null) {
            model.close();
        }
    }

    @Test
    void shouldFindAndDescribeACampaignWhenItHasEnded() throws Exception {
        AssayApi api = new AssayApi(server.api());
        String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
        await().atMost(PATIENCE).until(() -> api.campaign(id).state().ended());

        String query = "CampaignId = '" + id + "' AND CampaignName = 'seen' AND Phase = 'COMPLETED'"
                + " AND Progress = 1 AND TrialsFailed = 0 AND PassRate = 0.5";
        await().atMost(Duration.ofSeconds(30)).until(() -> found(query).equals(List.of("campaign/" + id)));

        WorkflowStub workflow = client.newUntypedWorkflowStub("campaign/" + id);
        CampaignProgress progress = workflow.query(CampaignWorkflow.QUERY_PROGRESS, CampaignProgress.class);
        assertThat(progress.trialsDone()).isEqualTo(4);
        assertThat(workflow.query("__temporal_workflow_metadata", WorkflowMetadata.class)
                        .getCurrentDetails()
                        .replace('\u00a0', ' '))
                .contains("| right | 4 of 4 | 4 (100.0 %) |", "| wrong | 4 of 4 | 0 (0.0 %) |");
        assertThat(workflow.describe().getStaticSummary()).startsWith("seen · ");
    }

    /** Setting an attribute that its namespace lacks makes a workflow's task fail for ever. */
    @Test
    @Order(Integer.MAX_VALUE)
    void shouldGoOnWhenAnOperatorRemovesASearchAttributeWhileACampaignRuns() throws Exception {
        AssayApi api = new AssayApi(server.api());
        String id = api.submit(CampaignDocument.parse(SLOW)).id();
        await().atMost(PATIENCE).until(() -> found("CampaignId = '" + id + "'").size() == 1);
        OperatorServiceStubs operator = OperatorServiceStubs.newServiceStubs(
                OperatorServiceStubsOptions.newBuilder(engine.stubs().getOptions())
                        .build());
        try {
            var _ = operator.blockingStub()
                    .removeSearchAttributes(RemoveSearchAttributesRequest.newBuilder()
                            .setNamespace(server.endpoints().namespace())
                            .addSearchAttributes("PassRate")
                            .build());

            await().atMost(PATIENCE).until(() -> api.campaign(id).state().ended());
            WorkflowStub workflow = client.newUntypedWorkflowStub("campaign/" + id);
            await().atMost(PATIENCE)
                    .until(() -> workflow.describe().getStatus()
                            == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED);
        } finally {
            var _ = operator.blockingStub()
                    .addSearchAttributes(AddSearchAttributesRequest.newBuilder()
                            .setNamespace(server.endpoints().namespace())
                            .putSearchAttributes("PassRate", IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE)
                            .build());
            operator.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRepeatNoCallWhenAnOperatorResetsItsWorkflow(boolean first) throws Exception {
        int trials = 40;
        String prompt = first ? "Reset to the first task?" : "Reset to the last task?";
        model.delay(Duration.ofMillis(300));
        AssayApi api = new AssayApi(server.api());
        String id = api.submit(CampaignDocument.parse("""
            name: reset
            cases: [{id: only, prompt: %s}]
            branches: [{id: asked, provider: stub, model: m}]
            trials: %d
            limits: {maxConcurrent: 4}
            """.formatted(prompt, trials)))
                .id();
        await().atMost(PATIENCE).until(() -> asked(prompt) >= trials / 4);

        String newRun = reset(WorkflowIds.campaign(id), first);

        await().atMost(PATIENCE).until(() -> api.campaign(id).state() == CampaignState.COMPLETED);
        assertThat(api.campaign(id).progress().cellsDone()).isEqualTo(trials);
        assertThat(asked(prompt)).as("requests").isEqualTo(trials);
        assertThat(client.newUntypedWorkflowStub(WorkflowIds.campaign(id))
                        .describe()
                        .getExecution()
                        .getRunId())
                .isEqualTo(newRun);
    }

    private static long asked(String prompt) {
        return model.prompts().stream().filter(prompt::equals).count();
    }

    /** Goes back to the first or the last workflow task that was completed; answers with the id of the new run. */
    private static String reset(String workflowId, boolean first) {
        WorkflowExecution run =
                client.newUntypedWorkflowStub(workflowId).describe().getExecution();
        List<Long> tasks = client.fetchHistory(workflowId, run.getRunId()).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED)
                .map(HistoryEvent::getEventId)
                .toList();
        return engine.stubs()
                .blockingStub()
                .resetWorkflowExecution(ResetWorkflowExecutionRequest.newBuilder()
                        .setNamespace(server.endpoints().namespace())
                        .setWorkflowExecution(run)
                        .setWorkflowTaskFinishEventId(first ? tasks.getFirst() : tasks.getLast())
                        .setRequestId(workflowId)
                        .setReason("For the test")
                        .build())
                .getRunId();
    }

    @Test
    void shouldTellTheBuildOfEachWorkerWhenItPolls() throws Exception {
        DescribeTaskQueueRequest request = DescribeTaskQueueRequest.newBuilder()
                .setNamespace(server.endpoints().namespace())
                .setTaskQueue(TaskQueue.newBuilder().setName(TaskQueues.ORCHESTRATION))
                .setTaskQueueType(TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW)
                .build();

        await().atMost(PATIENCE).until(() -> !pollers(request).isEmpty());
        assertThat(pollers(request)).allSatisfy(poller -> {
            assertThat(poller.getDeploymentOptions().getDeploymentName()).isEqualTo("assay");
            assertThat(poller.getDeploymentOptions().getBuildId()).isNotBlank();
        });
    }

    private static List<PollerInfo> pollers(DescribeTaskQueueRequest request) {
        return engine.stubs().blockingStub().describeTaskQueue(request).getPollersList();
    }

    private static List<String> found(String query) {
        return client.listExecutions(query)
                .map(WorkflowExecutionMetadata::getExecution)
                .map(execution -> execution.getWorkflowId())
                .toList();
    }
}
