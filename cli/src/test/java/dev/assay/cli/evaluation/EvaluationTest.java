package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.file.DocumentFile;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One prompt through several branches: what a client of the API and of the command line sees. */
@Timeout(180)
class EvaluationTest extends EvaluationServer {

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

    /** The examples and criteria of the document of that name, with the server of this class. */
    @Nested
    class ParallelismDocument extends EvaluationalParallelism {}

    /** The same of the other document. */
    @Nested
    class JudgeDocument extends LlmJudgeEvaluation {}

    @Test
    void shouldStartFromTheWinnersWholeContextWhenAContinuationHasOtherBranches() throws Exception {
        JsonNode first = ended("", """
            {"prompts": ["Start"], "systemPrompt": "Be brief.", "tools": [{"type": "calculator"}],
             "branches": [{"id": "a", "provider": "stub", "model": "m", "tools": [{"type": "current_time"}]}]}
            """);
        List<JsonNode> requests = new CopyOnWriteArrayList<>();
        model.replyBy(request -> {
            requests.add(request);
            return null;
        });
        String id = first.path("id").asText();

        ended("/" + id + "/continue", """
            {"prompts": ["Go on"], "branches": [{"provider": "stub", "model": "other"},
               {"provider": "stub", "model": "own", "systemPrompt": "Be long.", "tools": []}]}
            """);
        JsonNode replaced = ended("/" + id + "/continue", "{\"prompts\": [\"Go on\"], \"systemPrompt\": \"Be kind.\"}");

        assertThat(system(requests, "other")).isEqualTo("Be brief.");
        assertThat(tools(requests, "other")).containsExactly("calculator", "current_time");
        assertThat(system(requests, "own")).isEqualTo("Be long.");
        assertThat(tools(requests, "own")).isEmpty();
        assertThat(system(requests, "m")).as("the winner that goes on alone").isEqualTo("Be kind.");
        assertThat(tools(requests, "m")).containsExactly("calculator", "current_time");
        assertThat(replaced.at("/context/systemPrompt").asText()).isEqualTo("Be kind.");
        assertThat(first.at("/context/systemPrompt").asText()).isEqualTo("Be brief.");
    }

    private static JsonNode of(List<JsonNode> requests, String model) {
        return requests.stream()
                .filter(request -> request.path("model").asText().equals(model))
                .findFirst()
                .orElseThrow();
    }

    private static String system(List<JsonNode> requests, String model) {
        return of(requests, model).at("/messages/0/content").asText();
    }

    private static List<String> tools(List<JsonNode> requests, String model) {
        List<String> names = new ArrayList<>();
        of(requests, model)
                .path("tools")
                .forEach(tool -> names.add(tool.at("/function/name").asText()));
        return names;
    }

    @Test
    void shouldSendTheImageWhenAPromptIsAMessageAndNameABlockThatIsMisplaced() throws Exception {
        List<JsonNode> requests = new CopyOnWriteArrayList<>();
        model.replyBy(request -> {
            requests.add(request);
            return null;
        });
        String prompts = """
            {"prompts": ["Look:", {"role": "user", "content": [{"type": "text", "text": "What is it?"},
               {"type": "image", "mediaType": "image/png", "data": "iVBORw0KGgo="}]}]%s}
            """;
        String branches = ", \"branches\": [{\"provider\": \"stub\", \"model\": \"looks\"}]";

        JsonNode result = ended("", prompts.formatted(branches));
        JsonNode next = ended("/" + result.path("id").asText() + "/continue", prompts.formatted(""));

        assertThat(of(requests, "looks").at("/messages/0/content").asText()).isEqualTo("Look:");
        assertThat(of(requests, "looks")
                        .at("/messages/1/content/1/image_url/url")
                        .asText())
                .isEqualTo("data:image/png;base64,iVBORw0KGgo=");
        assertThat(next.at("/selectedContext/4/content/1/mediaType").asText()).isEqualTo("image/png");
        HttpResponse<String> wrong = post("", """
            {"prompts": ["x"], "context": [{"role": "user", "content": [{"type": "thinking", "text": "Hm"}]}]%s}
            """.formatted(branches));
        assertThat(wrong.statusCode()).isEqualTo(422);
        assertThat(texts(Json.tree(wrong.body()).path("errors"), "path")).containsExactly("context[0].content[0]");
    }

