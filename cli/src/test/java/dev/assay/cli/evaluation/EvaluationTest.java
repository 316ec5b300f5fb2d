package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.file.DocumentFile;
import dev.assay.cli.testing.CommandRun;
import dev.assay.domain.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
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
}
