package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubBatches;
import dev.assay.standalone.server.Endpoints;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of server and PostgreSQL while a batch of branches, judges or graders is at each of its steps: no line is accepted twice, each
 * cell has an outcome, and the costs are what the provider bills.
 */
@Tag("slow")
final class ProviderBatchCrashTest {

    private static final int CASES = 6;

    /** The steps that may cost money twice; {@code -Dassay.proof=true} takes all. */
    private static final List<String> DEAREST = List.of("submit", "submitted", "content");

    private static final List<String> ALL =
            List.of("upload", "uploaded", "list", "submit", "submitted", "status", "content", "delete");

    /** The step at which a kill leaves most unknown: the provider has the batch, and said so to nobody. */
    private static final List<String> UNKNOWN = List.of("submitted");

    @TempDir
    Path temporary;

    private StubBatches provider;
    private KilledServer assay;
    private Process server;

    @BeforeEach
    void prepare() throws Exception {
        provider = new StubBatches();
        provider.writeProviders(temporary.resolve("data"), "{poll: 1s}");
        assay = new KilledServer(temporary.resolve("data"), Map.of("ASSAY_BATCHES_UNTIL_LISTED", "2s"));
        server = assay.up();
    }

    @AfterEach
    void stop() throws Exception {
        assay.close();
        provider.close();
    }

    private static String campaign(String name, String checks, String more) {
        String cases = IntStream.range(0, CASES)
                .mapToObj(i -> "  - {id: case-%d, prompt: %s %d, checks: [%s]}%n".formatted(i, name, i, checks))
                .collect(Collectors.joining());
        return "name: " + name + "\ncases:\n" + cases + more;
    }

    private static List<String> steps(List<String> dearest) {
        return Boolean.getBoolean("assay.proof") ? ALL : dearest;
    }

    /** Bodies of accepted lines of the campaign, whose prompts carry its name. */
    private List<String> accepted(String name) {
        return provider.accepted().stream()
                .filter(body -> body.contains(name + " "))
                .toList();
    }

    /** What the provider bills for it: ten cents an answer, half of that by batch. */
    private BigDecimal billed(String name) {
        long live = provider.live().stream()
                .filter(prompt -> prompt.contains(name + " "))
                .count();
        return BigDecimal.valueOf(10 * live + 5L * accepted(name).size(), 2);
    }

    /** Kills all while the provider is at {@code step} of the campaign's batch, and gives the campaign's id when it is complete. */
    private String complete(String step, String campaign) throws Exception {
        Endpoints endpoints = assay.api().await();
        provider.holdAt(step);
        String id = assay.api().submit(campaign);
        assertThat(provider.isReached(Duration.ofSeconds(60))).as(step).isTrue();

        assay.kill(server, endpoints);
        provider.release();
        server = assay.up();
        assay.api().await();
        await().atMost(Api.PATIENCE).until(() -> assay.api().state(id).equals("COMPLETED"));
        return id;
    }

    private void assertPaidOnce(String step, String id, String name) throws Exception {
        assertThat(accepted(name)).as(step).hasSize(CASES).doesNotHaveDuplicates();
        assertThat(assay.api().campaign(id).at("/account/spentUsd").decimalValue())
                .as(step)
                .isEqualByComparingTo(billed(name));
        assertThat(outcomes(id))
                .as(step)
                .allMatch(one -> one.path("status").asText().equals("COMPLETED")
                        && one.path("attempts").asInt() == 1);
    }

    private JsonNode outcomes(String id) throws Exception {
        return assay.api().get("/api/v1/campaigns/" + id + "/outcomes").path("items");
    }

    @Test
    void shouldPayNoLineTwiceWhenServerAndPostgresAreKilledAtAStepOfABatch() throws Exception {
        for (String step : steps(DEAREST)) {
            String name = "branch-" + step;

            String id = complete(
                    step,
                    campaign(
                            name,
                            "{type: contains, value: Paris}",
                            "branches: [{id: small, provider: batched, model: m}]\ndelivery: batch\n"));

            assertPaidOnce(step, id, name);
            assertThat(outcomes(id)).hasSize(CASES);
            assertThat(provider.live()).isEmpty();
        }
    }

    /** Graders go the same way, and one step of theirs is in each build. */
    @Test
    @EnabledIfSystemProperty(named = "assay.proof", matches = "true")
    void shouldPayNoJudgeTwiceWhenServerAndPostgresAreKilledAtAStepOfTheirBatch() throws Exception {
        provider.say(prompt -> prompt.startsWith("judge-") ? "Paris" : "2");
        for (String step : steps(UNKNOWN)) {
            String name = "judge-" + step;

            String id = complete(step, campaign(name, "", """
                branches: [{id: one, provider: batched, model: m}, {id: two, provider: batched, model: n}]
                strategy: {type: llm-judge, judge: {provider: batched, model: j, delivery: batch}}
                limits: {maxConcurrent: 20}
                """));

            assertPaidOnce(step, id, name);
            assertThat(outcomes(id))
                    .hasSize(2 * CASES)
                    .allMatch(one -> one.path("selected").asBoolean()
                            == one.path("branchId").asText().equals("two"));
        }
    }

    @Test
    void shouldPayNoGraderTwiceWhenServerAndPostgresAreKilledAtAStepOfTheirBatch() throws Exception {
        provider.say(prompt ->
                prompt.startsWith("grade-") ? "Paris" : "{\"pass\": true, \"score\": 1, \"reason\": \"polite\"}");
        for (String step : steps(UNKNOWN)) {
            String name = "grade-" + step;

            String id = complete(step, campaign(name, "{type: rubric, value: Polite}", """
                branches: [{id: small, provider: batched, model: m}]
                grader: {provider: batched, model: g, delivery: batch}
                """));

            assertPaidOnce(step, id, name);
            assertThat(outcomes(id))
                    .as(step)
                    .hasSize(CASES)
                    .allMatch(one -> one.path("passed").asBoolean());
        }
    }
}