    @Test
    void shouldNameContinueWhenACampaignsVerbIsAskedOfAnEvaluation() throws Exception {
        String id = ended("", """
            {"prompts": ["Start"], "branches": [{"id": "a", "provider": "stub", "model": "m"}]}
            """).path("id").asText();

        for (String verb : List.of("POST resume", "POST rerun", "POST pause", "PATCH ")) {
            String[] parts = verb.split(" ", -1);
            HttpResponse<String> refused = http.send(
                    HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/campaigns/" + id
                                    + (parts[1].isEmpty() ? "" : "/" + parts[1])))
                            .header("Content-Type", "application/json")
                            .method(
                                    parts[0],
                                    HttpRequest.BodyPublishers.ofString(
                                            parts[0].equals("PATCH") ? "{\"maxConcurrent\": 3}" : ""))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(refused.statusCode()).as(verb).isEqualTo(409);
            assertThat(refused.body()).as(verb).contains("/api/v1/evaluations/" + id + "/continue");
        }
        assertThat(events(id, 0))
                .extracting(Sent::name)
                .containsOnlyOnce("ParallelLoopEnd")
                .endsWith("ParallelLoopEnd");
    }

    @Test
    void shouldNeverRepeatALoopIdWhenOneEvaluationIsContinuedSeveralTimesAtOnce() throws Exception {
        model.answerBy((name, prompt) -> name.equals("j") ? "2" : "Answer of " + name);
        JsonNode first = ended("", TWO);
        String more = """
            {"prompts": ["More"], "branches": [{"id": "x", "provider": "stub", "model": "m"},
                                               {"id": "x2", "provider": "stub", "model": "m"}]}
            """;
        List<JsonNode> ended = new CopyOnWriteArrayList<>(List.of(first));
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 6; i++) {
                clients.submit(() -> ended.add(ended("/" + first.path("id").asText() + "/continue", more)));
            }
        }

        assertThat(ended).hasSize(7);
        List<String> loops = new ArrayList<>();
        ended.forEach(evaluation -> {
            loops.addAll(texts(evaluation.path("outcomes"), "loopId"));
            loops.addAll(texts(evaluation.at("/selection/judge"), "loopId"));
        });
        assertThat(loops)
                .hasSize(7 * 3)
                .allMatch(loop -> loop.startsWith(first.path("sessionId").asText()));
        assertThat(loops.stream().map(loop -> loop.substring(loop.lastIndexOf('.') + 1)))
                .as("numbers in the session")
                .doesNotHaveDuplicates();
    }

    @Test
    void shouldKeepChecksAndWrittenConcurrencyWhenItIsContinued() throws Exception {
        model.answerBy((name, prompt) -> name.equals("good") ? "Paris" : "Rome");
        String two = "\"branches\": [{\"provider\": \"stub\", \"model\": \"bad\"}, {\"provider\": \"stub\", \"model\":"
                + " \"good\"}]";
        String bad = "{\"provider\": \"stub\", \"model\": \"bad\"},";
        JsonNode first = ended("", """
            {"prompts": ["Capital?"], "strategy": {"type": "highest-score"}, "limits": {"maxConcurrent": 7},
             "checks": [{"type": "icontains", "value": "Paris"}], %s}
            """.formatted(two));

        JsonNode next = ended(
                "/" + first.path("id").asText() + "/continue",
                "{\"prompts\": [\"Again?\"], " + two.replace("[", "[" + bad) + "}");

        assertThat(next.path("selectedIndex").asInt()).isEqualTo(2);
        assertThat(next.at("/selection/fallback").asBoolean()).isFalse();
        assertThat(campaign(next.path("id").asText()).path("maxConcurrent").asInt())
                .isEqualTo(7);
    }

    private static JsonNode campaign(String id) throws Exception {
        return Json.tree(http.send(
                        HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/campaigns/" + id))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body());
    }
}
