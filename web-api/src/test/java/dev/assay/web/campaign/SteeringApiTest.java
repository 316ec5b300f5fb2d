package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignWorkflow;
import io.temporal.api.enums.v1.EventType;
import io.temporal.common.converter.DefaultDataConverter;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every verb over HTTP, in every state. */
@Timeout(60)
final class SteeringApiTest {

    private static final String CAMPAIGNS = "/api/v1/campaigns/";

    /** 2 cases × 2 trials × 1 branch. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("capitals", 2, 1, 2);

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A campaign of which trial 0 passed, 1 failed a check, 2 ended in an error and 3 was skipped for the budget. */
    private static String campaign(String state) {
        String id = server.submit(SAMPLE);
        record(id, 0, "COMPLETED", true);
        record(id, 1, "COMPLETED", false);
        record(id, 2, "MODEL_ERROR", false);
        record(id, 3, "BUDGET_SKIPPED", null);
        server.store().execute("UPDATE trial SET complete = false WHERE campaign_id = ? AND ordinal = 3", id);
        server.store().execute("UPDATE campaign SET state = ?, budget_usd = 1 WHERE campaign_id = ?", state, id);
        return id;
    }

    private static void record(String id, int ordinal, String status, Boolean passed) {
        SAMPLE.recordOutcome(server.store(), id, ordinal, 0, status, passed);
        SAMPLE.recordSelection(server.store(), id, ordinal, 0);
    }

    private static HttpResponse<String> ask(String id, String verb) {
        return switch (verb) {
            case "calls" -> server.patch(CAMPAIGNS + id, "{\"maxConcurrent\": 3}");
            case "budget" -> server.patch(CAMPAIGNS + id, "{\"budgetUsd\": 2}");
            case "trials" -> server.patch(CAMPAIGNS + id, "{\"trials\": 3}");
            case "rerun" -> server.post(CAMPAIGNS + id + "/rerun");
            default -> server.post(CAMPAIGNS + id + "/" + verb);
        };
    }

    @ParameterizedTest
    @CsvSource({
        // verb,  PENDING,   RUNNING,   PAUSED,    COMPLETED, CANCELLED, FAILED
        "pause,  PAUSED,    PAUSED,    PAUSED,    409,       409,       409",
        "resume, PENDING,   RUNNING,   RUNNING,   RUNNING,   RUNNING,   RUNNING",
        "cancel, CANCELLED, CANCELLED, CANCELLED, 409,       CANCELLED, 409",
        "calls,  PENDING,   RUNNING,   PAUSED,    COMPLETED, CANCELLED, FAILED",
        "budget, PENDING,   RUNNING,   PAUSED,    RUNNING,   CANCELLED, FAILED",
        "trials, PENDING,   RUNNING,   PAUSED,    RUNNING,   RUNNING,   RUNNING",
        "rerun,  PENDING,   RUNNING,   PAUSED,    RUNNING,   RUNNING,   RUNNING",
    })
    void shouldAnswerWithTheNewStateInEveryStateAndChangeNothingWhenAskedAgain(
            String verb,
            String pending,
            String running,
            String paused,
            String completed,
            String cancelled,
            String failed) {
        List<String> before = List.of("PENDING", "RUNNING", "PAUSED", "COMPLETED", "CANCELLED", "FAILED");
        List<String> after = List.of(pending, running, paused, completed, cancelled, failed);
        for (int i = 0; i < before.size(); i++) {
            String id = campaign(before.get(i));
            HttpResponse<String> first = ask(id, verb);
            long epoch = epoch(id);
            HttpResponse<String> second = ask(id, verb);

            String what = verb + " when " + before.get(i) + ": " + first.body();
            assertThat(answer(first)).as(what).isEqualTo(after.get(i));
            assertThat(answer(second)).as(what + " again").isEqualTo(after.get(i));
            assertThat(epoch(id)).as(what + " again").isEqualTo(epoch);
        }
    }

    private static String answer(HttpResponse<String> response) {
        return response.statusCode() == 200
                ? Json.tree(response.body()).get("state").asText()
                : String.valueOf(response.statusCode());
    }

    private static long epoch(String id) {
        return server.store().count("SELECT epoch FROM campaign WHERE campaign_id = ?", id);
    }

    @Test
    void shouldChangeAllLimitsAtOnceAndTellTheWorkflow() {
        String id = campaign("RUNNING");

        JsonNode changed =
                Json.tree(server.patch(CAMPAIGNS + id, "{\"maxConcurrent\": 70, \"budgetUsd\": 12.5, \"trials\": 4}")
                        .body());

        assertThat(changed.get("maxConcurrent").asInt()).isEqualTo(70);
        assertThat(changed.get("budgetUsd").decimalValue()).isEqualByComparingTo("12.5");
        assertThat(changed.get("trials").asInt()).isEqualTo(4);
        assertThat(changed.path("progress").path("cellsTotal").asInt()).isEqualTo(8);
        assertThat(server.json(CAMPAIGNS + id)).isEqualTo(changed);
        assertThat(signals(id)).containsExactly("limits changed");
    }

