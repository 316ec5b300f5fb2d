package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.Rerun.Only;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.usage.Price;
import dev.assay.store.campaign.StoredCampaign;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks whose grader is a server that speaks OpenAI's API: it answers, and it computes embeddings. */
final class GraderOverHttpTest {

    private static final Map<String, ProviderInfo> PROVIDERS = Map.of(
            "stub",
            new ProviderInfo(
                    "stub",
                    true,
                    null,
                    10,
                    100,
                    Map.of("*", new Price(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE))));

    private static final String ANSWER = """
        {"choices": [{"message": {"role": "assistant", "content": "{\\"reason\\": \\"kind\\", \\"score\\": 0.9, \\"pass\\": true}"},
        "finish_reason": "stop"}], "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}}\
        """;

    private static StubProvider server;
    private static Engine engine;

    /** What was refused once already, because too much was asked. */
    private static final Set<String> ONCE = ConcurrentHashMap.newKeySet();

    private static volatile boolean embeddingsAreZero;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        server = new StubProvider(GraderOverHttpTest::answer);
        Path providers = directory.resolve("providers.yaml");
        Files.writeString(providers, """
            providers:
              stub: {type: openai, baseUrl: "%s/v1", keyless: true, prices: {"*": {input: 1, output: 1}}}
            """.formatted(server.url()));
        engine = new Engine(ToolPolicy.NONE, Map.of("assay.providers.file", providers.toString()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        server.close();
    }

    @BeforeEach
    void reset() {
        ONCE.clear();
        embeddingsAreZero = false;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        JsonNode body = server.asked(exchange).body();
        if (body.path("model").asText().startsWith("busy") && ONCE.add(path)) {
            StubProvider.answer(exchange, 429, "{}", "Retry-After", "1");
        } else {
            StubProvider.answer(exchange, 200, path.endsWith("/embeddings") ? embeddings(body.path("input")) : ANSWER);
        }
    }

    /** Texts about the same city point the same way. */
    private static String embeddings(JsonNode texts) {
        ObjectNode answer = Json.mapper().createObjectNode();
        for (JsonNode text : texts) {
            boolean isParis = text.textValue().contains("Paris");
            var vector = answer.withArray("data").addObject().putArray("embedding");
            vector.add(isParis && !embeddingsAreZero ? 1 : 0).add(isParis || embeddingsAreZero ? 0 : 1);
        }
        answer.putObject("usage").put("prompt_tokens", 20).put("total_tokens", 20);
        return Json.write(answer);
    }

    private static StoredCampaign run(String id, String model) {
        engine.submit(id, """
            name: %s
            cases:
              - id: france
                prompt: Capital of France?
                checks:
                  - {type: rubric, value: Kind, grader: {provider: stub, model: %s}}
                  - {type: similar, value: [Rome, The city is Paris], grader: {provider: stub, model: %s}}
                  - {type: similar, value: Oslo, not: true, grader: {provider: stub, model: %s}}
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
            trials: 2
            limits: {budgetUsd: 0.01, maxAttempts: 2}
            """.formatted(id, model, model, model), PROVIDERS);
        return engine.awaitEnd(id);
    }

    private static long count(String sql, String id) {
        return engine.store.count(sql.replace("?", "'" + id + "'"));
    }

    private static long asked(String id, String kind) {
        return count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = '" + kind + "'", id);
    }

    private static long outcomes(String id, String condition) {
        return count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND " + condition, id);
    }

    @Test
    void shouldAskAgainAndPayForEachAnswerOnceWhenTheGraderLimitsItsRate() {
        StoredCampaign ended = run("busy", "busy-model");

        assertThat(ended.failureReason()).isNull();
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(outcomes(
                        "busy",
                        "passed AND checks #>> '{0,reason}' = 'kind' AND (checks #>> '{1,score}')::float = 1"
                                + " AND (checks #>> '{2,score}')::float = 1"))
                .isEqualTo(2);
        assertThat(asked("busy", "branch")).isEqualTo(2);
        assertThat(asked("busy", "grade")).as("six answers, and two refusals").isEqualTo(8);
        assertThat(count(
                        "SELECT count(*) FROM judge_call JOIN judge_prompt USING (prompt_hash) WHERE campaign_id = ?"
                                + " AND graded_branch = 0 AND prompt LIKE '[\"Paris\",%' AND total_tokens = 20 AND"
                                + " cost_usd = 0.00002",
                        "busy"))
                .isEqualTo(4);
        assertThat(outcomes("busy", "(checks #>> '{1,grade,usage,total}')::int = 20"))
                .isEqualTo(2);
    }

    @Test
    void shouldLeaveTheCheckUnscoredUntilItIsAskedAgainWhenEmbeddingsCannotBeCompared() {
        embeddingsAreZero = true;

        StoredCampaign ended = run("zero", "model");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(ended.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcomes(
                        "zero",
                        "passed IS NULL AND score IS NULL AND checks #>> '{1,status}' = 'UNSCORED'"
                                + " AND checks #>> '{2,status}' = 'UNSCORED' AND checks #>> '{1,reason}' LIKE"
                                + " '%have different lengths, are all zeros%'"))
                .isEqualTo(2);
        assertThat(asked("zero", "grade"))
                .as("two rubrics, and two attempts at each of four comparisons")
                .isEqualTo(10);

        embeddingsAreZero = false;
        engine.store.get(CampaignChanges.class).rerun("zero", new Rerun(Only.GRADES, List.of(), List.of()));
        engine.startOrWake("zero");

        assertThat(engine.awaitEnd("zero").verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("zero", "branch")).as("no answer is given again").isEqualTo(2);
        assertThat(asked("zero", "grade")).isEqualTo(14);
    }

    @Test
    void shouldLeaveTheCheckUnscoredWhenTheBudgetDoesNotCoverIt() {
        engine.submit("poor", """
            name: poor
            cases:
              - id: france
                prompt: Capital of France?
                checks: [{type: similar, value: "Paris %s", grader: {provider: stub, model: m}}]
            branches: [{id: a, kind: scripted, script: {answers: [Paris]}}]
            limits: {budgetUsd: 0.0001}
            """.formatted("x ".repeat(1_000)), PROVIDERS);

        assertThat(engine.awaitEnd("poor").verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(outcomes("poor", "checks #>> '{0,reason}' LIKE 'The grader was not asked: %budget%'"))
                .isEqualTo(1);
        assertThat(asked("poor", "grade")).isZero();
    }
}
