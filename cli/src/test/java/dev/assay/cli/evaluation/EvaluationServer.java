package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubModel;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A server with a model, and what a client of its evaluations sends and reads. The classes of tests share it one after the other. */
abstract class EvaluationServer {

    static final Duration PATIENCE = Duration.ofSeconds(60);

    static StubModel model;
    static AssayServer server;
    static HttpClient http;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        model = new StubModel();
        model.writeProviders(data);
        server = InProcessServer.start(data);
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        http.shutdownNow();
        server.close();
        model.close();
    }

    /** What a test has left running would be asked for in the next. */
    @AfterEach
    void calm() throws Exception {
        for (JsonNode evaluation : get("?pageSize=100").path("items")) {
            if (evaluation.path("finishedAt").isNull()) {
                post("/" + evaluation.path("id").asText() + "/cancel", "{}");
            }
        }
        model.delay(Duration.ZERO);
        model.answerBy((name, prompt) -> name.equals("j") ? "1" : "Paris");
        model.replyBy(request -> null);
    }

    static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.api() + "/api/v1/evaluations" + path));
    }

    static HttpResponse<String> post(String path, String body) throws Exception {
        return http.send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    static JsonNode get(String path) throws Exception {
        return Json.tree(http.send(request(path).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    /** An evaluation that ended within the wait. */
    static JsonNode ended(String path, String body) throws Exception {
        HttpResponse<String> response = post(path + "?wait=60s", body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.tree(response.body());
    }

    record Sent(long id, String name, JsonNode data) {}

    static List<Sent> events(String id, long after) throws Exception {
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

    /** Each loop is told from its start to its end, once, and the evaluation's end is the last. */
    static void assertInOrder(List<Sent> events) {
        assertThat(events.getFirst().name()).isEqualTo("ParallelLoopStart");
        assertThat(events.getLast().name()).isEqualTo("ParallelLoopEnd");
        events.stream()
                .map(sent -> sent.data().path("loopId").asText())
                .filter(loop -> !loop.isEmpty())
                .distinct()
                .forEach(loop -> assertThat(events)
                        .filteredOn(sent -> sent.data().path("loopId").asText().equals(loop))
                        .extracting(Sent::name)
                        .startsWith("AgentStart")
                        .endsWith("AgentEnd")
                        .containsOnlyOnce("AgentStart", "AgentEnd"));
    }

    static List<String> texts(JsonNode list, String field) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(item -> item.path(field).asText())
                .toList();
    }

    static final String TWO = """
        {"prompts": ["What is the capital of France?", "Answer in one word."],
         "context": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}],
         "branches": [{"id": "small", "provider": "stub", "model": "m-small"},
                      {"provider": "stub", "model": "m/large", "thinking": "off"}],
         "strategy": {"type": "llm-judge", "judge": {"provider": "stub", "model": "j"}}}
        """;
}
