package dev.assay.web.imported;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.upkeep.Retention;
import dev.assay.domain.json.Json;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
final class ImportApiTest {

    private static final String LINES = "application/x-ndjson";

    private static final String HEADER = """
        {"tool": "my-tool", "toolVersion": "2", "name": "capitals", "trials": 2,
         "branches": [{"id": "small", "model": "m-1"}],
         "aggregates": [{"metric": "accuracy", "branch": "small", "theirs": 0.25, "of": "mean", "check": "exact"},
                        {"metric": "passed", "branch": "small", "theirs": 2, "of": "passed"}]}\
        """;

    private static final String RESULTS = """
        {"case": {"id": "france", "prompts": ["Capital of France?"], "metadata": {"target": "Paris"}, "tags": ["eu"]}}
        {"case": {"id": "chad", "vars": {"country": "Chad"}}}
        {"caseId": "france", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "Paris", \
        "usage": {"input": 8, "output": 2, "total": 10}, "latencyMs": 120, "costUsd": 0.001, "finishReason": "stop", \
        "checks": [{"metric": "exact", "status": "PASSED", "score": 1, "value": "C", "reason": "ok\\u0000"}]}
        {"caseId": "france", "branchId": "small", "trial": 2, "status": "COMPLETED", "response": "Lyon", \
        "checks": [{"metric": "exact", "status": "FAILED", "score": 0, "value": "I"}]}
        {"caseId": "chad", "branchId": "small", "trial": 1, "status": "MODEL_ERROR", "error": {"message": "away"}}
        {"caseId": "chad", "branchId": "small", "trial": 2, "status": "COMPLETED", "response": "N'Djamena", \
        "checks": [{"metric": "exact", "status": "UNSCORED", "value": null, "reason": "no number"}]}
        """;

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static HttpResponse<String> json(String path, String body) {
        return server.post(path, "application/json", body);
    }

    private static String begin(String header) {
        HttpResponse<String> begun = json("/api/v1/imports", header);
        assertThat(begun.statusCode()).as(begun.body()).isEqualTo(201);
        return Json.tree(begun.body()).get("import").asText();
    }

    private static HttpResponse<String> add(String id, int sequence, String lines) {
        return server.post("/api/v1/imports/" + id + "/results?sequence=" + sequence, LINES, lines);
    }

    private static HttpResponse<String> finish(String id, String said) {
        return json("/api/v1/imports/" + id + "/finish", said);
    }

    private static JsonNode imported(String header, String lines) {
        String id = begin(header);
        HttpResponse<String> added = add(id, 0, lines);
        assertThat(added.statusCode()).as(added.body()).isEqualTo(204);
        HttpResponse<String> finished = finish(id, "{}");
        assertThat(finished.statusCode()).as(finished.body()).isEqualTo(201);
        assertThat(finished.headers().firstValue("Location")).isPresent();
        return Json.tree(finished.body());
    }

    @Test
    void shouldShowACampaignThatHasEndedWhenAllResultsAreThere() {
        JsonNode campaign = imported(HEADER, RESULTS);
        String path = "/api/v1/campaigns/" + campaign.get("id").asText();

        assertThat(campaign.get("state").asText()).isEqualTo("COMPLETED");
        assertThat(campaign.at("/import/tool").asText()).isEqualTo("my-tool");
        assertThat(campaign.at("/import/complete").asBoolean()).isTrue();
        assertThat(campaign.at("/progress/cellsDone").asInt()).isEqualTo(4);
        assertThat(campaign.at("/progress/cellsPassed").asInt()).isEqualTo(1);
        assertThat(campaign.at("/progress/trialsDone").asInt()).isEqualTo(4);
        JsonNode rows = server.json(path + "/outcomes").get("items");
        assertThat(rows).hasSize(4);
        assertThat(rows.at("/0/source").asText()).isEqualTo("IMPORTED");
        assertThat(rows.at("/0/checks/0/type").asText()).isEqualTo("imported");
        assertThat(rows.at("/0/checks/0/value").asText()).isEqualTo("C");
        assertThat(rows.at("/0/checks/0/reason").asText()).isEqualTo("ok\uFFFD");
        assertThat(rows.at("/0/usage/total").asInt()).isEqualTo(10);
        assertThat(rows.at("/1/error/code").asText()).isEqualTo("IMPORTED_ERROR");
        assertThat(rows.at("/1/passed").asBoolean()).isFalse();
        assertThat(rows.at("/2/usage/total").isNull()).as("nothing was said").isTrue();
        assertThat(rows.at("/3/passed").isNull()).as("nothing was decided").isTrue();
        assertThat(server.json(path + "/report").at("/branches/0/branchId").asText())
                .isEqualTo("small");
    }

