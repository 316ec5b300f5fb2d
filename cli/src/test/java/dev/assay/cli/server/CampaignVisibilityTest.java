package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.cli.client.AssayApi;
import dev.assay.cli.engine.EngineKind;
import dev.assay.cli.engine.ExternalEngine;
import dev.assay.cli.process.DetachedCommand;
import dev.assay.cli.testing.Await;
import dev.assay.domain.campaign.CampaignDocument;
import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignWorkflow;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionMetadata;
import io.temporal.client.WorkflowStub;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators find and read of a campaign in Temporal itself, on the dev server. */
class CampaignVisibilityTest {

    private static final String CAMPAIGN = """
        name: seen
        cases: [{id: france, prompt: "Capital of France?", checks: [{type: icontains, value: Paris}]}]
        branches:
          - {id: right, kind: scripted, script: {answers: [Paris]}}
          - {id: wrong, kind: scripted, script: {answers: [Lyon]}}
        trials: 4
        strategy: {type: token-efficient}
        """;

    @TempDir
    Path temporary;

    @Test
    void shouldFindAndDescribeACampaignWhenItHasEnded() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        ServerOptions options =
                new ServerOptions("assay up", "127.0.0.1", 0, EngineKind.DEV_SERVER, ServerOptions.Role.SERVICE);
        try (AssayServer server = AssayServer.tryStart(DataDirectory.open(temporary.resolve("data")), options)
                .orElseThrow()) {
            AssayApi api = new AssayApi(server.api());
            String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
            Await.until(Duration.ofSeconds(60), () -> api.campaign(id).state().ended());
            Endpoints endpoints = server.endpoints();
            try (ExternalEngine engine =
                    ExternalEngine.at(Objects.requireNonNull(endpoints.temporal()), endpoints.namespace())) {
                WorkflowClient client = WorkflowClient.newInstance(engine.stubs());
                String query = "CampaignId = '" + id + "' AND CampaignName = 'seen' AND Phase = 'COMPLETED'"
                        + " AND TrialsTotal = 4 AND TrialsDone = 4 AND TrialsFailed = 0 AND PassRate = 0.5";
                Await.until(Duration.ofSeconds(30), () -> found(client, query).equals(List.of("campaign/" + id)));

                WorkflowStub workflow = client.newUntypedWorkflowStub("campaign/" + id);
                CampaignProgress progress = workflow.query(CampaignWorkflow.QUERY_PROGRESS, CampaignProgress.class);
                assertThat(progress.trialsDone()).isEqualTo(4);
                assertThat(workflow.query("__temporal_workflow_metadata", WorkflowMetadata.class)
                                .getCurrentDetails()
                                .replace('\u00a0', ' '))
                        .contains("| right | 4 of 4 | 4 (100.0 %) |", "| wrong | 4 of 4 | 0 (0.0 %) |");
                assertThat(workflow.describe().getStaticSummary()).startsWith("seen · ");
            }
        }
    }

    private static List<String> found(WorkflowClient client, String query) {
        return client.listExecutions(query)
                .map(WorkflowExecutionMetadata::getExecution)
                .map(execution -> execution.getWorkflowId())
                .toList();
    }
}
