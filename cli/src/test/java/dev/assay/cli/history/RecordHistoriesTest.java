package dev.assay.cli.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.SteeringActivities.Steered;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records the histories of whole campaigns for {@code HistoryReplayTest}. It is no test of the build:
 * {@code docs/changing-a-workflow.md} says when to run it.
 */
@EnabledIfSystemProperty(named = "assay.recordHistories", matches = "true")
@Timeout(1_800)
class RecordHistoriesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int NEVER = 4_096;

    private static final String JUDGED =
            "{type: llm-judge, judge: {provider: openai, model: unreliable-judge, maxContextTokens: 4096}}";

    @TempDir
    Path temporary;

    /** Small enough to be watched cell by cell: a batch is a trial, and is judged at once. */
    @Test
    void recordAJudgedCampaign() throws Exception {
        try (RecordedServer server = new RecordedServer(temporary, NEVER)) {
            String id = server.api.submit(campaign(15, 2, 2, JUDGED, 16));
            server.awaitEnd(id);

            RecordedServer.record("campaign-whose-plan-names-its-judge", server.history(WorkflowIds.campaign(id)));
            RecordedServer.record("slice-that-waits-for-its-judge", server.history(WorkflowIds.slice(id, 1, 0)));
        }
    }

    /** More than 500 cells: batches grow with the measured speed, and share the activity that selects their winners. */
    @Test
    void recordALargeCampaign() throws Exception {
        try (RecordedServer server = new RecordedServer(temporary, NEVER)) {
            String id = server.api.submit(campaign(700, 2, 1, "{type: pick-first}", 32));
            server.awaitEnd(id);

            RecordedServer.record("large-campaign", server.history(WorkflowIds.campaign(id)));
            RecordedServer.record("large-slice-unmeasured", server.history(WorkflowIds.slice(id, 1, 0)));
            RecordedServer.record("large-slice-measured", server.history(WorkflowIds.slice(id, 1, 6)));
        }
    }

    @Test
    void recordACampaignThatContinuesAsNew() throws Exception {
        try (RecordedServer server = new RecordedServer(temporary, 60)) {
            String id = server.api.submit(campaign(600, 1, 1, "{type: pick-first}", 8));
            server.awaitEnd(id);

            String workflow = WorkflowIds.campaign(id);
            WorkflowExecutionHistory last = server.history(workflow);
            String first = last.getEvents()
                    .getFirst()
                    .getWorkflowExecutionStartedEventAttributes()
                    .getFirstExecutionRunId();
            assertThat(first).isNotEqualTo(last.getWorkflowExecution().getRunId());
            RecordedServer.record("continued-campaign-first-run", server.history(workflow, first));
            RecordedServer.record("continued-campaign-last-run", last);
        }
    }

    /** By the API, by updates in Temporal, and by an operator who terminates a slice. */
    @Test
    void recordACampaignThatIsSteered() throws Exception {
        try (RecordedServer server = new RecordedServer(temporary, NEVER)) {
            String id = server.api.submit(campaign(60, 1, 2, "{type: pick-first}", 2));
            WorkflowStub workflow = server.workflow(WorkflowIds.campaign(id));
            await().atMost(PATIENCE).until(() -> server.api.cellsDone(id) > 5);
            server.workflow(WorkflowIds.slice(id, 1, 0)).terminate("by an operator");
            await().atMost(PATIENCE).until(() -> server.api.cellsDone(id) > 20);
            server.api.steer(id, "pause");
            awaitPhase(workflow, "WAITING");
            server.api.steer(id, "resume");
            await().atMost(PATIENCE).until(() -> server.api.cellsDone(id) > 30);
            workflow.update(CampaignWorkflow.UPDATE_PAUSE, Steered.class);
            awaitPhase(workflow, "WAITING");
            workflow.update(CampaignWorkflow.UPDATE_SET_LIMITS, Steered.class, Map.of("maxConcurrent", 4, "trials", 3));
            workflow.update(CampaignWorkflow.UPDATE_RESUME, Steered.class);
            await().atMost(PATIENCE).until(() -> server.api.cellsDone(id) > 60);
            workflow.update(CampaignWorkflow.UPDATE_CANCEL, Steered.class);
            server.awaitEnd(id);

            WorkflowExecutionHistory campaign = server.history(WorkflowIds.campaign(id));
            RecordedServer.record("steered-campaign", campaign);
            RecordedServer.record("cancelled-slice", server.history(lastSlice(campaign)));
        }
    }

    private static String lastSlice(WorkflowExecutionHistory campaign) {
        return campaign.getEvents().stream()
                .filter(HistoryEvent::hasStartChildWorkflowExecutionInitiatedEventAttributes)
                .map(event -> event.getStartChildWorkflowExecutionInitiatedEventAttributes()
                        .getWorkflowId())
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    private static void awaitPhase(WorkflowStub workflow, String phase) throws Exception {
        await().atMost(PATIENCE)
                .until(() -> workflow.query(CampaignWorkflow.QUERY_PROGRESS, CampaignProgress.class)
                        .phase()
                        .equals(phase));
    }

    private static String campaign(int cases, int branches, int trials, String strategy, int maxConcurrent) {
        String caseLines = IntStream.range(0, cases)
                .mapToObj("  - {id: q%1$d, prompt: '[q%1$d] Which answer?'}%n"::formatted)
                .collect(Collectors.joining());
        String branchLines = IntStream.range(0, branches)
                .mapToObj("  - {id: b%1$d, provider: openai, model: unreliable-%1$d}%n"::formatted)
                .collect(Collectors.joining());
        return "name: recorded\ncases:\n%sbranches:\n%strials: %d\nstrategy: %s\nlimits: {maxConcurrent: %d}\n"
                .formatted(caseLines, branchLines, trials, strategy, maxConcurrent);
    }
}
