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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns that take stored answers. An endpoint that counts its calls sees those that changed, and no other. */
@Tag("slow")
final class ReuseTest {

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
        model.answerBy((name, prompt) -> "Paris is " + prompt);
    }

    /** Cases whose prompts no other test sends, each with a check. */
    private static String file(String name, List<String> prompts, String more) {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < prompts.size(); i++) {
            cases.append("  - {id: case-%d, prompt: \"%s\", checks: [{type: contains, value: Paris}]}%n"
                    .formatted(i, prompts.get(i)));
        }
        return "name: " + name + "\ncases:\n" + cases + "branches: [{id: small, provider: stub, model: m}]\n" + more;
    }

    private static String run(String file) throws Exception {
        String id = api.submit(file);
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        return id;
    }

    private static JsonNode get(String id, String part) throws Exception {
        return api.get("/api/v1/campaigns/" + id + part);
    }

    private static List<JsonNode> outcomes(String id) throws Exception {
        List<JsonNode> all = new ArrayList<>();
        get(id, "/outcomes?pageSize=1000").get("items").forEach(all::add);
        return all;
    }

    private static List<JsonNode> copies(String id) throws Exception {
        return outcomes(id).stream()
                .filter(one -> one.get("source").asText().equals("REUSED"))
                .toList();
    }

    private static HttpResponse<String> submit(String file) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/campaigns"))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(file))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldAskOnlyForWhatChangedWhenAnswersAreOnRecord() throws Exception {
        String first = run(file("first", List.of("one", "two", "three"), ""));
        int asked = model.prompts().size();

        String again = run(file("again", List.of("one", "two and a half", "three"), "reuse: any\n"));

        assertThat(model.prompts().subList(asked, model.prompts().size())).containsExactly("two and a half");
        assertThat(copies(again)).hasSize(2).allSatisfy(copy -> {
            assertThat(copy.get("origin"))
                    .isEqualTo(Json.tree(
                            "{\"campaign\": \"%s\", \"case\": %s, \"branch\": \"small\", \"trial\": 1, \"draw\": 0}"
                                    .formatted(first, copy.get("caseId"))));
            assertThat(copy.get("passed").asBoolean()).isTrue();
            assertThat(copy.get("attempts").asInt()).isZero();
            assertThat(copy.get("costUsd").decimalValue()).isEqualByComparingTo("0.1");
        });
        assertThat(get(again, "").at("/account/reused"))
                .isEqualTo(Json.tree("{\"cells\": 2, \"calls\": 0, \"savedUsd\": 0.2}"));
        assertThat(get(again, "").at("/account/spentUsd").decimalValue())
                .as("one call was paid")
                .isEqualByComparingTo("0.1");

        String copied = run(file("copied", List.of("one"), "reuse: {from: " + again + "}\n"));
        assertThat(copies(copied).getFirst().at("/origin/campaign").asText())
                .as("a copy of a copy names the first one")
                .isEqualTo(first);
    }

    @Test
    void shouldAskForTrialsThatAreNotOnRecordWhenThereAreMore() throws Exception {
        run(file("two", List.of("trials"), "trials: 2\n"));
        int asked = model.prompts().size();

        String three = run(file("three", List.of("trials"), "trials: 3\nreuse: any\n"));

        assertThat(model.prompts()).hasSize(asked + 1);
        assertThat(outcomes(three))
                .extracting(one ->
                        one.get("trial").asInt() + " " + one.get("source").asText() + " "
                                + one.at("/origin/trial").asText())
                .containsExactly("1 REUSED 1", "2 REUSED 2", "3 LIVE ");
    }

    @Test
    void shouldTakeNoAnswerTwiceWhenCellsAskTheSame() throws Exception {
        run(file("single", List.of("same"), ""));
        int asked = model.prompts().size();

        String twice = run("""
            name: twice
            cases: [{id: a, prompt: same}, {id: b, prompt: same}]
            branches: [{id: small, provider: stub, model: m}, {id: equal, provider: stub, model: m}]
            strategy: {type: pick-first}
            reuse: any
            """);

        assertThat(copies(twice)).hasSize(1);
        assertThat(model.prompts()).hasSize(asked + 3);

        String thrice = run("""
            name: thrice
            cases: [{id: a, prompt: same}, {id: b, prompt: same}]
            branches: [{id: small, provider: stub, model: m}, {id: equal, provider: stub, model: m}]
            strategy: {type: pick-first}
            reuse: any
            """);

        assertThat(copies(thrice))
                .extracting(copy -> copy.get("origin"))
                .hasSize(4)
                .doesNotHaveDuplicates();
    }

    /** What differs is not known before the template is filled, so such cells have the same number. */
    @Test
    void shouldTakeNoAnswerTwiceWhenUnlikeCasesAskTheSame() throws Exception {
        String cases = """
            cases: [{id: a, vars: {q: alike, unused: "1"}}, {id: b, vars: {q: alike, unused: "2"}}, {id: c, vars: {q: alike, unused: "3"}}]
            branches: [{id: small, provider: stub, model: m, template: "{% if q %}{{ q }}{% endif %}"}]
            """;
        run("name: unlike\n" + cases);
        int asked = model.prompts().size();

        String again = run("name: again\n" + cases + "reuse: any\n");

        int copied = copies(again).size();
        assertThat(outcomes(again))
                .hasSize(3)
                .allMatch(one -> one.get("status").asText().equals("COMPLETED"));
        assertThat(copies(again)).extracting(copy -> copy.get("origin")).doesNotHaveDuplicates();
        assertThat(model.prompts()).hasSize(asked + 3 - copied);
        assertThat(copied).isPositive();
    }

    @Test
    void shouldNotMatchWhenSomethingOfTheRequestDiffers() throws Exception {
        run(file("plain", List.of("differs"), ""));
        int asked = model.prompts().size();
        List<String> branches = List.of(
                "{id: small, provider: stub, model: other}",
                "{id: small, provider: stub, model: m, systemPrompt: Be brief}",
                "{id: small, provider: stub, model: m, parameters: {temperature: 0.5}}",
                "{id: small, provider: stub, model: m, parameters: {maxOutputTokens: 77}}");
        for (String branch : branches) {
            assertThat(copies(run("""
                name: differs
                cases: [{id: a, prompt: differs}]
                branches: [%s]
                reuse: any
                """.formatted(branch)))).as(branch).isEmpty();
        }
        assertThat(model.prompts()).hasSize(asked + branches.size());
        assertThat(copies(run("""
            name: same
            cases: [{id: other, vars: {q: differs}, checks: [{type: contains, value: Paris}]}]
            branches: [{id: renamed, provider: stub, model: m, template: "{{ q }}"}]
            reuse: any
            """)))
                .as("neither the case's name nor how the prompt is written is part of the request")
                .hasSize(1);
    }

    @Test
    void shouldTakeTheDrawThatCountsWhenFailuresWereAskedAgain() throws Exception {
        AtomicBoolean mended = new AtomicBoolean();
        model.answerBy((name, prompt) -> mended.get() ? "Paris" : "Lyon");
        String first = run(file("laundry", List.of("launder 1", "launder 2"), ""));
        mended.set(true);
        HttpRequest rerun = HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/campaigns/" + first + "/rerun"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"only\": \"failed\"}"))
                .build();
        assertThat(http.send(rerun, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isLessThan(300);
        await().atMost(Api.PATIENCE)
                .until(() -> api.state(first).equals("COMPLETED")
                        && outcomes(first).stream()
                                .allMatch(one -> one.get("passed").asBoolean()));
        int asked = model.prompts().size();

        String again = run(file("laundered", List.of("launder 1", "launder 2"), "reuse: any\n"));

        assertThat(model.prompts()).hasSize(asked);
        assertThat(copies(again)).hasSize(2).allSatisfy(copy -> {
            assertThat(copy.get("passed").asBoolean())
                    .as("the first draw counts")
                    .isFalse();
            assertThat(copy.at("/origin/draw").asInt()).isZero();
        });
        assertThat(api.get("/api/v1/campaigns/" + again + "/report")
                        .get("redrawn")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void shouldAskAgainWhenACopiedCellIsRunAgain() throws Exception {
        run(file("once", List.of("run again"), ""));
        String copy = run(file("copy", List.of("run again"), "reuse: any\n"));
        int asked = model.prompts().size();
        HttpRequest rerun = HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/campaigns/" + copy + "/rerun"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"whole\": true}"))
                .build();
        assertThat(http.send(rerun, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isLessThan(300);

        await().atMost(Api.PATIENCE).until(() -> model.prompts().size() == asked + 1);
        await().atMost(Api.PATIENCE).until(() -> api.state(copy).equals("COMPLETED"));
        assertThat(copies(copy)).isEmpty();
    }

    @Test
    void shouldAskWhenAnswersAreTooOldOrOfAnotherCampaign() throws Exception {
        run(file("of-one", List.of("limited"), ""));
        String other = run(file("of-other", List.of("not limited"), ""));

        assertThat(copies(run(file("from", List.of("limited"), "reuse: {from: [" + other + "]}\n"))))
                .isEmpty();
        assertThat(copies(run(file("kept", List.of("limited"), "reuse: {from: any, maxAge: 1m}\n"))))
                .hasSize(1);
        assertThat(copies(run(file("judges", List.of("limited"), "reuse: {from: any, calls: [judge]}\n"))))
                .isEmpty();
    }

    @Test
    void shouldPayNoGradeAgainWhenItIsOnRecord() throws Exception {
        String graded = """
            name: graded
            cases: [{id: a, prompt: to be graded, checks: [{type: rubric, value: It names a city}]}]
            branches: [{id: small, provider: stub, model: m}]
            grader: {provider: stub, model: judge}
            trials: 2
            """;
        model.answerBy((name, prompt) ->
                name.equals("judge") ? "{\"pass\": true, \"score\": 1, \"reason\": \"It does.\"}" : "Paris");
        run(graded);
        int asked = model.prompts().size();

        String again = run(graded + "reuse: any\n");

        assertThat(model.prompts()).hasSize(asked);
        assertThat(get(again, "").at("/account/reused"))
                .isEqualTo(Json.tree("{\"cells\": 2, \"calls\": 2, \"savedUsd\": 0.4}"));
        assertThat(outcomes(again)).allMatch(one -> one.get("passed").asBoolean());

        run(graded + "reuse: {from: any, calls: [branch]}\n");
        assertThat(model.prompts()).as("grades are asked for").hasSize(asked + 2);
    }

    @Test
    void shouldRefuseWhatCannotBeReused() throws Exception {
        for (var wrong : List.of(
                List.of("reuse: {from: none-00000000}", "reuse.from"),
                List.of("reuse: {from: []}", "reuse.from"),
                List.of("reuse: some", "reuse"),
                List.of("reuse: {from: any, maxAge: 0d}", "reuse.maxAge"),
                List.of("reuse: {from: any, maxAge: -1d}", "reuse.maxAge"),
                List.of("reuse: {from: any, maxAge: 3w}", "reuse.maxAge"),
                List.of("reuse: {from: any, calls: [nobody]}", "reuse.calls[0]"),
                List.of("reuse: {since: any}", "reuse.from"))) {
            HttpResponse<String> answer = submit(file("wrong", List.of("x"), wrong.getFirst() + "\n"));
            assertThat(answer.statusCode()).as(wrong.getFirst()).isEqualTo(422);
            assertThat(Json.tree(answer.body()).get("errors").findValuesAsText("path"))
                    .contains(wrong.getLast());
        }
    }

    @Test
    void shouldSayWhatIsReusedWhenACommandRuns(@TempDir Path directory) throws Exception {
        String first = run(file("by-api", List.of("by command"), ""));
        Path file = directory.resolve("campaign.yaml");
        Files.writeString(file, file("by-command", List.of("by command"), ""));
        int asked = model.prompts().size();

        CommandRun run = CommandRun.of(
                "run",
                file.toString(),
                "--reuse",
                first,
                "--server",
                server.api().toString());

        assertThat(run.out() + run.err()).contains("Reused: 1 stored answer");
        assertThat(model.prompts()).hasSize(asked);

        Files.writeString(file, file("by-command", List.of("by command"), "reuse: any\n"));
        CommandRun live = CommandRun.of(
                "run", file.toString(), "--no-reuse", "--server", server.api().toString());
        assertThat(live.out() + live.err()).doesNotContain("Reused");
        assertThat(model.prompts()).hasSize(asked + 1);
    }
}