    @Test
    void shouldSayWhereTheToolDiffersFromItsLines() {
        String id = imported(HEADER, RESULTS).get("id").asText();

        JsonNode report = server.json("/api/v1/campaigns/" + id + "/import");

        assertThat(report.at("/metrics/0/ours").asDouble()).isEqualTo(0.5);
        assertThat(report.at("/metrics/0/equal").asBoolean()).isFalse();
        assertThat(report.at("/metrics/1/ours").asInt()).isEqualTo(1);
        assertThat(report.get("warnings")).hasSize(2);
    }

    @Test
    void shouldBeCancelledWhenCellsHaveNoResult() {
        String lines = RESULTS.lines().limit(3).reduce("", (a, b) -> a + b + "\n");

        JsonNode campaign = imported(HEADER, lines);

        assertThat(campaign.get("state").asText()).isEqualTo("CANCELLED");
        assertThat(campaign.get("failureReason").asText()).contains("Cells without a result: 3.");
    }

    @Test
    void shouldShowNothingBeforeTheEnd() {
        long before = server.store().count("SELECT count(*) FROM campaign");
        String id = begin(HEADER);
        add(id, 0, RESULTS);
        add(id, 1, "{\"caseId\": \"nowhere\", \"branchId\": \"small\", \"trial\": 1, \"status\": \"COMPLETED\"}\n");

        HttpResponse<String> finished = finish(id, "{}");

        assertThat(finished.statusCode()).as(finished.body()).isEqualTo(422);
        assertThat(finished.body()).contains("There is no case `nowhere`");
        assertThat(server.store().count("SELECT count(*) FROM campaign")).isEqualTo(before);
        assertThat(server.send(server.request("/api/v1/imports/" + id).DELETE()).statusCode())
                .isEqualTo(204);
        assertThat(server.store().count("SELECT count(*) FROM import_piece WHERE import_id = ?", id))
                .isZero();
    }

    @Test
    void shouldTakeEachPieceOnceInItsTurn() {
        String id = begin(HEADER);

        assertThat(add(id, 1, RESULTS).statusCode()).isEqualTo(409);
        assertThat(add(id, 0, RESULTS).statusCode()).isEqualTo(204);
        assertThat(add(id, 0, RESULTS).statusCode()).as("the same again").isEqualTo(204);
        assertThat(add(id, 0, "\n").statusCode()).as("another one").isEqualTo(409);
        assertThat(add(id, -1, "\n").statusCode()).isEqualTo(422);
        assertThat(finish(id, "{}").statusCode()).isEqualTo(201);
        assertThat(finish(id, "{}").statusCode()).as("finished before").isEqualTo(200);
        assertThat(add(id, 1, RESULTS).statusCode()).isEqualTo(409);
    }

