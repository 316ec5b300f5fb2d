package dev.assay.cli.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.CommandRun;
import dev.assay.cli.testing.InProcessServer;
import dev.assay.cli.testing.StubBatches;
import dev.assay.domain.json.Json;
import dev.assay.standalone.server.AssayServer;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns whose cells go out in batches of their provider. A provider that counts says what was accepted, and what was paid. */
@Tag("slow")
final class ProviderBatchTest {

    private static StubBatches provider;
    private static AssayServer server;
    private static Api api;

    @BeforeAll
    static void start(@TempDir Path data) throws Exception {
        provider = new StubBatches();
        provider.writeProviders(data, "{poll: 1s, rounds: 2, maxLines: 20, enqueuedTokens: 5000}");
        System.setProperty("assay.batches.until-listed", "2s");
        System.setProperty("assay.batches.retry", "1s");
        server = InProcessServer.start(data);
        api = new Api(data);
    }

    @AfterAll
    static void stop() {
        api.close();
        server.close();
        provider.close();
    }

    @BeforeEach
    void reset() {
        provider.takes(Duration.ZERO);
        provider.endBy(prompt -> "200");
        provider.loseReplyOf(null);
        provider.say(prompt -> "Paris");
    }

    /** Cases with a check each, whose prompts begin with the campaign's name. */
    private static String file(String name, int cases, String more) {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, cases)
                .forEach(i ->
                        text.append("  - {id: case-%d, prompt: \"%s %d\", checks: [{type: contains, value: Paris}]}%n"
                                .formatted(i, name, i)));
        return "name: " + name + "\ncases:\n" + text + "branches: [{id: small, provider: batched, model: m}]\n" + more;
    }

    private static String ofItsOwn(String file) {
        return file.replace("model: m}", "model: planned-only}");
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

    private static List<JsonNode> batches(String id) throws Exception {
        List<JsonNode> all = new ArrayList<>();
        api.get("/api/v1/batches?campaign=" + id).get("items").forEach(all::add);
        return all;
    }

    private static long accepted(String name) {
        return provider.accepted().stream()
                .filter(body -> body.contains("\"" + name + " "))
                .count();
    }

    @Test
    void shouldAnswerEachCellOnceAtHalfThePriceWhenAskedInBatches() throws Exception {
        String id = run(file("half", 30, "trials: 2\ndelivery: batch\n"));

        assertThat(provider.live()).noneMatch(prompt -> prompt.startsWith("half "));
        assertThat(accepted("half")).isEqualTo(60);
        assertThat(outcomes(id)).hasSize(60).allSatisfy(outcome -> {
            assertThat(outcome.get("status").asText()).isEqualTo("COMPLETED");
            assertThat(outcome.get("passed").asBoolean()).isTrue();
            assertThat(outcome.get("delivery").asText()).isEqualTo("BATCH");
            assertThat(outcome.get("latencyMs").isNull()).isTrue();
            assertThat(outcome.get("costUsd").decimalValue()).isEqualByComparingTo("0.05");
            assertThat(outcome.get("costAssumed").asBoolean()).isTrue();
            assertThat(outcome.get("attempts").asInt()).isEqualTo(1);
        });
        assertThat(batches(id)).hasSize(3).allSatisfy(batch -> {
            assertThat(batch.get("state").asText()).isEqualTo("COLLECTED");
            assertThat(batch.get("answered").asInt()).isEqualTo(20);
            assertThat(batch.get("out").asInt()).isZero();
            assertThat(batch.get("costUsd").decimalValue()).isEqualByComparingTo("1.00");
        });
        assertThat(get(id, "").get("account").get("spentUsd").decimalValue()).isEqualByComparingTo("3.00");
    }

    /** What a user compares: each answer with its checks, in the order of the file. */
    private static List<String> results(String id) throws Exception {
        return outcomes(id).stream()
                .map(one -> Stream.of(
                                "caseId",
                                "trial",
                                "status",
                                "passed",
                                "response",
                                "checks",
                                "usage",
                                "error",
                                "attempts")
                        .map(field -> field + "=" + one.path(field))
                        .collect(Collectors.joining(" ")))
                .toList();
    }

    @Test
    void shouldEndAsALiveRunDoesForHalfTheCost() throws Exception {
        provider.say(prompt -> prompt.endsWith("1") ? "Rome" : "Paris");
        String file = file("same", 12, "trials: 2\ngate: {passThreshold: 0.8, suiteThreshold: 0.95}\n")
                .replace("model: m}", "model: m, systemPrompt: Answer with one word., parameters: {temperature: 0.5}}");

        String live = run(file);
        String batch = run(file + "delivery: batch\n");

        List<String> bodies = provider.liveBodies().stream()
                .filter(body -> body.contains("\"same "))
                .map(body -> body.replace(",\"stream\":false", ""))
                .sorted()
                .toList();
        assertThat(provider.accepted().stream()
                        .filter(body -> body.contains("\"same "))
                        .sorted()
                        .toList())
                .hasSize(24)
                .isEqualTo(bodies);
        assertThat(results(batch)).isEqualTo(results(live));
        assertThat(get(batch, "").get("verdict").asText())
                .isEqualTo(get(live, "").get("verdict").asText())
                .isEqualTo("FAIL");
        assertThat(get(live, "").at("/account/spentUsd").decimalValue()).isEqualByComparingTo("2.40");
        assertThat(get(batch, "").at("/account/spentUsd").decimalValue()).isEqualByComparingTo("1.20");
    }

    @Test
    void shouldAskAgainWhatFailedOrExpiredAndCountOnlyWhatWasAnAttempt() throws Exception {
        List<String> once = new ArrayList<>();
        provider.endBy(prompt -> {
            if (!prompt.startsWith("again ") || once.contains(prompt)) {
                return "200";
            }
            once.add(prompt);
            return switch (prompt) {
                case "again 0" -> "500";
                case "again 1" -> "expired";
                case "again 2" -> "";
                case "again 3" -> "400";
                default -> "200";
            };
        });

        String id = run(file("again", 5, "delivery: batch\n"));

        List<JsonNode> all = outcomes(id);
        assertThat(all).extracting(outcome -> outcome.get("attempts").asInt()).containsExactly(2, 1, 2, 1, 1);
        assertThat(all.get(3).get("error").get("code").asText()).isEqualTo("PROVIDER_REJECTED");
        assertThat(all)
                .filteredOn(outcome -> outcome.get("status").asText().equals("COMPLETED"))
                .hasSize(4);
        // A line that is missing may have been paid: its reservation counts.
        assertThat(get(id, "").get("account").get("spentUsd").decimalValue()).isEqualByComparingTo("0.25");
    }

    /** One case whose prompt is estimated at so many tokens. */
    private static String longPrompt(String name, int tokens) {
        return "{name: %s, delivery: batch, cases: [{id: a, prompt: \"%s %s\"}], branches: [{id: small, provider: batched, model: l}]}"
                .formatted(name, name, "word".repeat(tokens));
    }

    @Test
    void shouldGoOnWhenTheBatchesOfAnotherCampaignLeaveRoom() throws Exception {
        provider.takes(Duration.ofHours(1));
        api.submit(longPrompt("first", 3_000));
        await().atMost(Api.PATIENCE).until(() -> accepted("first") == 1);
        String second = api.submit(longPrompt("second", 3_000));
        await().during(Duration.ofSeconds(3))
                .atMost(Api.PATIENCE)
                .until(() -> accepted("second") == 0 && api.state(second).equals("RUNNING"));
        provider.takes(Duration.ZERO);

        await().atMost(Api.PATIENCE).until(() -> api.state(second).equals("COMPLETED"));
        assertThat(outcomes(second))
                .singleElement()
                .satisfies(
                        outcome -> assertThat(outcome.get("delivery").asText()).isEqualTo("BATCH"));
    }

    @Test
    void shouldFailALineThatNoBatchTakesAndAskItLiveWhereTheFileLeavesThatToAssay() throws Exception {
        // Its budget would not cover the line, if it were sent.
        String file = longPrompt("huge", 6_000).replace("}]}", "}], limits: {maxAttempts: 1, budgetUsd: 0.01}}");
        String batch = run(file);
        String auto = run(file.replace("delivery: batch", "delivery: auto").replace("0.01", "1"));

        JsonNode failed = outcomes(batch).getFirst();
        assertThat(failed.at("/error/code").asText()).isEqualTo("CONTEXT_TOO_LONG");
        assertThat(failed.at("/error/message").asText())
                .contains("provider batched takes", "5000 tokens", "providers.yaml");
        assertThat(get(batch, "").at("/account/spentUsd").decimalValue()).isEqualByComparingTo(BigDecimal.ZERO);
        assertThat(batches(batch))
                .singleElement()
                .satisfies(one -> assertThat(one.get("state").asText()).isEqualTo("REFUSED"));
        assertThat(outcomes(auto))
                .singleElement()
                .satisfies(
                        outcome -> assertThat(outcome.get("delivery").asText()).isEqualTo("LIVE"));
    }

    /** A campaign whose answers a model grades. */
    private static String graded(String name, String more) {
        return """
            name: %1$s
            cases:
              - {id: a, prompt: "%1$s 0", checks: [{type: contains, value: Paris}, {type: rubric, value: Polite}]}
              - {id: b, prompt: "%1$s 1", checks: [{type: rubric, value: Polite}]}
            branches: [{id: small, provider: batched, model: m}]
            %2$s
            """.formatted(name, more);
    }

    private static boolean isQuestion(String prompt) {
        return prompt.contains("Polite");
    }

    @Test
    void shouldAskGradersInASecondWaveAndRepairsLive() throws Exception {
        List<String> asked = new ArrayList<>();
        provider.say(prompt -> {
            if (!isQuestion(prompt)) {
                return "Paris";
            }
            boolean isFirst = asked.isEmpty();
            asked.add(prompt);
            return isFirst ? "I would rather not say." : "{\"pass\": true, \"score\": 1, \"reason\": \"well said\"}";
        });

        String id = run(graded("graded", "delivery: batch\ngrader: {provider: batched, model: g}\n"));

        assertThat(outcomes(id)).hasSize(2).allSatisfy(outcome -> {
            assertThat(outcome.get("passed").asBoolean()).as("%s", outcome).isTrue();
            assertThat(outcome.get("delivery").asText()).isEqualTo("BATCH");
        });
        assertThat(batches(id))
                .extracting(batch -> batch.get("kind").asText())
                .containsExactlyInAnyOrder("branch", "grade");
        assertThat(batches(id))
                .allSatisfy(batch -> assertThat(batch.get("answered").asInt()).isEqualTo(2));
        assertThat(provider.live())
                .filteredOn(prompt -> isQuestion(prompt) && prompt.contains("graded "))
                .as("the repair of one reply")
                .hasSize(1);
        JsonNode batched = get(id, "/report").at("/total/batched");
        assertThat(batched.get("cells").asInt()).isEqualTo(2);
        assertThat(batched.get("calls").asInt()).isEqualTo(2);
        assertThat(batched.get("costUsd").decimalValue()).isEqualByComparingTo("0.20");
        // Four answers by batch, half a live call each, and one live call.
        assertThat(get(id, "").get("account").get("spentUsd").decimalValue()).isEqualByComparingTo("0.30");
    }

    @Test
    void shouldSayWhyGradersAreAskedLiveWhereTheFileLeavesThatToAssay() throws Exception {
        provider.say(prompt -> isQuestion(prompt) ? "{\"pass\": true}" : "Paris");

        String id = run(graded("left", "grader: {provider: batched, model: g, delivery: auto}\n"));

        assertThat(batches(id)).isEmpty();
        assertThat(get(id, "").at("/account/choices/0/branch").asText()).isEqualTo("grader g");
        assertThat(get(id, "").at("/account/choices/0/why").asText()).isEqualTo("FEW");
        assertThat(outcomes(id)).allMatch(outcome -> outcome.get("passed").asBoolean());
    }

    @Test
    void shouldAskJudgesInABatchWhereBranchesAreAskedLive() throws Exception {
        provider.say(prompt -> prompt.contains("judged ") && !prompt.startsWith("judged ") ? "2" : "Paris");
        String file = """
            name: judged
            cases:
              - {id: a, prompt: judged 0}
              - {id: b, prompt: judged 1}
            branches:
              - {id: one, provider: batched, model: m}
              - {id: two, provider: batched, model: n}
            strategy: {type: llm-judge, judge: {provider: batched, model: j, delivery: batch}}
            """;

        String id = run(file);

        assertThat(outcomes(id))
                .hasSize(4)
                .allSatisfy(
                        outcome -> assertThat(outcome.get("delivery").asText()).isEqualTo("LIVE"));
        assertThat(batches(id)).singleElement().satisfies(batch -> {
            assertThat(batch.get("kind").asText()).isEqualTo("judge");
            assertThat(batch.get("model").asText()).isEqualTo("j");
            assertThat(batch.get("answered").asInt()).isEqualTo(2);
        });
        JsonNode trial = get(id, "/trials/a/1");
        assertThat(trial.at("/selection/selectedBranchId").asText()).isEqualTo("two");
        assertThat(trial.at("/judge/0/reply").asText()).isEqualTo("2");
        assertThat(trial.at("/judge/0/latencyMs").isNull()).isTrue();
        assertThat(provider.live())
                .filteredOn(prompt -> prompt.startsWith("judged "))
                .hasSize(4);
        assertThat(provider.live())
                .filteredOn(prompt -> prompt.contains("judged "))
                .hasSize(4);
    }

    @Test
    void shouldEndACheckUnscoredWhenItsGraderNeverAnswersInABatch() throws Exception {
        provider.endBy(prompt -> isQuestion(prompt) && prompt.contains("unheard 1") ? "expired" : "200");
        provider.say(prompt -> isQuestion(prompt) ? "{\"pass\": true}" : "Paris");

        String id = run(graded("unheard", "delivery: batch\ngrader: {provider: batched, model: g}\n"));

        List<JsonNode> all = outcomes(id);
        assertThat(all.getFirst().get("passed").asBoolean()).isTrue();
        assertThat(all.getLast().get("passed").isNull()).isTrue();
        assertThat(all.getLast().get("checks").toString()).contains("UNSCORED", "batch");
        assertThat(batches(id))
                .extracting(batch -> batch.get("kind").asText())
                .containsExactlyInAnyOrder("branch", "grade", "grade");
    }

    @Test
    void shouldEndWithBatchExpiredWhenNoRoundIsLeftAndOpenItByRerun() throws Exception {
        provider.endBy(prompt -> prompt.startsWith("late ") ? "expired" : "200");
        String id = run(file("late", 2, "delivery: batch\n"));

        assertThat(outcomes(id))
                .hasSize(2)
                .allSatisfy(outcome ->
                        assertThat(outcome.get("error").get("code").asText()).isEqualTo("BATCH_EXPIRED"));
        assertThat(batches(id)).hasSize(2);

        provider.endBy(prompt -> "200");
        assertThat(CommandRun.of("rerun", id, "--server", server.api().toString())
                        .code())
                .isZero();
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));

        assertThat(outcomes(id))
                .allMatch(outcome -> outcome.get("status").asText().equals("COMPLETED"));
    }

    @Test
    void shouldGoLiveWhenAutoHasFewCellsOrNoRoundIsLeft() throws Exception {
        String id = run(file("few", 3, "delivery: auto\n"));

        assertThat(outcomes(id))
                .allSatisfy(
                        outcome -> assertThat(outcome.get("delivery").asText()).isEqualTo("LIVE"));

        JsonNode choice = get(id, "").at("/account/choices");
        assertThat(choice).hasSize(1);
        assertThat(choice.at("/0/delivery").asText()).isEqualTo("LIVE");
        assertThat(choice.at("/0/why").asText()).isEqualTo("FEW");
        assertThat(CommandRun.of("status", id, "--server", server.api().toString())
                        .out())
                .contains("Delivery: small is asked live: too few cells for a batch");

        provider.endBy(prompt -> prompt.equals("many 7") ? "expired" : "200");
        String many = run(file("many", 25, "delivery: auto\n"));

        assertThat(outcomes(many))
                .filteredOn(outcome -> outcome.get("delivery").asText().equals("LIVE"))
                .extracting(outcome -> outcome.get("caseId").asText())
                .containsExactly("case-7");
    }

    @Test
    void shouldFindTheBatchWhenTheReplyToTheSubmissionIsLost() throws Exception {
        provider.loseReplyOf("submit");

        String id = run(file("lost", 4, "delivery: batch\n"));

        assertThat(accepted("lost")).isEqualTo(4);
        assertThat(outcomes(id))
                .hasSize(4)
                .allMatch(outcome -> outcome.get("status").asText().equals("COMPLETED"));
    }

    @Test
    void shouldShowWhatIsOutAndRefuseToDeleteItWhileABatchIsOut() throws Exception {
        provider.takes(Duration.ofHours(1));
        String id = api.submit(file("out", 4, "delivery: batch\n"));
        await().atMost(Api.PATIENCE)
                .until(() -> batches(id).stream()
                        .anyMatch(batch -> batch.get("state").asText().equals("SUBMITTED")));

        JsonNode campaign = get(id, "");
        assertThat(campaign.get("account").get("cells").get("out").asInt()).isEqualTo(4);
        assertThat(campaign.at("/progress/out").asInt()).isEqualTo(4);
        assertThat(campaign.at("/account/outWith/0/provider").asText()).isEqualTo("batched");
        String shown =
                CommandRun.of("status", id, "--server", server.api().toString()).out();
        assertThat(shown).contains("4 out with batched (1 batch, 0 answered)");
        assertThat(campaign.get("health").get("status").asText()).isEqualTo("OK");
        assertThat(campaign.get("health").toString()).contains("BATCH_OUT", "4 cells are out with batched");

        api.steer(id, "cancel");
        HttpResponse<String> refused = api.delete("/api/v1/campaigns/" + id);
        assertThat(refused.statusCode()).isIn(204, 409);

        await().atMost(Api.PATIENCE)
                .until(() -> batches(id).stream()
                        .allMatch(batch -> batch.get("state").asText().equals("COLLECTED")));
        assertThat(batches(id).getFirst().get("canceled").asInt()).isEqualTo(4);
        assertThat(get(id, "").get("account").get("spentUsd").decimalValue()).isEqualByComparingTo(BigDecimal.ZERO);
    }

    @Test
    void shouldPlanBothWaysAndSayWhatBatchesCostInTheReport(@TempDir Path directory) throws Exception {
        // A model that no other campaign has asked: nothing is learned of it.
        Path file = Files.writeString(directory.resolve("campaign.yaml"), ofItsOwn(file("planned", 25, "")));

        CommandRun live =
                CommandRun.of("plan", file.toString(), "--server", server.api().toString());
        CommandRun batch = CommandRun.of(
                "plan",
                file.toString(),
                "--delivery",
                "batch",
                "--server",
                server.api().toString());
        CommandRun soon = CommandRun.of(
                "plan",
                file.toString(),
                "--delivery",
                "auto",
                "--deadline",
                "10m",
                "--json",
                "--server",
                server.api().toString());

        // 25 calls of ten tokens at a cent each, and half of that by batch.
        assertThat(live.out())
                .containsSubsequence(
                        "Delivery", "small", "live", "≤ $2.50", "≤ $1.25, assumed", "≤ $1.25", "not known, up to 24 h");
        assertThat(batch.out()).containsSubsequence("Delivery", "small", "by batch", "≤ $2.50", "≤ $1.25, assumed");
        JsonNode planned = Json.tree(soon.out());
        assertThat(planned.at("/delivery/0/branch").asText()).isEqualTo("small");
        assertThat(planned.at("/delivery/0/calls").asInt()).isEqualTo(25);

        String id = run(ofItsOwn(file("planned", 2, "delivery: batch\n")));
        CommandRun shown = CommandRun.of("show", id, "--server", server.api().toString());
        assertThat(shown.out())
                .contains("Cost by batch: $0.10 for 2 cells, at an assumed price (half the live one); live: $0.00");
        assertThat(get(id, "/report").at("/total/batched/cells").asInt()).isEqualTo(2);
        CommandRun again =
                CommandRun.of("plan", file.toString(), "--server", server.api().toString());
        assertThat(again.out()).contains(", as the last 1").doesNotContain("not known, up to 24 h");
    }

    @Test
    void shouldTakeAStoredAnswerWithTheBatchThatBroughtIt() throws Exception {
        String first = run(file("kept", 1, "delivery: batch\n"));
        String second = run(file("kept", 1, "reuse: {from: any}\n"));

        JsonNode copy = outcomes(second).getFirst();
        assertThat(copy.get("source").asText()).isEqualTo("REUSED");
        assertThat(copy.get("latencyMs").isNull()).isTrue();
        assertThat(copy.get("batchId").asText())
                .isEqualTo(batches(first).getFirst().get("id").asText());
        assertThat(batches(second)).isEmpty();
    }

    @Test
    void shouldFreeTheCellsWhenABatchIsGivenUp() throws Exception {
        provider.takes(Duration.ofHours(1));
        String id = api.submit(file("abandoned", 2, "delivery: batch\n"));
        await().atMost(Api.PATIENCE)
                .until(() -> batches(id).stream()
                        .anyMatch(batch -> batch.get("state").asText().equals("SUBMITTED")));
        String batch = batches(id).getFirst().get("id").asText();

        CommandRun unsure = CommandRun.of(
                "batch", "abandon", batch, "--server", server.api().toString());
        CommandRun sure = CommandRun.of(
                "batch", "abandon", batch, "--yes", "--server", server.api().toString());

        provider.takes(Duration.ZERO);
        assertThat(unsure.code()).isEqualTo(2);
        assertThat(sure.code()).isZero();
        await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        assertThat(accepted("abandoned")).isEqualTo(4);
        assertThat(outcomes(id)).allMatch(outcome -> outcome.get("attempts").asInt() == 2);
    }
}