    @Test
    void shouldOpenOnlyErroredCellsAndCountThemNoMore() {
        String id = campaign("COMPLETED");

        HttpResponse<String> answer =
                server.post(CAMPAIGNS + id + "/rerun", "application/json", "{\"only\": \"errored\"}");

        JsonNode progress = Json.tree(answer.body()).path("progress");
        assertThat(progress.path("cellsDone").asInt()).isEqualTo(2);
        assertThat(progress.path("cellsFailed").asInt()).isZero();
        assertThat(server.json(CAMPAIGNS + id + "/outcomes").path("items"))
                .extracting(outcome -> outcome.get("status").asText())
                .containsExactly("COMPLETED", "COMPLETED", "BUDGET_SKIPPED");
        assertThat(progressOf(id).epoch())
                .as("the workflow knows the new epoch")
                .isEqualTo(2);
    }

    @Test
    void shouldOpenEveryCellWhenARerunIsWhole() {
        String id = campaign("COMPLETED");

        HttpResponse<String> answer = server.post(CAMPAIGNS + id + "/rerun", "application/json", "{\"whole\": true}");

        JsonNode campaign = Json.tree(answer.body());
        assertThat(campaign.path("state").asText()).isEqualTo("RUNNING");
        assertThat(campaign.path("progress").path("cellsDone").asInt(-1)).isZero();
        assertThat(server.post(CAMPAIGNS + id + "/rerun", "application/json", "{\"whole\": true}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(server.store().count("SELECT reruns FROM campaign WHERE campaign_id = ?", id))
                .as("asked again while all is open")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"trials\": 1}                              | trials",
                "{\"trials\": 0, \"maxConcurrent\": 10001}    | maxConcurrent trials",
                "{\"budgetUsd\": -1, \"trails\": 5}           | trails budgetUsd",
                "{\"maxConcurrent\": \"many\"}                | maxConcurrent",
                "[]                                         | ''",
            })
    void shouldNameEveryErrorAndChangeNothingWhenLimitsAreWrong(String body, String paths) {
        String id = campaign("RUNNING");
        JsonNode before = server.json(CAMPAIGNS + id);

        HttpResponse<String> answer = server.patch(CAMPAIGNS + id, body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(Json.tree(answer.body()).get("errors").findValuesAsText("path"))
                .containsExactly(paths.split(" "));
        assertThat(server.json(CAMPAIGNS + id)).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"only\": \"passed\", \"case\": \"x\"}                   | case only",
                "{\"cases\": [\"case-0\", \"x\"], \"branches\": [\"y\"]}   | cases[1] branches[0]",
                "{\"whole\": true, \"cases\": [\"case-0\"]}               | cases",
                "{\"whole\": true, \"only\": \"all\"}                     | only",
            })
    void shouldNameEveryErrorAndOpenNothingWhenARerunIsWrong(String body, String paths) {
        String id = campaign("COMPLETED");

        HttpResponse<String> answer = server.post(CAMPAIGNS + id + "/rerun", "application/json", body);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(Json.tree(answer.body()).get("errors").findValuesAsText("path"))
                .containsExactly(paths.split(" "));
        assertThat(server.json(CAMPAIGNS + id).get("state").asText()).isEqualTo("COMPLETED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"trials\": "})
    void shouldRefuseAChangeThatIsNoJson(String body) {
        assertThat(server.patch(CAMPAIGNS + campaign("RUNNING"), body).statusCode())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"calls", "budget", "trials", "rerun"})
    void shouldAnswerNotFoundWhenCampaignIsUnknown(String verb) {
        assertThat(ask("nobody", verb).statusCode()).isEqualTo(404);
    }

    private static CampaignProgress progressOf(String id) {
        return server.temporal()
                .newWorkflowStub(CampaignWorkflow.class, WorkflowIds.campaign(id))
                .progress();
    }

    /** What the signals in the workflow's history say, as the Temporal UI shows them. */
    private static List<String> signals(String id) {
        return server.temporal().fetchHistory(WorkflowIds.campaign(id)).getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED)
                .map(event ->
                        event.getWorkflowExecutionSignaledEventAttributes().getInput())
                .map(input -> DefaultDataConverter.STANDARD_INSTANCE.fromPayload(
                        input.getPayloads(1), String.class, String.class))
                .toList();
    }
}