    @Test
    void shouldFindTheCampaignWhenTheSameFilesComeAgain() {
        String header = HEADER.replace(
                "\"trials\"",
                "\"files\": [{\"name\": \"a\", \"sha256\": \"" + "0a".repeat(32) + "\", \"size\": 3}], \"trials\"");
        String id = imported(header, RESULTS).get("id").asText();

        HttpResponse<String> again = json("/api/v1/imports", header);

        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(Json.tree(again.body()).get("campaign").asText()).isEqualTo(id);
        assertThat(json("/api/v1/imports", header.replace("\"trials\"", "\"options\": {\"passAt\": 0.5}, \"trials\""))
                        .statusCode())
                .as("other options")
                .isEqualTo(201);
    }

    @Test
    void shouldRemoveAnImportThatNobodyFinishesWithoutANextOne() {
        String left = begin(HEADER);
        for (int i = 0; i < 30; i++) {
            assertThat(add(left, i, "\n").statusCode()).isEqualTo(204);
        }
        String used = begin(HEADER);
        add(used, 0, RESULTS);
        server.store()
                .execute(
                        "UPDATE import_upload SET touched_at = now() - interval '61 minutes' WHERE import_id = ?",
                        left);

        assertThat(add(left, 30, RESULTS).statusCode())
                .as("nobody goes on with it")
                .isEqualTo(404);
        assertThat(finish(left, "{}").statusCode()).isEqualTo(404);
        server.get(Retention.class).start();

        await().atMost(Duration.ofSeconds(30))
                .until(() -> server.store().count("SELECT count(*) FROM import_upload WHERE import_id = ?", left) == 0);
        assertThat(server.store().count("SELECT count(*) FROM import_piece WHERE import_id = ?", left))
                .isZero();
        assertThat(finish(used, "{}").statusCode()).as("the other one stays").isEqualTo(201);
    }

    static Stream<Arguments> wrongLines() {
        String outcome = "{\"caseId\": \"france\", \"branchId\": \"small\", \"trial\": 1, \"status\": \"COMPLETED\"";
        return Stream.of(
                Arguments.of("{", 400, "Line 1 is no JSON"),
                Arguments.of("[]", 422, "must be an object"),
                Arguments.of("null", 422, "must be an object"),
                Arguments.of("{\"case\": 3}", 422, "lines[1].case"),
                Arguments.of("{\"case\": {\"id\": \"../a\", \"prompts\": [\"q\"]}}", 422, "lines[1].case.id"),
                Arguments.of("{\"case\": {\"id\": \"a\"}}", 422, "prompt"),
                Arguments.of("\n" + outcome.replace("COMPLETED", "SURE") + "}", 422, "lines[2].status"),
                Arguments.of(outcome + ", \"checks\": [{\"status\": \"PASSED\", \"score\": 1.5}]}", 422, "score"),
                Arguments.of(outcome + ", \"checks\": {}}", 422, "checks"),
                Arguments.of(outcome + ", \"usage\": {\"input\": -1}}", 422, "usage.input"),
                Arguments.of(outcome + ", \"costUsd\": \"much\"}", 422, "costUsd"),
                Arguments.of(outcome + ", \"messages\": [{\"role\": \"king\"}]}", 422, "messages"),
                Arguments.of(outcome.replace("1", "0") + "}", 422, "trial"),
                Arguments.of(outcome + ", \"verdikt\": 1}", 422, "verdikt"),
                Arguments.of("[".repeat(2_000) + "]".repeat(2_000), 400, "Line 1"));
    }

