package dev.assay.cli.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.server.AssayServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real files of the tools, through the command and the API: what is stored and shown is what the tools recorded. */
@Tag("slow")
@Timeout(180)
final class ImportedResultsTest {

    private static final Path FILES = Path.of("src", "test", "resources", "results");
    private static final double TOLERANCE = 1e-9;

    private static StubModel model;
    private static AssayServer server;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        model = new StubModel();
        model.writeProviders(data);
        server = InProcessServer.start(data);
        api = new Api(data);
    }

    @AfterAll
    static void stop() {
        api.close();
        server.close();
        model.close();
    }

    static Stream<JsonNode> vectors() throws Exception {
        JsonNode all = Json.mapper().readTree(Files.readString(FILES.resolve("expected.json")));
        return StreamSupport.stream(all.spliterator(), false);
    }

    private static CommandRun importResults(JsonNode input) {
        List<String> arguments = new ArrayList<>(
                List.of("import-results", "--json", "--server", server.api().toString()));
        if (input.has("passAt")) {
            arguments.addAll(List.of("--pass-at", input.get("passAt").asText()));
        }
        if (input.has("verdict")) {
            arguments.addAll(List.of("--verdict", input.get("verdict").asText()));
        }
        input.path("files")
                .forEach(name -> arguments.add(FILES.resolve(name.asText()).toString()));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void shouldShowWhatTheToolRecorded(JsonNode vector) throws Exception {
        JsonNode expected = vector.path("expected");

        CommandRun run = importResults(vector.path("input"));

        assertThat(run.code()).as(run.err()).isEqualTo(expected.path("complete").asBoolean() ? 0 : 101);
        JsonNode campaign = Json.tree(run.out());
        String path = "/api/v1/campaigns/" + campaign.path("id").asText();
        assertThat(campaign.path("state").asText())
                .isEqualTo(expected.path("complete").asBoolean() ? "COMPLETED" : "CANCELLED");
        List<String> branches = api.get(path + "/report").findValuesAsText("branchId").stream()
                .distinct()
                .toList();
        JsonNode rows = api.get(path + "/outcomes?pageSize=1000").get("items");
        assertThat(rows).hasSameSizeAs(expected.path("outcomes"));
        for (int i = 0; i < rows.size(); i++) {
            ObjectNode row = (ObjectNode) rows.get(i);
            assertThat(row.path("source").asText()).isEqualTo("IMPORTED");
            row.put("branch", branches.indexOf(row.path("branchId").asText()));
            row.set("error", row.path("error").path("message"));
            assertContains(
                    row,
                    asShown(expected.path("outcomes").get(i)),
                    vector.path("id").asText() + " outcome " + i);
        }
        assertNumbers(api.get(path + "/import"), expected.path("metrics"), branches);
        CommandRun again = importResults(vector.path("input"));
        assertThat(Json.tree(again.out()).path("id")).as("the same files again").isEqualTo(campaign.path("id"));
    }

    /**
     * Rules of every campaign: an answer takes tokens, so where a tool counts none, nothing is known of them
     * (docs/decisions/0049-unknown-usage.md); an error without a score has the score 0.
     */
    private static JsonNode asShown(JsonNode outcome) {
        ObjectNode shown = outcome.deepCopy();
        if (outcome.at("/usage/total").asLong(1) == 0) {
            shown.withObjectProperty("usage").putNull("input").putNull("output").putNull("total");
        }
        if (outcome.path("status").asText().equals("MODEL_ERROR")
                && outcome.path("score").isNull()) {
            shown.put("score", 0);
        }
        return shown;
    }

    private static void assertNumbers(JsonNode report, JsonNode expected, List<String> branches) {
        for (JsonNode wanted : expected) {
            assertThat(report.path("metrics").valueStream())
                    .as("%s among %s", wanted, report)
                    .anyMatch(one -> one.path("metric").equals(wanted.path("metric"))
                            && branches.indexOf(one.path("branch").asText())
                                    == wanted.path("branch").asInt()
                            && isNear(one.path("theirs"), wanted.path("theirs"))
                            && isNear(one.path("ours"), wanted.path("ours")));
        }
    }

    private static boolean isNear(JsonNode found, JsonNode expected) {
        return expected.isNull()
                ? found.isNull()
                : Math.abs(found.asDouble(Double.NaN) - expected.doubleValue()) <= TOLERANCE;
    }

    /** Objects may hold more than is expected; lists have its length and order. */
    private static void assertContains(JsonNode found, JsonNode expected, String what) {
        if (expected.isObject()) {
            expected.properties()
                    .forEach(field ->
                            assertContains(found.path(field.getKey()), field.getValue(), what + " " + field.getKey()));
        } else if (expected.isArray()) {
            assertThat(found.size()).as(what).isEqualTo(expected.size());
            for (int i = 0; i < expected.size(); i++) {
                assertContains(found.path(i), expected.get(i), what + " " + i);
            }
        } else if (expected.isNumber()) {
            assertThat(found.asDouble(Double.NaN)).as(what).isEqualTo(expected.doubleValue());
        } else if (expected.isNull()) {
            assertThat(found.isNull() || found.isMissingNode())
                    .as("%s is %s", what, found)
                    .isTrue();
        } else {
            assertThat(found).as(what).isEqualTo(expected);
        }
    }

    private static JsonNode ended(String id) throws Exception {
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        return api.get("/api/v1/campaigns/" + id);
    }

    private static long requests(String campaign, String condition) throws Exception {
        String database = api.endpoints().orElseThrow().database();
        try (Connection connection = DatabaseAddress.parse(database).connect();
                PreparedStatement statement = connection.prepareStatement(
                        "SELECT count(*) FROM ledger WHERE campaign_id = ? AND " + condition)) {
            statement.setString(1, campaign);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Two branches answer in two trials; a grader decides by the answer alone, so its flips can be told from the tool's verdicts. */
    @Test
    void shouldAskTheGraderAndNoBranchWhenAnImportIsScoredAgain() throws Exception {
        JsonNode input = Json.tree("{\"files\": [\"capitals.eval\"]}");
        String id = Json.tree(importResults(input).out()).get("id").asText();
        JsonNode before =
                api.get("/api/v1/campaigns/" + id + "/outcomes?pageSize=1000").get("items");
        int asked = model.prompts().size();
        model.answerBy(
                (name, prompt) -> "{\"reason\": \"so\", \"score\": %d}".formatted(prompt.contains("Paris") ? 0 : 1));

        String scoring = api.submit(
                "/api/v1/campaigns/" + id + "/scorings",
                "name: judged\nchecks: [{type: rubric, value: Does not name a certain city}]\n"
                        + "grader: {provider: stub, model: judge}\nlimits: {budgetUsd: 50}\n");

        ended(scoring);
        JsonNode after = api.get("/api/v1/campaigns/" + scoring + "/outcomes?pageSize=1000")
                .get("items");
        List<String> flips = new ArrayList<>();
        int completed = 0;
        for (int i = 0; i < before.size(); i++) {
            boolean isAnswer = before.get(i).path("status").asText().equals("COMPLETED");
            completed += isAnswer ? 1 : 0;
            boolean passes =
                    isAnswer && !before.get(i).path("response").asText().contains("Paris");
            assertThat(after.get(i).path("passed").asBoolean())
                    .as(after.get(i).toString())
                    .isEqualTo(passes);
            assertThat(after.get(i).path("response")).isEqualTo(before.get(i).path("response"));
            assertThat(after.get(i).at("/origin/campaign").asText()).isEqualTo(id);
            if (before.get(i).path("passed").isBoolean()
                    && before.get(i).path("passed").asBoolean() != passes) {
                flips.add(cell(before.get(i)));
            }
        }
        JsonNode report = api.get("/api/v1/campaigns/" + scoring + "/scoring?pageSize=1000");
        assertThat(flips).isNotEmpty();
        assertThat(report.path("flips").valueStream().map(ImportedResultsTest::cell))
                .containsExactlyInAnyOrderElementsOf(flips);
        assertThat(requests(scoring, "kind = 'branch'")).isZero();
        assertThat(requests(id, "true")).isZero();
        assertThat(requests(scoring, "kind <> 'branch'")).isEqualTo(completed);
        assertThat(model.prompts()).hasSize(asked + completed);
    }

    private static String cell(JsonNode row) {
        return row.path("caseId").asText() + " " + row.path("branchId").asText() + " " + row.path("trial");
    }

    @Test
    void shouldJudgeByTheTargetsOfTheToolWhenAnImportIsScoredAgain() throws Exception {
        JsonNode input = Json.tree("{\"files\": [\"capitals-inspect.json\"]}");
        String id = Json.tree(importResults(input).out()).get("id").asText();

        String scoring =
                api.submit("/api/v1/campaigns/" + id + "/scorings", "name: by-target\ntargetCheck: contains\n");

        ended(scoring);
        JsonNode before =
                api.get("/api/v1/campaigns/" + id + "/outcomes?pageSize=1000").get("items");
        JsonNode after = api.get("/api/v1/campaigns/" + scoring + "/outcomes?pageSize=1000")
                .get("items");
        assertThat(after).hasSameSizeAs(before);
        assertThat(after.findValues("type"))
                .isNotEmpty()
                .noneMatch(type -> type.asText().equals("imported"));
        assertThat(requests(scoring, "true")).isZero();
    }
}
