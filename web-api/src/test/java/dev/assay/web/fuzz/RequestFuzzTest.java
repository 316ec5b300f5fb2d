package dev.assay.web.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import dev.assay.web.fuzz.FuzzRun.Result;
import dev.assay.web.fuzz.FuzzRun.Settings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Whatever is sent to whatever address: the answer is no 5xx, it comes in time, and liveness answers all the while. */
@Tag("slow")
@Timeout(7_200)
class RequestFuzzTest {

    private static final Settings SETTINGS = new Settings(
            Integer.getInteger("assay.fuzz.requests", 5_000),
            Long.getLong("assay.fuzz.seed", 9),
            Integer.getInteger("assay.fuzz.largest", 300_000),
            Duration.ofSeconds(Integer.getInteger("assay.fuzz.slow", 3)));

    private static final int SLOW_READINGS = 4;
    private static final int SLOW_LINES = 1_000_000;

    @Test
    void shouldAnswerWithoutServerErrorsAndInTimeWhenRequestsAreHostile() throws Exception {
        try (ServerFixture server = ServerFixture.start(Map.of("assay.streams.per-address", 100))) {
            shouldWithstand(server.uri());
        }
    }

    /** {@code benchmarks/fuzz} starts the server. */
    @Test
    @EnabledIfSystemProperty(named = "assay.fuzz.server", matches = "http.*")
    void shouldAnswerWithoutServerErrorsAndInTimeWhenTheServerIsAProcessOfItsOwn() throws Exception {
        shouldWithstand(URI.create(System.getProperty("assay.fuzz.server")));
    }

    private static void shouldWithstand(URI server) throws Exception {
        String openApi = ask(HttpRequest.newBuilder(server.resolve("/openapi")), 200);
        List<String> ids = List.of(campaign(server), evaluation(server));
        readSlowly(server);
        startComputing(server);

        Result result = new FuzzRun(server, SETTINGS).run(CampaignDocument.parse(openApi), ids);

        System.out.println(result);
        assertThat(result.failures()).isEmpty();
        assertThat(result.livenessAnswers()).isGreaterThan(10);
        assertThat(campaign(server)).as("a campaign after all that").isNotEmpty();
    }

    /** More documents at once than there are readers, each of which takes a reader for long. */
    private static void readSlowly(URI server) throws Exception {
        String slow = "- {a: b, c: d}\n".repeat(SLOW_LINES);
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/api/v1/campaigns"))
                .header("Content-Type", "application/yaml")
                .timeout(Duration.ofSeconds(120))
                .POST(BodyPublishers.ofString(slow))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, SLOW_READINGS)
                    .mapToObj(_ -> client.sendAsync(request, BodyHandlers.ofString()))
                    .toList();
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().statusCode()).as(answer.get().body()).isIn(413, 422, 503);
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> ask(HttpRequest.newBuilder(server.resolve("/health/readiness")), 200));
    }

    /** The first computation waits for a process to start, which a loaded machine delays. */
    private static void startComputing(URI server) throws Exception {
        ask(
                HttpRequest.newBuilder(server.resolve("/api/v1/judge/preview"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"query\": \"Why?\", \"responses\": [\"A\", \"B\"]}")),
                200);
    }

    private static String campaign(URI server) throws Exception {
        return submit(
                server,
                "/api/v1/campaigns",
                new SampleCampaign("fuzz", 2, 2, 1).document().toString());
    }

    private static String evaluation(URI server) throws Exception {
        String document = "{\"prompts\": [\"Why?\"], \"branches\": [{\"provider\": \"openai\", \"model\": \"m\"}]}";
        return submit(server, "/api/v1/evaluations", document);
    }

    private static String submit(URI server, String path, String document) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(document));
        return Json.tree(ask(request, 202)).path("id").asText();
    }

    private static String ask(HttpRequest.Builder request, int status) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> response =
                    client.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            return response.body();
        }
    }
}