    @ParameterizedTest
    @MethodSource("wrongLines")
    void shouldNameWhatIsWrongWithALine(String line, int status, String named) {
        String id = begin(HEADER);

        HttpResponse<String> response = add(id, 0, line);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body()).contains(named);
        assertThat(server.store().count("SELECT count(*) FROM import_piece WHERE import_id = ?", id))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                                                                        | tool
        {"tool": "t", "name": "n", "branches": []}                                                | branches
        {"tool": "t", "name": "n", "branches": [{"model": "m"}]}                                  | branches[0].id
        {"tool": "t", "name": "n", "branches": [{"id": "b"}]}                                     | branches[0].model
        {"tool": "t", "name": "n", "branches": [{"id": "b", "model": "m", "kind": "model"}]}      | branches[0].kind
        {"tool": "t", "name": "n", "branches": [{"id": "b", "model": "m"}], "trials": 1001}       | trials
        {"tool": "t", "name": "n", "branches": [{"id": "b", "model": "m"}], "files": [{}]}        | files[0].sha256
        {"tool": "t", "name": "n", "branches": [{"id": "b", "model": "m"}], "gate": {"x": 1}}     | gate.x
        {"tool": "t", "name": "n", "branches": [{"id": "b", "model": "m"}], "createdAt": "today"} | createdAt
        """)
    void shouldNameWhatIsWrongWithAHeader(String header, String path) {
        HttpResponse<String> response = json("/api/v1/imports", header);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(response.body()).contains("\"" + path + "\"");
    }

    @Test
    void shouldAskNobodyForOtherAnswers() {
        String path = "/api/v1/campaigns/" + imported(HEADER, RESULTS).get("id").asText();
        String cut = "/api/v1/campaigns/"
                + imported(HEADER, RESULTS.lines().limit(3).reduce("", (a, b) -> a + b + "\n"))
                        .get("id")
                        .asText();

        assertThat(json(path + "/rerun", "{\"only\": \"errored\"}").statusCode())
                .isEqualTo(409);
        assertThat(json(cut + "/resume", "").statusCode()).isEqualTo(409);
        assertThat(server.send(server.request(path)
                                .header("Content-Type", "application/json")
                                .method("PATCH", java.net.http.HttpRequest.BodyPublishers.ofString("{\"trials\": 3}")))
                        .statusCode())
                .isEqualTo(409);
        assertThat(server.send(server.request("/api/v1/campaigns/none/import").GET())
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldGiveTheSameRowsWhenAnExportIsSentBack() {
        assertSameWhenSentBack(RESULTS);
    }

    /** What graders, transforms, own code and programs leave: fields that no other tool sends. */
    @Test
    void shouldGiveTheSameRowsWhenAnExportHoldsAllThatACampaignFindsOut() {
        String exported = assertSameWhenSentBack("""
            {"case": {"id": "france", "prompts": ["Capital of France?"]}}
            {"case": {"id": "chad", "prompts": ["Capital of Chad?"]}}
            {"caseId": "france", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "{\\"a\\": 1}", \
            "output": {"a": [1, null, "x"]}, "exitCode": 0, "isolation": "confined", \
            "reported": {"usage": {"input": 5}, "costUsd": 0.25}, "warnings": ["slow"], \
            "requested": {"provider": "p", "model": "m"}, "effective": {"model": "m", "top_p": 1}, \
            "served": {"model": "m-2", "fingerprint": "f", "serviceTier": "t", "metadata": {"k": 1}}, \
            "checks": [{"metric": "rubric", "status": "PASSED", "score": 0.000012345678901234567, "reason": "fine", \
            "weight": 2, "grade": {"call": 3, "usage": {"input": 7, "output": 1, "total": 8}, "costUsd": 0.002}, \
            "namedScores": {"tone": {"score": 4.5, "weight": 2}, "length": {"score": -3, "weight": 0}}}, \
            {"metric": "group", "status": "FAILED", "score": 0, "checks": [{"metric": "part", "status": "FAILED", \
            "score": 0, "grade": {"call": 4, "usage": {"input": null}, "costUsd": null}}]}, \
            {"metric": "left", "status": "UNSCORED", "reason": "no counterpart", "required": false, "lost": true}]}
            {"caseId": "chad", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "x", "output": "y", "score": 0.25}
            {"caseId": "chad", "branchId": "small", "trial": 2, "status": "LIMIT", "response": "", "output": false, \
            "error": {"code": "BRANCH_LIMIT", "message": "enough"}, "attempts": 3}
            """);

        assertThat(exported)
                .contains(
                        "\"output\":{\"a\":[1,null,\"x\"]}",
                        "\"output\":false",
                        "\"score\":0.25",
                        "\"grade\":{\"call\":3",
                        "\"namedScores\":{\"tone\":{\"score\":4.5",
                        "\"lost\":true",
                        "\"exitCode\":0",
                        "\"isolation\":\"confined\"",
                        "\"reported\":{\"usage\":{\"input\":5",
                        "\"fingerprint\":\"f\"",
                        "\"top_p\":1");
    }

    /** Its time says nothing of the model: it is null, and no 0. */
    @Test
    void shouldKeepThatABatchOfAProviderBroughtAnAnswer() {
        String exported = assertSameWhenSentBack("""
            {"case": {"id": "france", "prompts": ["Capital of France?"]}}
            {"case": {"id": "chad", "prompts": ["Capital of Chad?"]}}
            {"caseId": "france", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "Paris", "latencyMs": null, \
            "delivery": "BATCH", "batchId": "0123456789abcdef0123456789abcdef", "costAssumed": true, "costUsd": 0.5}
            {"caseId": "chad", "branchId": "small", "trial": 1, "status": "COMPLETED", "response": "x", "latencyMs": 7, "costUsd": 0.25}
            """);

        assertThat(exported)
                .contains(
                        "\"latencyMs\":null",
                        "\"delivery\":\"BATCH\",\"batchId\":\"0123456789abcdef0123456789abcdef\",\"costAssumed\":true");
        JsonNode campaign = server.json("/api/v1/campaigns?pageSize=1").at("/items/0");
        JsonNode report = server.json("/api/v1/campaigns/" + campaign.get("id").asText() + "/report");
        assertThat(report.at("/total/batched/cells").asInt()).isEqualTo(1);
        assertThat(report.at("/total/batched/costUsd").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(report.at("/total/batched/assumed").asBoolean()).isTrue();
        assertThat(report.at("/total/costUsd").decimalValue()).isEqualByComparingTo("0.75");
        JsonNode excerpts =
                server.json("/api/v1/campaigns/" + campaign.get("id").asText() + "/answers?places=0,1,2,3");
        assertThat(excerpts.findValues("latencyMs"))
                .as("in the first lines of answers")
                .allMatch(latency -> latency.isNull() || latency.asInt() == 7)
                .anyMatch(JsonNode::isNull);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "delivery": "BATCH"                       | batchId
        "delivery": "POST"                        | delivery
        "delivery": "BATCH", "batchId": ""        | batchId
        "delivery": "BATCH", "batchId": 7         | batchId
        """)
    void shouldRefuseADeliveryThatIsNone(String fields, String wrong) {
        String id = begin(HEADER);

        HttpResponse<String> added = add(
                id,
                0,
                RESULTS.lines().findFirst().orElseThrow()
                        + "\n"
                        + "{\"caseId\": \"france\", \"branchId\": \"small\", \"trial\": 1, \"status\": \"COMPLETED\", "
                        + fields + "}\n");

        assertThat(added.statusCode()).as(added.body()).isEqualTo(422);
        assertThat(added.body()).contains(wrong);
    }

    private static String assertSameWhenSentBack(String results) {
        String first = imported(HEADER, results).get("id").asText();
        String exported = exported(first);
        String cases = results.lines().limit(2).reduce("", (a, b) -> a + b + "\n");
        String second = imported(HEADER, cases + exported).get("id").asText();

        String times = "\"(finishedAt|answeredAt)\":\"[^\"]*\"";
        assertThat(exported(second).replaceAll(times, "")).isEqualTo(exported.replaceAll(times, ""));
        return exported;
    }

    private static String exported(String campaign) {
        return server.send(server.request("/api/v1/campaigns/" + campaign + "/export?format=ndjson")
                        .GET())
                .body();
    }
}
