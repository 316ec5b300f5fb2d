package dev.assay.cli.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stored answers under other checks, graders and judges. An endpoint that counts its calls sees none of a branch. */
@Tag("slow")
final class ScoringTest {

    private static final int CASES = 6;

    private static StubModel model;
    private static AssayServer server;
    private static Api api;
    private static HttpClient http;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        model = new StubModel();
        model.writeProviders(data);
        server = InProcessServer.start(data);
        api = new Api(data);
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        http.close();
        api.close();
        server.close();
        model.close();
    }

    @BeforeEach
    void reset() {
        model.refuse(Set.of());
        model.delay(Duration.ZERO);
        model.answerBy((name, prompt) -> "Paris is number " + prompt);
    }

    /** Cases 0 to 5; a check that passes for even ones. */
    private static String submit(String name, String more) throws Exception {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < CASES; i++) {
            cases.append(
                    "  - {id: case-%d, prompt: \"%d\", checks: [{type: %s, value: Paris}], metadata: {target: \"%d\"}}%n"
                            .formatted(i, i, i % 2 == 0 ? "contains" : "equals", i));
        }
        return api.submit(
                "name: " + name + "\ncases:\n" + cases + "branches: [{id: small, provider: stub, model: m}]\n" + more);
    }

    private static JsonNode ended(String id) {
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        return get(id, "");
    }

    private static JsonNode get(String id, String part) {
        try {
            return api.get("/api/v1/campaigns/" + id + part);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String score(String id, String file) throws Exception {
        return api.submit("/api/v1/campaigns/" + id + "/scorings", file);
    }

    private static HttpResponse<String> send(String method, String path, String body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.api() + path))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!body.isEmpty()) {
            request.header("Content-Type", body.startsWith("{") ? "application/json" : "application/yaml");
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static List<JsonNode> outcomes(String id) {
        List<JsonNode> all = new ArrayList<>();
        get(id, "/outcomes?pageSize=1000").get("items").forEach(all::add);
        return all;
    }

    private static List<String> verdicts(String id) {
        return outcomes(id).stream()
                .map(one -> one.get("caseId").asText() + " "
                        + one.get("branchId").asText() + " " + one.get("trial") + " " + one.get("passed"))
                .toList();
    }

    @Test
    void shouldAskNoBranchWhenStoredAnswersMeetOtherChecks() throws Exception {
        String first = submit("source", "trials: 2\n");
        ended(first);
        int asked = model.prompts().size();

        String scoring = score(first, "name: stricter\nchecks: [{type: contains, value: \"number 3\"}]\n");

        JsonNode view = ended(scoring);
        assertThat(view.get("scoring")).isEqualTo(Json.tree("{\"of\": \"" + first + "\", \"name\": \"source\"}"));
        assertThat(model.prompts()).hasSize(asked);
        assertThat(outcomes(scoring)).hasSize(2 * CASES).allSatisfy(one -> {
            assertThat(one.get("passed").asBoolean())
                    .isEqualTo(one.get("caseId").asText().equals("case-3"));
            assertThat(one.get("source").asText()).isEqualTo("REUSED");
            assertThat(one.get("attempts").asInt()).isZero();
            assertThat(one.get("costUsd").decimalValue()).isEqualByComparingTo("0.1");
            assertThat(one.get("origin"))
                    .isEqualTo(Json.tree(
                            "{\"campaign\": \"%s\", \"case\": %s, \"branch\": \"small\", \"trial\": %s, \"draw\": 0}"
                                    .formatted(first, one.get("caseId"), one.get("trial"))));
        });
        assertThat(view.at("/account/spentUsd").isNull()
                        || view.at("/account/spentUsd").decimalValue().signum() == 0)
                .as("nothing is paid for a copy")
                .isTrue();
        JsonNode report = get(scoring, "/scoring?pageSize=2");
        assertThat(report.at("/of").asText()).isEqualTo(first);
        assertThat(report.at("/complete").asBoolean()).isTrue();
        assertThat(report.at("/branches/0/counts"))
                .isEqualTo(Json.tree("{\"bothPass\": 0, \"onlyBefore\": 6, \"onlyAfter\": 2, \"bothFail\": 4}"));
        assertThat(report.at("/branches/0/before/value").asDouble()).isEqualTo(0.5);
        assertThat(report.at("/evaluators/same").asBoolean()).isFalse();
        assertThat(report.at("/evaluators/before").findValuesAsText("code"))
                .containsExactlyInAnyOrder("contains/1", "equals/1");
        assertThat(report.at("/evaluators/after").findValuesAsText("code")).containsExactly("contains/1");
        List<String> flips = new ArrayList<>();
        String token = "";
        do {
            JsonNode page = get(scoring, "/scoring?pageSize=3" + token);
            page.get("flips")
                    .forEach(flip -> flips.add(
                            flip.get("before") + " " + flip.get("caseId").asText() + " " + flip.get("trial")));
            token = page.get("nextPageToken").isNull()
                    ? ""
                    : "&pageToken=" + page.get("nextPageToken").asText();
        } while (!token.isEmpty());
        assertThat(flips)
                .containsExactly(
                        "true case-0 1",
                        "true case-0 2",
                        "true case-2 1",
                        "true case-2 2",
                        "true case-4 1",
                        "true case-4 2",
                        "false case-3 1",
                        "false case-3 2");
        assertThat(send("GET", "/api/v1/campaigns/" + first + "/scoring", "").statusCode())
                .isEqualTo(404);
        assertThat(get(first, "/scorings").at("/items/0/id").asText()).isEqualTo(scoring);
        assertThat(api.get("/api/v1/campaigns?scoring=false").findValuesAsText("id"))
                .contains(first)
                .doesNotContain(scoring);
    }

    @Test
    void shouldFlipNothingWhenOnlyTheOwnChecksStay() throws Exception {
        String first = submit("kept", "trials: 2\n");
        ended(first);

        String again = score(first, "keepChecks: true\n");
        ended(again);
        String third = score(again, "keepChecks: true\n");
        ended(third);

        assertThat(verdicts(again)).isEqualTo(verdicts(first));
        assertThat(verdicts(third)).isEqualTo(verdicts(first));
        JsonNode report = get(again, "/scoring");
        assertThat(report.at("/flips")).isEmpty();
        assertThat(report.at("/evaluators/same").asBoolean()).isTrue();
        assertThat(report.at("/warnings/0").asText()).startsWith("Same evaluators");
        assertThat(outcomes(third))
                .as("a copy of a copy names the first record")
                .allSatisfy(
                        one -> assertThat(one.at("/origin/campaign").asText()).isEqualTo(first));
    }

    @Test
    void shouldCopyTheDrawThatCountsWhenCellsWereAskedAgain() throws Exception {
        String first = submit("asked-again", "");
        ended(first);
        model.answerBy((name, prompt) -> "Paris");
        api.steer(first, "rerun");
        await().atMost(Api.PATIENCE)
                .until(() -> outcomes(first).stream()
                        .allMatch(one -> one.get("passed").asBoolean()));
        ended(first);

        String scoring = score(first, "keepChecks: true\n");
        ended(scoring);

        assertThat(outcomes(scoring)).allSatisfy(one -> {
            int number = one.get("caseId").asText().charAt(5) - '0';
            assertThat(one.get("passed").asBoolean()).as("case %d", number).isEqualTo(number % 2 == 0);
            assertThat(one.at("/origin/draw").asInt()).isZero();
        });
        assertThat(get(scoring, "/report").at("/branches/0/trialPassRate/value").asDouble())
                .isEqualTo(0.5);
        int redrawn = get(first, "/report").get("redrawn").asInt();
        assertThat(redrawn).isPositive();
        assertThat(get(scoring, "/report").get("redrawn").asInt())
                .as("carried, though no later draw is here")
                .isEqualTo(redrawn);
        String copyOfCopy = score(scoring, "keepChecks: true\n");
        ended(copyOfCopy);
        assertThat(get(copyOfCopy, "/report").get("redrawn").asInt()).isEqualTo(redrawn);
    }

    @Test
    void shouldEndWithWhatIsThereWhenAnswersAreMissing() throws Exception {
        model.refuse(Set.of("2"));
        model.delayBy(prompt -> prompt.equals("5") ? Duration.ofHours(1) : Duration.ZERO);
        String first = submit("cut-short", "");
        await().atMost(Api.PATIENCE).until(() -> api.cellsDone(first) == CASES - 1);
        api.steer(first, "cancel");
        await().atMost(Api.PATIENCE).until(() -> api.state(first).equals("CANCELLED"));
        int asked = model.prompts().size();

        String scoring = score(first, "checks: [{type: contains, value: Paris}]\n");

        ended(scoring);
        assertThat(model.prompts()).hasSize(asked);
        assertThat(outcomes(scoring)).hasSize(CASES - 1);
        assertThat(outcomes(scoring).stream()
                        .filter(one -> one.get("status").asText().equals("MODEL_ERROR")))
                .singleElement()
                .satisfies(one -> assertThat(one.get("passed").asBoolean()).isFalse());
    }

    @Test
    void shouldAskGradersOfStoredAnswersAndPayThemOnly() throws Exception {
        String first = submit("graded", "");
        ended(first);
        int asked = model.prompts().size();
        model.answerBy((name, prompt) -> "{\"reason\": \"so\", \"score\": 1, \"pass\": true}");

        String scoring = score(
                first,
                "checks: [{type: rubric, value: Names a city}]\n"
                        + "grader: {provider: stub, model: judge}\n"
                        + "limits: {budgetUsd: 5}\n");

        JsonNode view = ended(scoring);
        assertThat(model.prompts()).hasSize(asked + CASES);
        assertThat(verdicts(scoring))
                .hasSize(CASES)
                .allSatisfy(verdict -> assertThat(verdict).endsWith(" true"));
        assertThat(view.at("/account/spentUsd").decimalValue()).isEqualByComparingTo("0.6");
    }

    @Test
    void shouldKeepItsAnswersWhenTheFirstCampaignIsDeleted() throws Exception {
        String first = submit("deleted", "");
        ended(first);
        String scoring = score(first, "checks: [{type: contains, value: Paris}]\n");
        assertThat(send("DELETE", "/api/v1/campaigns/" + first, "").statusCode())
                .isEqualTo(204);

        ended(scoring);

        assertThat(outcomes(scoring)).hasSize(CASES);
        assertThat(send("GET", "/api/v1/campaigns/" + first, "").statusCode()).isEqualTo(404);
        assertThat(get(scoring, "").at("/scoring/of").asText()).isEqualTo(first);
    }

    @Test
    void shouldRefuseWhatWouldAskABranchOrSaysNothing() throws Exception {
        String first = submit("refused", "");
        ended(first);
        String scoring = score(first, "keepChecks: true\n");
        ended(scoring);

        HttpResponse<String> rerun = send("POST", "/api/v1/campaigns/" + scoring + "/rerun", "{}");
        assertThat(rerun.statusCode()).isEqualTo(409);
        assertThat(rerun.body()).contains("holds answers of " + first);
        assertThat(send("PATCH", "/api/v1/campaigns/" + scoring, "{\"trials\": 3}")
                        .statusCode())
                .isEqualTo(409);
        HttpResponse<String> wrong = send("POST", "/api/v1/campaigns/" + first + "/scorings", """
            branches: [large]
            cases: [{id: case-9, checks: [{type: contains}]}, {id: case-1}, {id: case-1}]
            trials: 3
            limits: {maxConcurrent: 0}
            """);
        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(Json.tree(wrong.body()).get("errors").findValuesAsText("path"))
                .contains(
                        "branches[0]",
                        "cases[0].id",
                        "cases[0].checks[0].value",
                        "cases[2].id",
                        "trials",
                        "limits.maxConcurrent");
        HttpResponse<String> nothing = send("POST", "/api/v1/campaigns/" + first + "/scorings", "name: nothing\n");
        assertThat(nothing.statusCode()).isEqualTo(422);
        assertThat(nothing.body()).contains("nothing to score by");
        assertThat(send("POST", "/api/v1/campaigns/none-00000000/scorings", "keepChecks: true\n")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldFindFlippedCasesAndCopies() throws Exception {
        String first = submit("flips", "");
        ended(first);
        String scoring = score(first, "checks: [{type: contains, value: \"number 3\"}]\n");
        ended(scoring);

        assertThat(get(scoring, "/cases?only=flipped").get("items").findValuesAsText("id"))
                .containsExactly("case-0", "case-2", "case-3", "case-4");
        assertThat(get(first, "/cases?only=flipped").get("items")).isEmpty();
        assertThat(get(scoring, "/outcomes?source=REUSED").get("items")).hasSize(CASES);
        assertThat(get(scoring, "/outcomes?source=LIVE").get("items")).isEmpty();
        assertThat(get(first, "/outcomes?source=LIVE").get("items")).hasSize(CASES);
    }

    @Test
    void shouldPlanAndValidateAScoringWithoutStoringIt(@TempDir Path directory) throws Exception {
        String first = submit("planned", "");
        ended(first);
        Path file = directory.resolve("graded.yaml");
        Files.writeString(
                file, "checks: [{type: rubric, value: Names a city}]\ngrader: {provider: stub, model: judge}\n");
        int asked = model.prompts().size();
        String at = server.api().toString();

        CommandRun valid = CommandRun.of("validate", file.toString(), "--of", first, "--server", at);
        CommandRun plan = CommandRun.of("plan", file.toString(), "--of", first, "--server", at, "--json");
        Files.writeString(file, "checks: [{type: nothing}]\ncases: [{id: nobody}]\n");
        CommandRun wrong = CommandRun.of("validate", file.toString(), "--of", first, "--server", at);

        assertThat(valid.out())
                .contains("is valid: it judges 6 stored answers of " + first, "at most 6 calls of judges and graders");
        assertThat(Json.tree(plan.out()).at("/calls").asInt()).isEqualTo(CASES);
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("checks[0].type", "cases[0].id");
        assertThat(get(first, "/scorings").get("items")).isEmpty();
        assertThat(model.prompts()).hasSize(asked);
    }

    @Test
    void shouldShowTheResultWhenACommandScores(@TempDir Path directory) throws Exception {
        String first = submit("by-command", "");
        ended(first);
        Path file = directory.resolve("targets.yaml");
        Files.writeString(file, "targetCheck: contains\n");

        CommandRun run = CommandRun.of(
                "rescore", first, file.toString(), "--server", server.api().toString(), "--json");

        assertThat(Json.tree(run.out())
                        .at("/scoring/branches/0/counts/only_after")
                        .asInt())
                .isEqualTo(3);
        assertThat(run.err()).contains("Scoring by-command-");
        assertThat(Json.tree(run.out()).get("suite_pass_rate").asDouble()).isEqualTo(1.0);
    }
}
