package dev.assay.cli.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.StubModel.Reply;
import dev.assay.domain.json.Json;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Hypotheses that are scored in batches: what a client of the API and of the command line sees. */
@Timeout(180)
@Tag("slow")
class HypothesisEvaluationTest extends EvaluationServer {

    private static final Pattern SHOWN = Pattern.compile("<hypothesis id=\"(h\\d+)\">");
    private static final String LATER = "{\"error\":{\"message\":\"Later\"}}";

    @BeforeEach
    void scoreEverythingAlike() {
        model.answerBy((name, prompt) -> reply(shown(prompt), "4"));
    }

    private static List<String> shown(String prompt) {
        Matcher ids = SHOWN.matcher(prompt);
        List<String> shown = new ArrayList<>();
        while (ids.find()) {
            shown.add(ids.group(1));
        }
        return shown;
    }

    private static List<String> shown(JsonNode request) {
        return shown(request.at("/messages/1/content").asText());
    }

    private static String reply(List<String> ids, String novelty) {
        return ids.stream()
                .map("""
                    {"id": "%%s", "scores": {"specificity": 4, "novelty": %s, "connectionValidity": 4, "feasibility": 4,
                     "grounding": 4}, "verdict": "pass", "reasons": ["Because."]}\
                    """.formatted(novelty)::formatted)
                .collect(Collectors.joining(", ", "{\"evaluations\": [", "]}"));
    }

    private static String document(int count, String more) {
        return IntStream.rangeClosed(1, count)
                .mapToObj("{\"id\": \"h%1$d\", \"statement\": \"Claim %1$d\"}"::formatted)
                .collect(Collectors.joining(
                        ", ",
                        "{\"challenger\": {\"provider\": \"stub\", \"model\": \"m\"}, \"hypotheses\": [",
                        "]" + more + "}"));
    }

