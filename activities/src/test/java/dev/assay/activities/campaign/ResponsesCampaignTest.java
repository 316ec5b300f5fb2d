package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.usage.Price;
import dev.assay.store.campaign.StoredCampaign;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A campaign whose model is asked over OpenAI's responses: it thinks, calls a tool, and answers. */
final class ResponsesCampaignTest {

    private static final Map<String, ProviderInfo> PROVIDERS = Map.of(
            "stub",
            new ProviderInfo(
                    "stub",
                    true,
                    null,
                    10,
                    100,
                    Map.of("*", new Price(BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE, BigDecimal.ONE))));

    /** Nothing of it can be read, and a server may add what it likes. */
    private static final String THOUGHT = "{\"id\":\"rs_1\",\"type\":\"reasoning\",\"summary\":[],"
            + "\"encrypted_content\":\"gAAA\\u0000\\ud83d\\ude00=\",\"status\":null,\"n\":[1.5,{}]}";

    private static final String CALL = "{\"id\":\"fc_1\",\"type\":\"function_call\",\"call_id\":\"c1\","
            + "\"name\":\"calculator\",\"arguments\":\"{\\\"expression\\\":\\\"6*7\\\"}\"}";

    private static StubProvider server;
    private static Engine engine;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        server = new StubProvider(ResponsesCampaignTest::answer);
        Path providers = directory.resolve("providers.yaml");
        Files.writeString(providers, """
            providers:
              stub: {type: openai-responses, baseUrl: "%s/v1", keyless: true, prices: {"*": {input: 1, output: 1}}}
            """.formatted(server.url()));
        engine = new Engine(ToolPolicy.NONE, Map.of("assay.providers.file", providers.toString()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        server.close();
    }

    /** The first turn is streamed; the second comes whole, although it was to be streamed. */
    private static void answer(HttpExchange exchange) throws IOException {
        JsonNode body = server.asked(exchange).body();
        JsonNode input = body.path("input");
        if (!body.has("tools") || input.path(input.size() - 1).has("output")) {
            String said = "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"It is 42.\"}]}";
            StubProvider.answer(exchange, 200, response(said));
            return;
        }
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        String event =
                "data: {\"type\":\"response.completed\",\"response\":" + response(THOUGHT + "," + CALL) + "}\n\n";
        exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
    }

    private static String response(String items) {
        return "{\"status\":\"completed\",\"model\":\"served-1\",\"output\":[" + items + "],\"usage\":{"
                + "\"input_tokens\":100,\"output_tokens\":10,\"output_tokens_details\":{\"reasoning_tokens\":4}}}";
    }

    @Test
    void shouldSendTheThoughtBackBeforeItsCallWhenTheLoopGoesOn() {
        engine.submit("responses", """
            name: responses
            cases: [{id: sum, prompt: 6*7?, checks: [{type: contains, value: "42"}]}]
            branches:
              - {id: b, provider: stub, model: m, thinking: low, systemPrompt: Be brief., tools: [{type: calculator}]}
            limits: {budgetUsd: 0.01}
            """, PROVIDERS);

        StoredCampaign ended = engine.awaitEnd("responses");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        List<StubProvider.Asked> asked =
                server.asked().stream().filter(one -> one.body().has("tools")).toList();
        assertThat(asked).hasSize(2);
        JsonNode input = asked.get(1).body().path("input");
        assertThat(input.path(1)).as("byte for byte, in the turn after it").isEqualTo(Json.tree(THOUGHT));
        assertThat(asked.get(1).text()).contains("\"n\":[1.5,{}]");
        assertThat(input.path(2).path("type").asText()).isEqualTo("function_call");
        assertThat(input.path(3).path("output").asText()).isEqualTo("42");
        assertThat(engine.store.query("""
            SELECT status, response, total_tokens, reasoning_tokens, warnings::text, served->>'model' AS model,
                messages->1->'content'->0->>'type' AS thought, effective->'reasoning'->>'effort' AS effort
            FROM outcome WHERE campaign_id = 'responses'\
            """))
                .singleElement()
                .satisfies(row -> assertThat(row.values().toString())
                        .isEqualTo("[COMPLETED, It is 42., 220, 8, {}, served-1, thinking, low]"));
        assertThat(engine.store.count("""
            SELECT (max(reserved_usd) - min(reserved_usd)) * 1000000 FROM ledger WHERE campaign_id = 'responses'\
            """))
                .as("estimated tokens of what the second turn adds: most of it is the thought")
                .isBetween(30L, 40L);
    }

    @Test
    void shouldPayForTheSchemaOfAnAnswerAndRecordItOnce() {
        engine.submit("formatted", """
            name: formatted
            cases: [{id: sum, prompt: 6*7?}]
            branches:
              - {id: plain, provider: stub, model: m}
              - id: formatted
                provider: stub
                model: m
                parameters: {responseFormat: {name: sum, schema: {description: %s}}}
            limits: {budgetUsd: 0.1}
            """.formatted("x".repeat(4_000)), PROVIDERS);

        assertThat(engine.awaitEnd("formatted").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(server.asked())
                .filteredOn(asked -> asked.body().at("/text/format/schema").has("description"))
                .hasSize(1);
        assertThat(engine.store.count("""
            SELECT (max(reserved_usd) - min(reserved_usd)) * 1000000 FROM ledger WHERE campaign_id = 'formatted'\
            """)).as("estimated tokens of the schema").isBetween(1_000L, 1_010L);
        assertThat(engine.store.query("""
            SELECT requested->'parameters'->>'responseFormat' AS asked, effective->'text'->>'format' AS sent
            FROM outcome WHERE campaign_id = 'formatted' AND branch_index = 1\
            """))
                .singleElement()
                .satisfies(row -> assertThat(row.values().toString())
                        .isEqualTo("[{\"name\": \"sum\", \"strict\": true}, "
                                + "{\"name\": \"sum\", \"type\": \"json_schema\", \"strict\": true}]"));
    }
}
