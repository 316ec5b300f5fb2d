package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.engine.EngineKind;
import dev.assay.cli.file.DocumentFile;
import dev.assay.cli.server.AssayServer;
import dev.assay.cli.server.DataDirectory;
import dev.assay.cli.server.ServerOptions;
import dev.assay.cli.testing.Await;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One prompt through several branches: what a client of the API and of the command line sees. */
@Timeout(180)
class EvaluationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static StubModel model;
    private static AssayServer server;
    private static HttpClient http;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        model = new StubModel();
        model.writeProviders(data);
        server = AssayServer.tryStart(
                        DataDirectory.open(data),
                        new ServerOptions(
                                "assay up", "127.0.0.1", 0, EngineKind.IN_PROCESS, ServerOptions.Role.SERVICE))
                .orElseThrow();
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        http.shutdownNow();
        server.close();
        model.close();
    }

    @AfterEach
    void calm() {
        model.delay(Duration.ZERO);
        model.answerBy((name, prompt) -> "Paris");
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/evaluations" + path));
    }

    private static HttpResponse<String> post(String path, String body) throws Exception {
        return http.send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode get(String path) throws Exception {
        return Json.tree(http.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    /** An evaluation that ended within the wait. */
    private static JsonNode ended(String path, String body) throws Exception {
        HttpResponse<String> response = post(path + "?wait=60s", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.tree(response.body());
    }

    private record Sent(long id, String name, JsonNode data) {}

    private static List<Sent> events(String id, long after) throws Exception {
        List<String> lines = http.send(
                        request("/" + id + "/events")
                                .header("Last-Event-ID", Long.toString(after))
                                .timeout(PATIENCE)
                                .build(),
                        HttpResponse.BodyHandlers.ofLines())
                .body()
                .toList();
        List<Sent> sent = new ArrayList<>();
        String number = "";
        String name = "";
        for (String line : lines) {
            if (line.startsWith("id: ")) {
                number = line.substring(4);
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("data: ")) {
                sent.add(new Sent(Long.parseLong(number), name, Json.tree(line.substring(6))));
            }
        }
        return sent;
    }

    private static List<String> texts(JsonNode list, String field) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(item -> item.path(field).asText())
                .toList();
    }

    private static final String TWO = """
        {"prompts": ["What is the capital of France?", "Answer in one word."],
         "context": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}],
         "branches": [{"id": "small", "provider": "stub", "model": "m-small"},
                      {"provider": "stub", "model": "m/large", "thinking": "off"}],
         "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "j"}}}
        """;

    @Test
    void shouldAnswerWithEverythingWhenTheClientWaits() throws Exception {
        model.answerBy((name, prompt) -> name.equals("j") ? "2" : "Answer of " + name);

        JsonNode result = ended("", TWO);

        String session = result.path("sessionId").asText();
        assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(result.path("selectedIndex").asInt()).isEqualTo(1);
        assertThat(result.path("selectedLoopId").asText()).isEqualTo(session + ".stub.m-large.2");
        assertThat(texts(result.path("outcomes"), "loopId"))
                .containsExactly(session + ".small.1", session + ".stub.m-large.2");
        assertThat(texts(result.path("outcomes"), "branchId")).containsExactly("small", "stub.m-large");
        assertThat(texts(result.path("outcomes"), "originalContextLength")).containsExactly("2", "2");
        assertThat(texts(result.path("selectedMessages"), "content"))
                .containsExactly("What is the capital of France?", "Answer in one word.", "Answer of m/large");
        assertThat(texts(result.path("selectedContext"), "content"))
                .containsExactly(
                        "Hello", "Hi", "What is the capital of France?", "Answer in one word.", "Answer of m/large");
        assertThat(result.at("/evaluationUsage/total").asInt()).isEqualTo(15);
        assertThat(result.at("/totalUsage/total").asInt()).isEqualTo(45);
        assertThat(result.path("costUsd").decimalValue()).isEqualByComparingTo("0.3");
        JsonNode judge = result.at("/selection/judge/0");
        assertThat(judge.path("loopId").asText()).isEqualTo(session + ".stub.j.3");
        assertThat(judge.path("prompt").asText())
                .startsWith("Prior conversation context:\nUser: Hello\nAssistant: Hi\n\n")
                .contains("Original query:\nWhat is the capital of France?\nAnswer in one word.\n\n");
        assertThat(get("/" + result.path("id").asText())).isEqualTo(result);
    }

    @Test
    void shouldTellEveryLoopInOrderWhenItsEventsAreRead() throws Exception {
        model.answerBy((name, prompt) -> name.equals("j") ? "1" : "Answer of " + name);
        String id = ended("", TWO).path("id").asText();

        List<Sent> all = events(id, 0);

        assertThat(all.getFirst().name()).isEqualTo("ParallelLoopStart");
        assertThat(all.getFirst().data().path("loopIds")).hasSize(2);
        assertThat(all.getLast().name()).isEqualTo("ParallelLoopEnd");
        assertThat(all.getLast().data().path("selectedIndex").asInt()).isZero();
        assertThat(all.getLast().data().at("/evaluationUsage/total").asInt()).isEqualTo(15);
        assertThat(all)
                .extracting(Sent::id)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, all.size()).boxed().toList());
        List<String> loops = all.stream()
                .map(sent -> sent.data().path("loopId").asText())
                .filter(loop -> !loop.isEmpty())
                .distinct()
                .toList();
        assertThat(loops).as("two branches and the judge").hasSize(3);
        for (String loop : loops) {
            List<String> names = all.stream()
                    .filter(sent -> sent.data().path("loopId").asText().equals(loop))
                    .map(Sent::name)
                    .toList();
            assertThat(names)
                    .startsWith("AgentStart", "TurnStart", "MessageStart", "MessageEnd")
                    .endsWith("MessageStart", "MessageUpdate", "MessageEnd", "TurnEnd", "AgentEnd");
        }
        assertThat(events(id, 5)).isEqualTo(all.subList(5, all.size()));
        assertThat(events(id, all.size())).isEmpty();
    }

    @Test
    void shouldSendEventsWhileTheyHappen() throws Exception {
        model.delay(Duration.ofMillis(700));
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "branches": [{"provider": "stub", "model": "m"}]}
            """).body()).path("id").asText();
        List<String> seen = new CopyOnWriteArrayList<>();
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                http.send(request("/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                        .body()
                        .filter(line -> line.startsWith("event: "))
                        .forEach(seen::add);
            } catch (Exception e) {
                seen.add(e.toString());
            }
        });

        Await.until(PATIENCE, () -> seen.contains("event: TurnStart"));
        assertThat(seen).as("the model has not answered yet").doesNotContain("event: TurnEnd");
        reader.join(PATIENCE);
        assertThat(seen).endsWith("event: AgentEnd", "event: ParallelLoopEnd");
    }

    @Test
    void shouldKeepTheSessionAndCountOnWhenItIsContinuedTenTimes() throws Exception {
        model.answerBy((name, prompt) -> "Re: " + prompt);
        JsonNode first = ended("", """
            {"prompts": ["Start"], "branches": [{"id": "a", "provider": "stub", "model": "m"},
                                                {"id": "b", "provider": "stub", "model": "n"}]}
            """);
        JsonNode last = first;
        for (int i = 1; i <= 10; i++) {
            last = ended("/" + last.path("id").asText() + "/continue", "{\"prompts\": [\"More " + i + "\"]}");
        }

        assertThat(last.path("sessionId")).isEqualTo(first.path("sessionId"));
        assertThat(last.path("selectedContext")).hasSize(22);
        assertThat(last.at("/outcomes/0/originalContextLength").asInt()).isEqualTo(20);
        assertThat(last.at("/outcomes/0/loopId").asText())
                .isEqualTo(first.path("sessionId").asText() + ".a.12");
        assertThat(get("?sessionId=" + first.path("sessionId").asText()).path("items"))
                .hasSize(11);
    }

    @Test
    void shouldRunSeveralBranchesAgainWhenAContinuationNamesThem() throws Exception {
        JsonNode first = ended("", """
            {"prompts": ["Start"], "branches": [{"id": "a", "provider": "stub", "model": "m"}]}
            """);
        JsonNode next = ended("/" + first.path("id").asText() + "/continue", """
            {"prompts": ["Go on"], "strategy": {"type": "token-efficient"},
             "branches": [{"id": "b", "provider": "stub", "model": "m"}, {"id": "c", "provider": "stub", "model": "m"}]}
            """);

        assertThat(next.path("continues")).isEqualTo(first.path("id"));
        assertThat(texts(next.path("outcomes"), "loopId"))
                .containsExactly(
                        first.path("sessionId").asText() + ".b.2",
                        first.path("sessionId").asText() + ".c.3");
    }

    @Test
    void shouldRefuseAContinuationWithoutPromptsWhenTheContextEndsOnTheAssistant() throws Exception {
        String id = ended("", """
            {"prompts": ["Start"], "branches": [{"id": "a", "provider": "stub", "model": "m"}]}
            """).path("id").asText();

        HttpResponse<String> refused = post("/" + id + "/continue", "{}");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(Json.tree(refused.body()).at("/errors/0/path").asText()).isEqualTo("prompts");
    }

    @Test
    void shouldFailWithEachReasonWhenNoBranchCompletes() throws Exception {
        model.refuse(Set.of("Never?"));
        JsonNode result = ended("", """
            {"prompts": ["Never?"], "branches": [{"id": "a", "provider": "stub", "model": "m"},
                                                 {"id": "b", "provider": "stub", "model": "m"}]}
            """);
        model.refuse(Set.of());

        assertThat(result.path("state").asText()).isEqualTo("FAILED");
        assertThat(result.path("selectedIndex").isNull()).isTrue();
        assertThat(result.at("/error/code").asText()).isEqualTo("ALL_BRANCHES_FAILED");
        assertThat(result.at("/error/message").asText()).contains("branches[0]", "branches[1]", "Not this one");
        List<Sent> events = events(result.path("id").asText(), 0);
        assertThat(events)
                .extracting(Sent::name)
                .contains("AgentStart", "AgentEnd")
                .endsWith("ParallelLoopEnd");
        assertThat(post("/" + result.path("id").asText() + "/continue", "{\"prompts\": [\"x\"]}")
                        .statusCode())
                .isEqualTo(409);
    }

    /** Two branches, of which the one at {@code place} is {@code broken}, and a judge. */
    private static JsonNode withBroken(int place, String broken, String judge) throws Exception {
        String sound = "{\"id\": \"sound\", \"kind\": \"scripted\", \"script\": {\"answers\": [\"Well\"]}}";
        return ended("", """
            {"prompts": ["Why?"], "limits": {"timeoutSeconds": 1, "maxAttempts": 1}, "branches": [%s, %s, %s],
             "strategy": {"type": "llm-judge", "judge": {"kind": "scripted", "script": %s}}}
            """.formatted(
                        place == 0 ? broken : sound.replace("sound", "first"),
                        place == 1 ? broken : sound.replace("sound", "second"),
                        place == 2 ? broken : sound.replace("sound", "third"),
                        judge));
    }

    @Test
    void shouldJudgeTheOthersWhenABranchFailsInAnyPlace() throws Exception {
        String failing = """
            {"id": "broken", "kind": "scripted", "script": {"answers": ["x"], "failures": [{"status": 400}]}}\
            """;
        String late = """
            {"id": "late", "kind": "scripted", "script": {"answers": ["x"], "delayMs": 30000}}\
            """;
        for (int place = 0; place < 3; place++) {
            JsonNode failed = withBroken(place, failing, "{\"answers\": [\"2\"]}");
            JsonNode timedOut = withBroken(place, late, "{\"answers\": [\"2\"]}");

            // The judge is shown two responses; the second is that of the last branch that completed.
            int second = place == 2 ? 1 : 2;
            assertThat(failed.path("selectedIndex").asInt()).isEqualTo(second);
            assertThat(failed.at("/outcomes/" + place + "/status").asText()).isEqualTo("MODEL_ERROR");
            assertThat(timedOut.path("selectedIndex").asInt()).isEqualTo(second);
            assertThat(timedOut.at("/outcomes/" + place + "/status").asText()).isEqualTo("TIMED_OUT");
            assertThat(timedOut.at("/outcomes/" + place + "/error/code").asText())
                    .isEqualTo("CELL_TIMED_OUT");
        }
    }

    @Test
    void shouldTakeTheFirstAndSaySoWhenTheJudgeFailsOrIsLate() throws Exception {
        String sound = """
            {"id": "sound", "kind": "scripted", "script": {"answers": ["Well"]}}\
            """;
        for (String judge : List.of(
                "{\"answers\": [\"2\"], \"failures\": [{\"status\": 400}]}",
                "{\"answers\": [\"2\"], \"delayMs\": 30000}",
                "{\"answers\": [\"neither\"]}")) {
            JsonNode result = withBroken(0, sound, judge);

            assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
            assertThat(result.path("selectedIndex").asInt()).isZero();
            assertThat(result.at("/selection/fallback").asBoolean()).isTrue();
            assertThat(result.at("/selection/decided").asBoolean()).isFalse();
            assertThat(events(result.path("id").asText(), 0))
                    .extracting(Sent::name)
                    .endsWith("ParallelLoopEnd");
        }
    }

    @Test
    void shouldStillSelectWhenItIsCancelledWhileTheJudgeReads() throws Exception {
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "branches": [
              {"id": "a", "kind": "scripted", "script": {"answers": ["Because"]}},
              {"id": "b", "kind": "scripted", "script": {"answers": ["So"]}}],
             "strategy": {"type": "llm-judge", "judge": {"kind": "scripted", "script": {"answers": ["2"], "delayMs": 60000}}}}
            """).body()).path("id").asText();
        Await.until(PATIENCE, () -> get("/" + id).path("outcomes").size() == 2);
        Await.until(PATIENCE, () -> judgeBegan(id));

        JsonNode result = Json.tree(post("/" + id + "/cancel", "").body());

        assertThat(result.path("state").asText()).isEqualTo("CANCELLED");
        assertThat(result.path("selectedBranchId").asText()).isEqualTo("a");
        assertThat(result.at("/selection/fallback").asBoolean()).isTrue();
    }

    /** The first events of a stream that goes on, until a third loop begins. */
    private static boolean judgeBegan(String id) throws Exception {
        try (Stream<String> lines = http.send(
                        request("/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                .body()) {
            return lines.filter(line -> line.equals("event: AgentStart"))
                            .limit(3)
                            .count()
                    == 3;
        }
    }

    @Test
    void shouldChooseAmongTheOthersWhenABranchIsCancelled() throws Exception {
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "strategy": {"type": "pick-first"}, "branches": [
              {"id": "slow", "kind": "scripted", "script": {"answers": ["Late"], "delayMs": 60000}},
              {"id": "quick", "kind": "scripted", "script": {"answers": ["Soon"]}}]}
            """).body()).path("id").asText();
        Await.until(PATIENCE, () -> get("/" + id).path("outcomes").size() == 1);

        HttpResponse<String> cancelled = post("/" + id + "/cancel", "{\"branch\": \"slow\"}");
        assertThat(cancelled.statusCode()).isEqualTo(200);
        JsonNode result = get("/" + id + "?wait=10s");

        assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(texts(result.path("outcomes"), "status")).containsExactly("CANCELLED", "COMPLETED");
        assertThat(result.path("selectedBranchId").asText()).isEqualTo("quick");
        assertThat(post("/" + id + "/cancel", "{\"branch\": \"fast\"}").body()).contains("branches are slow, quick");
    }

    @Test
    void shouldSelectOrDiscardAsAskedWhenItIsCancelled() throws Exception {
        assertThat(cancelledWith("select").path("selectedBranchId").asText()).isEqualTo("quick");
        assertThat(cancelledWith("discard").path("selectedIndex").isNull()).isTrue();
    }

    private static JsonNode cancelledWith(String rule) throws Exception {
        String id = Json.tree(post("", """
            {"prompts": ["Why?"], "onCancel": "%s", "branches": [
              {"id": "slow", "kind": "scripted", "script": {"answers": ["Late"], "delayMs": 60000}},
              {"id": "quick", "kind": "scripted", "script": {"answers": ["Soon"]}}]}
            """.formatted(rule)).body()).path("id").asText();
        Await.until(PATIENCE, () -> get("/" + id).path("outcomes").size() == 1);

        Instant asked = Instant.now();
        JsonNode result = Json.tree(post("/" + id + "/cancel", "").body());

        assertThat(Duration.between(asked, Instant.now()))
                .as("until nothing runs any more")
                .isLessThan(Duration.ofSeconds(3));
        assertThat(result.path("state").asText()).isEqualTo("CANCELLED");
        assertThat(texts(result.path("outcomes"), "status")).containsExactly("CANCELLED", "COMPLETED");
        assertThat(post("/" + id + "/cancel", "").statusCode()).as("again").isEqualTo(200);
        assertThat(events(id, 0)).extracting(Sent::name).endsWith("ParallelLoopEnd");
        return result;
    }

    @Test
    void shouldAnswerWithTheSameEvaluationWhenItIsSentTwiceWithOneKey() throws Exception {
        HttpRequest request = request("")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "once")
                .POST(HttpRequest.BodyPublishers.ofString(TWO))
                .build();
        String first = Json.tree(
                        http.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .path("id")
                .asText();

        HttpResponse<String> again = http.send(request, HttpResponse.BodyHandlers.ofString());

        assertThat(again.statusCode()).isEqualTo(202);
        assertThat(Json.tree(again.body()).path("id").asText()).isEqualTo(first);
        assertThat(again.headers().firstValue("Location")).contains("/api/v1/evaluations/" + first);
    }

    @Test
    void shouldNameEveryErrorWhenTheRequestIsWrong() throws Exception {
        HttpResponse<String> wrong = post("", """
            {"prompts": ["ok", ""], "promt": 1, "onCancel": "keep",
             "branches": [{"provider": "nobody", "model": "m"}], "strategy": {"type": "transparent"}}
            """);

        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(texts(Json.tree(wrong.body()).path("errors"), "path"))
                .containsExactlyInAnyOrder("promt", "prompts[1]", "onCancel", "branches[0].provider");
        assertThat(post("?wait=soon", TWO).statusCode()).isEqualTo(422);
        assertThat(post("?wait=11m", TWO).statusCode()).isEqualTo(422);
        assertThat(post("/none/continue", "{}").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldReadTheExamplesWhenTheyAreRun() throws Exception {
        String url = server.api().toString();
        Path examples = Path.of("..", "examples", "evaluations");

        CommandRun offline = CommandRun.of(
                "evaluate", "--server", url, examples.resolve("offline.yaml").toString());
        assertThat(offline.code()).as(offline.err()).isZero();
        assertThat(offline.out()).startsWith("Quantum mechanics: it explains");

        for (String name : List.of("minimal.yaml", "judged.yaml")) {
            JsonNode document = DocumentFile.read(examples.resolve(name));
            document.findParents("provider").forEach(agent -> ((ObjectNode) agent).put("provider", "stub"));
            assertThat(ended("", document.toString()).path("state").asText())
                    .as(name)
                    .isEqualTo("COMPLETED");
        }
    }

    @Test
    void shouldPrintTheSelectedResponseWhenRunFromTheCommandLine() {
        String url = server.api().toString();

        CommandRun run = CommandRun.of(
                "evaluate", "--server", url, "--prompt", "Capital?", "--branch", "stub/m", "--branch", "stub/n");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("Paris\n");
        assertThat(run.err()).contains("stub.m", "stub.n", "COMPLETED", "The first branch.");
        assertThat(CommandRun.of("evaluate", "--server", url).code()).isEqualTo(2);
        assertThat(CommandRun.of("evaluate", "--server", url, "--prompt", "x", "--branch", "m")
                        .code())
                .isEqualTo(2);
    }
}