    private static HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create(server.api() + "/api/v1" + path))
                .header("Content-Type", "application/json");
    }

    private static HttpResponse<String> sent(String path, String body) throws Exception {
        return http.send(
                at(path).POST(HttpRequest.BodyPublishers.ofString(body)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode read(String path) throws Exception {
        return Json.tree(http.send(at(path).build(), HttpResponse.BodyHandlers.ofString())
                .body());
    }

    private static JsonNode scored(int count, String more) throws Exception {
        return scored(document(count, more));
    }

    /** By a model that no other test asks: a refusal of theirs leaves fewer calls in flight to the model that is refused. */
    private static JsonNode scoredUncut(int count, String more) throws Exception {
        return scored(document(count, more).replace("\"model\": \"m\"", "\"model\": \"uncut\""));
    }

    private static JsonNode scored(String document) throws Exception {
        HttpResponse<String> response = sent("/hypothesis-evaluations?wait=60s", document);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.tree(response.body());
    }

    private static String begun(int count, String more) throws Exception {
        HttpResponse<String> response = sent("/hypothesis-evaluations", document(count, more));
        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        String id = Json.tree(response.body()).path("id").asText();
        assertThat(response.headers().firstValue("Location")).contains("/api/v1/hypothesis-evaluations/" + id);
        return id;
    }

    private static JsonNode ended(String id) throws Exception {
        return read("/hypothesis-evaluations/" + id + "?wait=60s");
    }

    @Test
    void shouldScoreInBatchesAndRankWhatTheyCameTo() throws Exception {
        model.answerBy((name, prompt) -> reply(shown(prompt), prompt.contains("Claim 2") ? "1" : "3.5"));

        JsonNode result = scored(5, "");

        assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(result.at("/plan/batches").toString()).isEqualTo("[[\"h1\",\"h2\"],[\"h3\",\"h4\"],[\"h5\"]]");
        assertThat(texts(result.path("scoredHypotheses"), "id")).containsExactly("h3", "h4", "h5");
        assertThat(texts(result.path("scoredHypotheses"), "rank")).containsExactly("1", "2", "3");
        assertThat(texts(result.path("rejected"), "id")).containsExactly("h1", "h2");
        JsonNode worst = result.at("/rejected/1");
        assertThat(worst.path("verdict").asText() + worst.path("modelVerdict").asText())
                .isEqualTo("failpass");
        assertThat(worst.path("disagreement").asBoolean()).isTrue();
        assertThat(worst.path("composite").decimalValue()).isEqualByComparingTo("3.4");
        assertThat(result.at("/summary/meanComposite").decimalValue()).isEqualByComparingTo("3.7");
        assertThat(result.at("/metrics/calls").asInt()).isEqualTo(3);
        assertThat(result.at("/metrics/wallMs").isNumber()).isTrue();
        assertThat(result.path("costUsd").decimalValue()).isEqualByComparingTo("0.3");
        assertThat(result.at("/usage/total").asInt()).isEqualTo(45);
        String id = result.path("id").asText();
        assertThat(read("/hypothesis-evaluations/" + id)).isEqualTo(result);
        assertThat(texts(read("/campaigns?pageSize=500").path("items"), "id")).doesNotContain(id);
        assertThat(read("/hypothesis-evaluations?pageSize=1").path("items"))
                .singleElement()
                .satisfies(item -> assertThat(item.path("id").asText()).isEqualTo(id));
    }

    /** A gate in the model counts the calls in flight. */
    private static int mostInFlight(int concurrent, String config) throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch full = new CountDownLatch(concurrent);
        model.replyBy(request -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            full.countDown();
            awaitQuietly(full);
            inFlight.decrementAndGet();
            return null;
        });
        assertThat(scoredUncut(12, config).at("/summary/scored").asInt()).isEqualTo(12);
        return most.get();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldHaveAsManyCallsInFlightAsAllowedAndNeverMore() throws Exception {
        assertThat(mostInFlight(3, "")).isEqualTo(3);
        assertThat(mostInFlight(6, ", \"parallelConfig\": {\"mode\": \"individual\", \"maxConcurrent\": 6}"))
                .isEqualTo(6);
    }

    /** The document calls it the same token budget per call, regardless of the total count of hypotheses. */
    @Test
    void shouldGiveEachCallTheSameOutputLimitHoweverManyHypothesesThereAre() throws Exception {
        Map<Integer, Integer> limits = new ConcurrentHashMap<>();
        model.replyBy(request -> {
            limits.merge(request.path("max_tokens").asInt(), 1, Integer::sum);
            return null;
        });

        scored(12, ", \"parallelConfig\": {\"mode\": \"single\"}");
        scored(12, "");
        scored(4, ", \"parallelConfig\": {\"mode\": \"individual\"}");

        assertThat(limits).containsExactly(Map.entry(10, 1 + 6 + 4));
    }

    @Test
    void shouldTakeLessTimeInBatchesThanInASingleCall() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        model.replyBy(request -> {
            try {
                assertThat(never.await(400L * shown(request).size(), TimeUnit.MILLISECONDS))
                        .isFalse();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return null;
        });

        long single = scoredUncut(10, ", \"parallelConfig\": {\"mode\": \"single\"}")
                .at("/metrics/wallMs")
                .asLong();
        long batched = scoredUncut(10, "").at("/metrics/wallMs").asLong();

        // Ideal: 4.0 s beside 1.6 s. What is between is for a busy machine.
        assertThat(batched).isLessThan(single * 4 / 5);
    }

    @Test
    void shouldAskOnceMoreForWhatWasWrongAlone() throws Exception {
        model.answerBy((name, prompt) -> prompt.contains("Claim 3") && prompt.contains("Claim 4")
                ? reply(List.of("h3", "zz"), "4")
                : prompt.contains("Claim 5") ? "I cannot say." : reply(shown(prompt), "4"));
        int before = model.prompts().size();

        JsonNode result = scored(5, "");

        assertThat(texts(result.path("scoredHypotheses"), "id")).containsExactly("h1", "h2", "h3", "h4");
        assertThat(result.path("unscored"))
                .singleElement()
                .satisfies(one -> assertThat(one.path("error").asText()).startsWith("NOT_JSON: "));
        assertThat(result.path("errors"))
                .singleElement()
                .satisfies(one -> assertThat(one.path("batchIndex").asInt()).isEqualTo(2));
        assertThat(result.path("warnings"))
                .hasSize(2)
                .anySatisfy(warning -> assertThat(warning.asText()).contains("zz"));
        assertThat(result.at("/metrics/repairs").asInt()).isEqualTo(2);
        assertThat(result.at("/metrics/calls").asInt()).isEqualTo(5);
        assertThat(model.prompts().size() - before).isEqualTo(5);
    }

    @Test
    void shouldKeepTheOthersWhicheverBatchFails() throws Exception {
        for (int failing = 0; failing < 3; failing++) {
            String id = "h" + (2 * failing + 1);
            model.replyBy(request -> shown(request).contains(id) ? new Reply(400, LATER, Map.of()) : null);

            JsonNode result = scored(6, "");

            assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
            assertThat(result.path("scoredHypotheses")).hasSize(4);
            assertThat(texts(result.path("unscored"), "batchIndex")).containsExactly("" + failing, "" + failing);
            assertThat(result.path("errors")).singleElement().satisfies(error -> {
                assertThat(error.path("hypothesisIds").path(0).asText()).isEqualTo(id);
                assertThat(error.path("error").asText()).startsWith("PROVIDER_REJECTED: ");
            });
            assertThat(result.path("warnings")).hasSize(1);
            assertThat(result.at("/metrics/partialFailureRate").asDouble()).isEqualTo(1.0 / 3);
        }
    }

    @Test
    void shouldFailWithAllErrorsWhenNothingWasScored(@TempDir Path files) throws Exception {
        model.replyBy(request -> new Reply(503, LATER, Map.of("Retry-After", "0")));
        Path file = Files.writeString(files.resolve("h.json"), document(5, ", \"limits\": {\"maxAttempts\": 2}"));

        CommandRun run = CommandRun.of("hypotheses", "--server", server.api().toString(), "--json", file.toString());

        assertThat(run.code()).as(run.err()).isEqualTo(1);
        JsonNode result = Json.tree(run.out());
        assertThat(result.path("state").asText()).isEqualTo("FAILED");
        assertThat(result.path("error").asText())
                .startsWith("All hypothesis evaluation batches failed; the first one: ")
                .endsWith(result.at("/errors/0/error").asText());
        assertThat(texts(result.path("errors"), "error"))
                .hasSize(3)
                .allSatisfy(error -> assertThat(error).startsWith("PROVIDER_UNAVAILABLE: "));
        assertThat(result.at("/metrics/calls").asInt()).isEqualTo(6);
        assertThat(result.at("/summary/meanComposite").isNull()).isTrue();
    }

    @Test
    void shouldWaitAsLongAsTheProviderAsksAndThenScore() throws Exception {
        AtomicInteger refused = new AtomicInteger();
        model.replyBy(request -> shown(request).contains("h3") && refused.getAndIncrement() == 0
                ? new Reply(429, LATER, Map.of("Retry-After", "1"))
                : null);

        JsonNode result = scored(6, "");

        assertThat(result.path("unscored")).isEmpty();
        assertThat(result.at("/metrics/calls").asInt()).isEqualTo(4);
        assertThat(result.at("/metrics/wallMs").asInt()).isGreaterThanOrEqualTo(1_000);
    }

    /** The repair of one batch is under way, another waits, and a third is done. */
    @Test
    void shouldGoOnWithWhatIsMissingWhenACancelledEvaluationIsResumed() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        CountDownLatch released = new CountDownLatch(1);
        model.answerBy((name, prompt) -> reply(
                shown(prompt).stream()
                        .filter(id -> !id.equals("h4") || !prompt.contains("Claim 3"))
                        .toList(),
                "4"));
        model.replyBy(request -> {
            asked.add(String.join(",", shown(request)));
            if (shown(request).equals(List.of("h4"))) {
                awaitQuietly(released);
            }
            return null;
        });
        String id = begun(6, ", \"parallelConfig\": {\"maxConcurrent\": 1}");
        await().atMost(PATIENCE).until(() -> asked.contains("h4"));

        JsonNode cancelled =
                Json.tree(sent("/hypothesis-evaluations/" + id + "/cancel", "").body());
        released.countDown();

        assertThat(cancelled.path("state").asText()).isEqualTo("CANCELLED");
        assertThat(texts(cancelled.path("scoredHypotheses"), "id"))
                .contains("h3")
                .doesNotContain("h4");
        assertThat(texts(cancelled.path("unscored"), "error"))
                .allSatisfy(error -> assertThat(error).contains("CANCELLED: "));

        assertThat(sent("/campaigns/" + id + "/resume", "").statusCode()).isEqualTo(200);
        JsonNode result = ended(id);

        assertThat(result.path("unscored")).isEmpty();
        assertThat(asked)
                .as("each batch is paid for once, and the aborted repair again")
                .containsExactlyInAnyOrder("h1,h2", "h3,h4", "h5,h6", "h4", "h4");
        assertThat(result.at("/metrics/calls").asInt())
                .as("what was given up before it was sent is no call")
                .isEqualTo(asked.size());
    }

    @Test
    void shouldSkipWhatTheBudgetDoesNotCover() throws Exception {
        JsonNode result = scored(6, ", \"limits\": {\"budgetUsd\": 0.25}, \"parallelConfig\": {\"maxConcurrent\": 1}");

        assertThat(result.path("state").asText()).isEqualTo("COMPLETED");
        assertThat(result.path("scoredHypotheses")).hasSize(4);
        assertThat(texts(result.path("errors"), "error"))
                .singleElement()
                .asString()
                .startsWith("BUDGET_EXCEEDED: ");
        assertThat(result.path("costUsd").decimalValue()).isEqualByComparingTo("0.2");
    }

    @Test
    void shouldStoreNothingWhenTheInputIsWrong() throws Exception {
        String before = read("/hypothesis-evaluations").path("items").toString();

        HttpResponse<String> refused = sent("/hypothesis-evaluations", """
            {"challenger": {"provider": "nobody", "model": "m"}, "parallelConfig": {"mode": "individual", "batchSize": 2},
             "hypotheses": [{"id": "a", "statement": "x"}, {"id": "a", "statement": ""}],
             "rubric": {"dimensions": [{"name": "a", "weight": 0.5}]}}
            """);

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(texts(Json.tree(refused.body()).path("errors"), "path"))
                .containsExactlyInAnyOrder(
                        "challenger.provider",
                        "parallelConfig.batchSize",
                        "hypotheses[1].id",
                        "hypotheses[1].statement",
                        "rubric.dimensions");
        assertThat(read("/hypothesis-evaluations").path("items").toString()).isEqualTo(before);
        String large = document(1, ", \"x\": \"" + "x".repeat(2 * 1024 * 1024) + "\"");
        assertThat(sent("/hypothesis-evaluations", large).statusCode()).isEqualTo(422);
        assertThat(sent("/hypothesis-evaluations/none/cancel", "").statusCode()).isEqualTo(404);
    }

    private static CommandRun command(@Nullable Path file, String... options) {
        List<String> all =
                new ArrayList<>(List.of("hypotheses", "--server", server.api().toString(), "" + file));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }

    @Test
    void shouldPrintAndReportFromTheCommandLine(@TempDir Path files) throws Exception {
        Path file = Files.writeString(files.resolve("h.json"), document(5, ""));
        Path report = files.resolve("report.md");
        model.replyBy(request -> shown(request).equals(List.of("h5")) ? new Reply(400, LATER, Map.of()) : null);

        CommandRun some = command(file, "--markdown", report.toString());
        assertThat(some.code()).as(some.err()).isEqualTo(101);
        assertThat(some.err()).contains("Warning: Batch 3 (h5) failed: PROVIDER_REJECTED: ");
        assertThat(some.out()).contains("h1", "4 of 5 scored");
        assertThat(report).content().contains("| h1 | 1 | 4 | pass | pass | 1 |", "- Because.");

        CommandRun all = command(file, "--mode", "batched", "--batch-size", "4", "--max-concurrent", "2", "--json");
        assertThat(Json.tree(all.out()).at("/plan/batchSize").asInt()).isEqualTo(4);
        assertThat(command(file, "--mode", "batch").code()).isEqualTo(2);
        assertThat(command(files.resolve("none.yaml")).code()).isEqualTo(2);
    }

    /** What was recorded is replayed without the model, repair included. */
    @Test
    void shouldReplayWhatWasRecordedAndRunTheExample(@TempDir Path files) throws Exception {
        model.answerBy((name, prompt) -> reply(
                shown(prompt), prompt.contains("Claim 3") && !prompt.contains("You were asked before") ? "9" : "4"));
        JsonNode recorded = scored(5, "");
        String cassette = http.send(
                        at("/campaigns/" + recorded.path("id").asText() + "/cassette")
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Files.writeString(files.resolve("cassette.jsonl"), cassette);
        Path file = Files.writeString(
                files.resolve("h.json"),
                document(5, "")
                        .replace(
                                "{\"provider\"",
                                "{\"kind\": \"replay\", \"cassette\": \"cassette.jsonl\", \"provider\""));
        int asked = model.prompts().size();

        CommandRun run = command(file, "--json");

        assertThat(run.code()).as(run.err()).isZero();
        JsonNode replayed = Json.tree(run.out());
        assertThat(replayed.path("scoredHypotheses")).isEqualTo(recorded.path("scoredHypotheses"));
        assertThat(replayed.at("/metrics/repairs").asInt()).isEqualTo(1);
        assertThat(replayed.path("usage")).isEqualTo(recorded.path("usage"));
        assertThat(model.prompts()).hasSize(asked);
        CommandRun example = command(Path.of("..", "examples", "hypotheses", "offline.yaml"));
        assertThat(example.code()).as(example.err()).isZero();
        assertThat(example.out()).contains("reviews", "5 of 5 scored: 2 pass, 1 borderline, 2 fail");
    }

    @Test
    void shouldCompareTheModesOnTheSameInput(@TempDir Path files) throws Exception {
        Path file = Files.writeString(files.resolve("h.json"), document(4, ""));
        model.answerBy((name, prompt) -> reply(shown(prompt), shown(prompt).size() == 4 ? "2" : "4"));

        CommandRun run = command(file, "--compare-modes", "--json");

        assertThat(run.code()).as(run.err()).isZero();
        ObjectNode said = (ObjectNode) Json.tree(run.out());
        assertThat(said.at("/modes/single/metrics/calls").asInt()).isEqualTo(1);
        assertThat(said.at("/modes/individual/metrics/calls").asInt()).isEqualTo(4);
        assertThat(said.at("/comparisons/0/meanAbsoluteDifference").decimalValue())
                .isEqualByComparingTo("0.4");
        assertThat(said.at("/comparisons/2/equalVerdicts").asInt()).isEqualTo(4);
        assertThat(command(file, "--compare-modes").out()).contains("single, batched", "0.4 (of 4)", "4 of 4");
    }
}
