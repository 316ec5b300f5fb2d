package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns and evaluations that share a provider with two permits. */
@Tag("slow")
@Timeout(120)
final class FairnessTest {

    private static final int PERMITS = 2;
    private static final Duration CALL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static StubModel model;
    private static AssayServer server;
    private static HttpClient http;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        model = new StubModel();
        model.writeProviders(data, PERMITS);
        model.delay(CALL);
        server = InProcessServer.start(data);
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    @AfterAll
    static void stop() {
        http.shutdownNow();
        server.close();
        model.close();
    }

    @Test
    void shouldAskForAnEvaluationNextWhateverACampaignHasOpen() throws Exception {
        String campaign = campaign("busy", 600);
        awaitCalls("busy", 10);

        long before = System.nanoTime();
        post("/evaluations", """
            {"prompts": ["urgent"], "branches": [{"id": "b", "provider": "stub", "model": "m"}]}
            """);
        awaitCalls("urgent", 1);
        Duration waited = Duration.ofNanos(System.nanoTime() - before);

        assertThat(waited).isLessThan(CALL.plusSeconds(2));
        post("/campaigns/" + campaign + "/cancel", "{}");
    }

    /** Submits a campaign of one branch, whose prompts begin with {@code prompt}; answers its id. */
    private static String campaign(String prompt, int cases) throws Exception {
        String list = IntStream.range(0, cases)
                .mapToObj(i -> "{\"id\": \"c" + i + "\", \"prompt\": \"" + prompt + " " + i + "\"}")
                .collect(Collectors.joining(","));
        return post("/campaigns", """
            {"name": "%s", "cases": [%s], "branches": [{"id": "b", "provider": "stub", "model": "m"}],
             "limits": {"maxConcurrent": 200}}
            """.formatted(prompt, list)).path("id").asText();
    }

    private static void awaitCalls(String prompt, long atLeast) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> calls(prompt) >= atLeast);
    }

    private static long calls(String prompt) {
        return calls(model.prompts(), prompt);
    }

    private static long calls(List<String> prompts, String prompt) {
        return prompts.stream().filter(asked -> asked.startsWith(prompt)).count();
    }

    private static JsonNode post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.api() + "/api/v1" + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isLessThan(300);
        return Json.tree(response.body());
    }
}
