package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Campaigns whose models, systems and programs say nothing of their tokens, or half of it. */
final class UnknownUsageCampaignTest {

    private static final Price PRICE =
            new Price(new BigDecimal("1000"), new BigDecimal("1000"), new BigDecimal("1000"), new BigDecimal("1000"));

    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("stub", new ProviderInfo("stub", true, null, 10, 100, Map.of("*", PRICE)));

    private static StubProvider server;
    private static Engine engine;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        server = new StubProvider(UnknownUsageCampaignTest::answer);
        Path providers = directory.resolve("providers.yaml");
        Files.writeString(providers, """
            providers:
              stub: {type: openai, baseUrl: "%s/v1", keyless: true, maxOutputTokens: 100, prices: {"*": {input: 1000, output: 1000}}}
            """.formatted(server.url()));
        engine = new Engine(
                new ToolPolicy(
                        List.of(new ToolPolicy.Address(server.url() + "/ask", Map.of(), 5)),
                        List.of(),
                        List.of(new ToolPolicy.AllowedAgent("sh", Set.of("PATH"), Set.of()))),
                Map.of("assay.providers.file", providers.toString(), "assay.data", directory.toString()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        server.close();
    }

    /** A model's name says what it reports; the system under test reports its output. */
    private static void answer(HttpExchange exchange) throws IOException {
        StubProvider.Asked asked = server.asked(exchange);
        if (asked.path().equals("/ask")) {
            StubProvider.answer(exchange, 200, "{\"text\": \"Paris\", \"usage\": {\"output\": 3}}");
            return;
        }
        String usage = switch (asked.body().path("model").asText()) {
            case "silent" -> "null";
            case "half" -> "{\"prompt_tokens\": 7}";
            default -> "{\"prompt_tokens\": 7, \"completion_tokens\": 2, \"total_tokens\": 9}";
        };
        if (asked.body().path("stream").asBoolean()) {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("""
                data: {"id":"1","choices":[{"index":0,"delta":{"content":"1"},"finish_reason":"stop"}],"usage":%s}

                data: [DONE]

                """.formatted(usage).getBytes(StandardCharsets.UTF_8));
        } else {
            StubProvider.answer(exchange, 200, """
                {"choices": [{"message": {"role": "assistant", "content": "1"}, "finish_reason": "stop"}], "usage": %s}\
                """.formatted(usage));
        }
    }

    private static CampaignCounters counters(String id) {
        return engine.store.get(ProgressRepository.class).find(id).orElseThrow();
    }

    private static List<Object> column(String id, String column) {
        return engine
                .store
                .query(
                        "SELECT %s FROM outcome WHERE campaign_id = ? ORDER BY ordinal, branch_index".formatted(column),
                        id)
                .stream()
                .map(row -> row.values().iterator().next())
                .toList();
    }

    @Test
    void shouldNotTurnWhatNobodyReportedIntoZeroTokens() {
        engine.submit("unreported", """
            name: unreported
            cases: [{id: a, prompt: Say hi, checks: [{type: tokens, threshold: 5, required: false}]}]
            branches:
              - {id: known, provider: stub, model: both}
              - {id: silent, provider: stub, model: silent}
              - {id: half, provider: stub, model: half}
              - {id: system, url: "%s/ask", response: $.text, usage: $.usage}
              - {id: program, output: claude, command: [sh, -c, 'echo "{\\"type\\":\\"result\\",\\"result\\":\\"hi\\",\\"usage\\":{\\"input_tokens\\":4}}"']}
            strategy: {type: token-efficient}
            """.formatted(server.url()), PROVIDERS);
        engine.awaitEnd("unreported");

        assertThat(column(
                        "unreported",
                        "concat_ws('|', coalesce(input_tokens::text, '–'),"
                                + " coalesce(output_tokens::text, '–'), coalesce(total_tokens::text, '–'))"))
                .containsExactly("7|2|9", "–|–|–", "7|–|–", "–|3|–", "4|–|–");
        assertThat(column("unreported", "checks #>> '{0,status}'"))
                .containsExactly("FAILED", "UNSCORED", "UNSCORED", "UNSCORED", "UNSCORED");
        UsageTotal all = new UsageTotal(new Usage(18L, 5L, null, null, null, 9L), 4);
        assertThat(counters("unreported").tokens()).isEqualTo(all);
        assertThat(counters("unreported").branches())
                .extracting(BranchCounters::tokens)
                .extracting(UsageTotal::unknownUsage)
                .containsExactly(0L, 1L, 1L, 1L, 1L);
        assertThat(engine.store
                        .get(Summaries.class)
                        .summarize(engine.get("unreported"))
                        .total()
                        .tokens())
                .isEqualTo(all);
        assertThat(engine.store.value("SELECT reason FROM trial WHERE campaign_id = 'unreported'"))
                .isEqualTo("Least tokens: 9 among the known; 4 of 5 usages are not known, so no branch wins.");
    }

    @Test
    void shouldCountAnAnswerThatReportsHalfAtItsReservationInTheLedger() {
        engine.submit("reserved", """
            name: reserved
            cases: [{id: a, prompt: Say hi}]
            branches:
              - {id: known, provider: stub, model: both}
              - {id: silent, provider: stub, model: silent}
              - {id: half, provider: stub, model: half}
            limits: {budgetUsd: 10}
            """, PROVIDERS);
        engine.awaitEnd("reserved");

        // 2 tokens in and 100 out at most, at a thousandth of a US dollar each.
        assertThat(engine
                        .store
                        .query("SELECT state, reserved_usd, cost_usd, total_tokens FROM ledger"
                                + " WHERE campaign_id = 'reserved' ORDER BY member")
                        .stream()
                        .map(row -> row.values().stream().map(String::valueOf).toList()))
                .containsExactly(
                        List.of("ANSWERED", "0.102000", "0.009000", "9"),
                        List.of("ANSWERED", "0.102000", "0.102000", "null"),
                        List.of("ANSWERED", "0.102000", "0.102000", "null"));
        assertThat((BigDecimal) engine.store
                        .query("SELECT spent_usd FROM budget WHERE campaign_id = 'reserved'")
                        .getFirst()
                        .get("spent_usd"))
                .isEqualByComparingTo("0.213");
        assertThat(column("reserved", "cost_usd IS NULL")).containsExactly(false, true, true);
    }

    @Test
    void shouldNotKnowTheTokensOfAStreamAndAJudgeThatReportNone() {
        engine.evaluate("streamed", """
            name: streamed
            cases: [{id: prompt, prompt: Say hi}]
            branches:
              - {id: known, provider: stub, model: both}
              - {id: silent, provider: stub, model: silent}
            strategy: {type: llm-judge, judge: {provider: stub, model: silent}}
            """, PROVIDERS);
        engine.awaitEnd("streamed");

        assertThat(server.asked())
                .filteredOn(asked -> asked.path().endsWith("/chat/completions"))
                .isNotEmpty()
                .allMatch(asked -> asked.body().path("stream").asBoolean());
        assertThat(column("streamed", "total_tokens")).containsExactly(9L, null);
        assertThat(counters("streamed").tokens().unknownUsage()).isEqualTo(2);
        assertThat(counters("streamed").judgeTokens()).isEqualTo(new UsageTotal(Usage.UNKNOWN, 1));
    }
}
