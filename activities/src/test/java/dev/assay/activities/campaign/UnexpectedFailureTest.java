package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.activities.tool.MiniMcp;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What nobody expects of a cell costs its attempts and no more; what was paid for before it is kept. */
@Tag("slow")
final class UnexpectedFailureTest {

    private static final AtomicBoolean MCP_IS_UP = new AtomicBoolean(true);

    /** What the model answers, by the campaign's name, which its prompts hold. */
    private static final Map<String, StubProvider.Behaviour> MODELS = new java.util.concurrent.ConcurrentHashMap<>();

    private static final Map<String, AtomicInteger> ASKED = new java.util.concurrent.ConcurrentHashMap<>();

    private static StubProvider provider;
    private static Engine engine;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        provider = new StubProvider(UnexpectedFailureTest::answer);
        Path providers = directory.resolve("providers.yaml");
        Files.writeString(providers, """
            providers:
              stub: {type: openai, baseUrl: "%s/v1", keyless: true, prices: {"*": {input: 1, output: 1}}}
            """.formatted(provider.url()));
        engine = new Engine(
                new ToolPolicy(List.of(new ToolPolicy.Address(provider.url(), Map.of())), List.of()),
                Map.of("assay.providers.file", providers.toString()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        provider.close();
    }

    @AfterEach
    void reactToNothing() {
        engine.reaction = event -> {};
        MCP_IS_UP.set(true);
    }

    private static void answer(HttpExchange exchange) throws IOException, InterruptedException {
        if (exchange.getRequestURI().getPath().equals("/mcp")) {
            int status = MCP_IS_UP.get() ? 200 : 500;
            String asked = provider.asked(exchange).text();
            StubProvider.answer(exchange, status, MiniMcp.answer(asked).orElse(""));
            return;
        }
        String asked = provider.asked(exchange).text();
        for (String campaign : MODELS.keySet()) {
            if (asked.contains("Tell me about " + campaign + ".")) {
                ASKED.computeIfAbsent(campaign, name -> new AtomicInteger()).incrementAndGet();
                MODELS.get(campaign).answer(exchange);
                return;
            }
        }
        StubProvider.answer(exchange, 404, "{}");
    }

    private static StubProvider.Behaviour saying(String content) {
        return exchange -> StubProvider.answer(exchange, 200, """
            {"id": "x", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
             "message": {"role": "assistant", %s}}],
             "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}\
            """.formatted(content));
    }

    /** Answers with the first behaviour first, and with the last one from then on. */
    private static StubProvider.Behaviour inTurn(StubProvider.Behaviour... behaviours) {
        AtomicInteger next = new AtomicInteger();
        return exchange -> behaviours[Math.min(next.getAndIncrement(), behaviours.length - 1)].answer(exchange);
    }

    private static StubProvider.Behaviour calling(String tool, String arguments) {
        return saying("""
            "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "%s", "arguments": %s}}]\
            """.formatted(tool, Json.write(arguments)));
    }

    private static StubProvider.Behaviour failing(int status, String... headers) {
        return exchange -> StubProvider.answer(exchange, status, "{\"error\": {\"message\": \"no\"}}", headers);
    }

    private StoredCampaign run(String name, StubProvider.Behaviour model, String branch) {
        submit(name, model, branch);
        return engine.awaitEnd(name);
    }

    private static void submit(String name, StubProvider.Behaviour model, String branch) {
        MODELS.put(name, model);
        engine.submit(name, """
            name: %1$s
            cases: [{id: a, prompt: Tell me about %1$s., checks: [{type: contains, value: Paris}]}]
            branches: [{id: b, provider: stub, model: m%2$s}]
            limits: {maxAttempts: 3}
            """.formatted(name, branch), provided());
    }

    private static Map<String, ProviderInfo> provided() {
        return engine.store.get(dev.assay.store.provider.ProviderQueries.class).required();
    }

    private static int asked(String name) {
        return ASKED.get(name).get();
    }

    private static Map<String, Object> outcome(String name) {
        return engine.store
                .query("SELECT status, error_code, attempts, total_tokens, response, warnings::text AS warnings,"
                        + " jsonb_array_length(messages) AS messages FROM outcome WHERE campaign_id = '" + name + "'")
                .getFirst();
    }

    private static void await(String what, BooleanSupplier condition) {
        Awaitility.await(what).atMost(Engine.PATIENCE).until(condition::getAsBoolean);
    }

    @ParameterizedTest
    @CsvSource({"nul, Par\\u0000is, Par\uFFFDis", "half, Pa\\ud800ris, Pa\uFFFDris"})
    void shouldStoreTheAnswerAndWarnWhenAModelSaysWhatCannotBeStored(String name, String said, String stored) {
        run(name, saying("\"content\": \"" + said + "\""), "");

        assertThat(asked(name)).isEqualTo(1);
        assertThat(outcome(name))
                .containsEntry("status", "COMPLETED")
                .containsEntry("response", stored)
                .extractingByKey("warnings")
                .asString()
                .contains("cannot be stored");
    }

    @Test
    void shouldStoreABoundedLineWhenAnEndpointSaysAnythingOfItself() {
        run(
                "origin",
                exchange -> StubProvider.answer(exchange, 200, """
                    {"id": "x", "model": "a\\u0000b\\ud800%s", "system_fingerprint": "\\u0000", "service_tier": "flex",
                     "choices": [{"index": 0, "message": {"role": "assistant", "content": "Paris"}}],
                     "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}\
                    """.formatted("x".repeat(1_000_000))),
                ", parameters: {maxOutputTokens: 77, stop: END}");

        assertThat(outcome("origin")).containsEntry("status", "COMPLETED").containsEntry("warnings", "{}");
        assertThat(provenance("origin")).satisfies(row -> {
            assertThat(Json.tree((String) row.get("requested"))).isEqualTo(Json.tree("""
                {"provider": "stub", "model": "m", "thinking": "off",
                 "parameters": {"maxOutputTokens": 77, "stop": ["END"]}}\
                """));
            assertThat(Json.tree((String) row.get("effective"))).isEqualTo(Json.tree("""
                {"model": "m", "max_tokens": 77, "stop": ["END"]}\
                """));
            assertThat(Json.tree((String) row.get("served")).path("model").textValue())
                    .startsWith("a b\uFFFDx")
                    .hasSize(200);
            assertThat(Json.tree((String) row.get("served")).path("serviceTier").textValue())
                    .isEqualTo("flex");
        });
    }

    @Test
    void shouldSayWhatWasLeftOutWhenTheLoopGoesOnFromItsRecord() {
        StubProvider.Behaviour refusing = exchange ->
                StubProvider.answer(exchange, 400, "{\"error\": {\"message\": \"reasoning_effort is not supported\"}}");
        run(
                "optional",
                inTurn(refusing, calling("calculator", "{\"expression\": \"1+1\"}"), failing(503)),
                ", thinking: high, thinkingOptional: true, tools: [{type: calculator}]");

        assertThat(outcome("optional"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("attempts", 3)
                .extractingByKey("warnings")
                .isEqualTo(
                        "{\"Model m of provider stub refuses to be asked to think: `thinking: high` was left out.\"}");
        assertThat(provenance("optional")).satisfies(row -> {
            assertThat((String) row.get("requested")).contains("\"thinking\": \"high\"");
            assertThat((String) row.get("effective"))
                    .contains("\"model\": \"m\"")
                    .doesNotContain("effort");
            assertThat((String) row.get("served")).contains("\"model\": \"m\"");
        });
        assertThat(engine.events)
                .filteredOn(event -> event.sessionId().equals("optional/0"))
                .filteredOn(AgentEvent.ProgressMessage.class::isInstance)
                .extracting(event -> ((AgentEvent.ProgressMessage) event).text())
                .filteredOn(text -> text.contains("was left out"))
                .hasSize(1);
    }

    private static Map<String, Object> provenance(String name) {
        return engine.store
                .query("SELECT requested::text, effective::text, served::text FROM outcome WHERE campaign_id = '" + name
                        + "'")
                .getFirst();
    }

    @Test
    void shouldGoOnWhenTheArgumentsOfAToolCannotBeStored() {
        run(
                "arguments",
                inTurn(calling("calculator", "{\"expression\": \"1\\u0000\"}"), saying("\"content\": \"Paris\"")),
                ", tools: [{type: calculator}]");

        assertThat(asked("arguments")).isEqualTo(2);
        assertThat(outcome("arguments"))
                .containsEntry("status", "COMPLETED")
                .containsEntry("messages", 4)
                .extractingByKey("warnings")
                .asString()
                .contains("cannot be stored");
    }

    @Test
    void shouldStoreWhatAJudgeSaysWhenItCannotBeStored() {
        MODELS.put("judged", saying("\"content\": \"2\\u0000\""));
        engine.submit("judged", """
            name: judged
            cases: [{id: a, prompt: Tell me about judged.}]
            branches:
              - {id: x, kind: scripted, script: {answers: [Paris]}}
              - {id: y, kind: scripted, script: {answers: [Lyon]}}
            strategy: {type: llm-judge, judge: {provider: stub, model: m}}
            """, provided());

        engine.awaitEnd("judged");

        assertThat(engine.store.query(
                        "SELECT reply, status, attempts, warning FROM judge_call" + " WHERE campaign_id = 'judged'"))
                .singleElement()
                .satisfies(call -> assertThat(call.values().toString())
                        .startsWith("[2\uFFFD, COMPLETED, 1, The model's answer held")
                        .contains("cannot be stored"));
    }

    @Test
    void shouldStoreWhatWasAskedOfAJudgeWhatWasSentAndWhatServedIt() {
        StubProvider.Behaviour refusing = exchange ->
                StubProvider.answer(exchange, 400, "{\"error\": {\"message\": \"reasoning_effort is not supported\"}}");
        MODELS.put("the origin of a verdict", inTurn(refusing, saying("\"content\": \"2\"")));
        engine.submit("verdict", """
            name: verdict
            cases: [{id: a, prompt: Tell me about the origin of a verdict.}]
            branches:
              - {id: x, kind: scripted, script: {answers: [Paris]}}
              - {id: y, kind: scripted, script: {answers: [Lyon]}}
            strategy: {type: llm-judge, judge: {provider: stub, model: judging, thinking: high, thinkingOptional: true}}
            """, provided());

        engine.awaitEnd("verdict");

        assertThat(engine.store.query("""
            SELECT requested::text, effective::text, served::text, warning FROM judge_call WHERE campaign_id = 'verdict'\
            """)).singleElement().satisfies(call -> {
            assertThat((String) call.get("requested")).contains("\"model\": \"judging\"", "\"thinking\": \"high\"");
            assertThat((String) call.get("effective"))
                    .contains("\"model\": \"judging\"")
                    .doesNotContain("effort");
            assertThat((String) call.get("served")).contains("\"model\": \"m\"");
            assertThat((String) call.get("warning")).contains("`thinking: high` was left out");
        });
    }

    private static final List<Supplier<Throwable>> UNEXPECTED = List.of(
            () -> new StackOverflowError("planted"),
            () -> new NoClassDefFoundError("planted"),
            () -> new IllegalStateException("planted"));

    @Test
    void shouldEndACellAfterItsAttemptsWhenWhateverIsThrownInIt() {
        List<String> names = new ArrayList<>();
        engine.reaction = event -> {
            if (event instanceof AgentEvent.MessageEnd end && end.message().role() == Role.ASSISTANT) {
                for (int i = 0; i < UNEXPECTED.size(); i++) {
                    if (end.sessionId().startsWith("thrown-" + i)) {
                        thrown(UNEXPECTED.get(i).get());
                    }
                }
            }
        };
        for (int i = 0; i < UNEXPECTED.size(); i++) {
            String name = "thrown-" + i;
            names.add(name);
            submit(name, saying("\"content\": \"Paris\""), "");
        }

        for (String name : names) {
            assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
            assertThat(asked(name)).isEqualTo(3);
            assertThat(outcome(name))
                    .containsEntry("status", "MODEL_ERROR")
                    .containsEntry("error_code", "INTERNAL")
                    .containsEntry("attempts", 3)
                    .as("the answer of the last attempt had not been taken over yet")
                    .containsEntry("total_tokens", 0L);
            assertThat(engine.store.query(
                            "SELECT state, count(*) AS n FROM ledger WHERE campaign_id = '" + name + "' GROUP BY 1"))
                    .extracting(row -> row.values().toString())
                    .containsExactly("[ANSWERED, 3]");
        }
    }

    /** Throws it as it is. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void thrown(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Test
    void shouldAskNobodyWhenAnErrorIsThrownBeforeTheRequest() {
        engine.reaction = event -> {
            if (event instanceof AgentEvent.TurnStart start && start.sessionId().startsWith("early")) {
                throw new StackOverflowError("planted");
            }
        };
        run("early", saying("\"content\": \"Paris\""), "");

        assertThat(outcome("early")).containsEntry("error_code", "INTERNAL").containsEntry("attempts", 3);
        assertThat(ASKED).doesNotContainKey("early");
    }

    @Test
    void shouldSettleEachRequestWhenAClientThrowsAnError() {
        engine.recorded = () -> {
            throw new NoClassDefFoundError("planted");
        };
        engine.submit("client", """
            name: client
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: b
                kind: replay
                provider: p
                model: m
                cassette:
                  - {key: "%s", trial: 1, provider: p, model: m, asked: Hello, latencyMs: 1,
                     reply: {role: assistant, content: Hi}, usage: {input: 1, output: 1}}
            limits: {maxAttempts: 2}
            """.formatted("0".repeat(64)), Map.of());

        engine.awaitEnd("client");

        assertThat(outcome("client"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "INTERNAL")
                .containsEntry("attempts", 2);
        await(
                "both requests are settled",
                () -> engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'client' AND state = 'FAILED'"
                                + " AND error_code = 'INTERNAL'")
                        == 2);
    }

    @Test
    void shouldFallBackAfterTheAttemptsOfAJudgeWhenAnErrorIsThrownInItsLoop() {
        engine.reaction = event -> {
            if (event instanceof AgentEvent.MessageEnd end
                    && end.message().role() == Role.ASSISTANT
                    && end.loopId().contains(".stub.")) {
                throw new StackOverflowError("planted");
            }
        };
        MODELS.put("the judge", saying("\"content\": \"2\""));
        engine.submit("misjudged", """
            name: misjudged
            cases: [{id: a, prompt: Tell me about the judge.}]
            branches:
              - {id: x, kind: scripted, script: {answers: [Paris]}}
              - {id: y, kind: scripted, script: {answers: [Lyon]}}
            strategy: {type: llm-judge, judge: {provider: stub, model: m}}
            limits: {maxAttempts: 2}
            """, provided());

        assertThat(engine.awaitEnd("misjudged").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked("the judge")).isEqualTo(2);
        assertThat(engine.store.query(
                        "SELECT status, error_code, attempts FROM judge_call WHERE campaign_id = 'misjudged'"))
                .singleElement()
                .satisfies(call -> assertThat(call.values().toString()).isEqualTo("[MODEL_ERROR, INTERNAL, 2]"));
        assertThat(engine.store.query("SELECT fallback, decided FROM trial WHERE campaign_id = 'misjudged'"))
                .singleElement()
                .satisfies(trial -> assertThat(trial.values().toString()).isEqualTo("[true, false]"));
    }

    @Test
    void shouldKeepTheTurnsThatWerePaidForWhenAServerOfToolsEndsTheLoop() {
        MCP_IS_UP.set(true);
        StubProvider.Behaviour second = exchange -> {
            MCP_IS_UP.set(false);
            failing(503).answer(exchange);
        };
        run(
                "toolless",
                inTurn(calling("echo", "{\"text\": \"x\"}"), second),
                ", tools: [{type: mcp, name: m, url: \"" + provider.url() + "/mcp\"}]");

        assertThat(outcome("toolless"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "TOOL_UNAVAILABLE")
                .containsEntry("total_tokens", 15L)
                .containsEntry("messages", 3);
    }

    /** A row that is broken would else break the end of the cell, too. */
    @Test
    void shouldEndTheCellWithoutItsTurnsWhenTheyCannotBeRead() {
        StubProvider.Behaviour second = exchange -> {
            engine.store.execute("UPDATE turn SET message = '[]' WHERE campaign_id = 'unreadable'");
            failing(503).answer(exchange);
        };
        run(
                "unreadable",
                inTurn(calling("calculator", "{\"expression\": \"1+1\"}"), second),
                ", tools: [{type: calculator}]");

        assertThat(outcome("unreadable"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "INTERNAL")
                .containsEntry("attempts", 3)
                .containsEntry("total_tokens", 0L);
        assertThat(asked("unreadable")).isEqualTo(2);
    }

    @Test
    void shouldKeepTheTurnsThatWerePaidForWhenTheCampaignIsCancelledBetweenAttempts() {
        submit(
                "between",
                inTurn(calling("calculator", "{\"expression\": \"1+1\"}"), failing(503, "Retry-After", "8")),
                ", tools: [{type: calculator}]");
        await(
                "the second turn failed",
                () -> engine.store.count(
                                "SELECT count(*) FROM cell WHERE campaign_id = 'between' AND next_try_at IS NOT NULL")
                        == 1);

        engine.store.get(CampaignChanges.class).steer("between", SteeringVerb.CANCEL);

        assertThat(outcome("between"))
                .containsEntry("status", "CANCELLED")
                .containsEntry("error_code", "CANCELLED")
                .containsEntry("attempts", 1)
                .containsEntry("total_tokens", 15L)
                .containsEntry("messages", 3);
        MODELS.put("between", saying("\"content\": \"Paris\""));
        engine.store.get(CampaignChanges.class).steer("between", SteeringVerb.RESUME);
        engine.startOrWake("between");
        assertThat(engine.awaitEnd("between").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(outcome("between")).containsEntry("status", "COMPLETED").containsEntry("total_tokens", 30L);
        assertThat(asked("between")).as("the first turn is not paid for again").isEqualTo(3);
    }

    @Test
    void shouldKeepTheTurnsThatWerePaidForWhenTheCampaignIsCancelledWhileTheCellWaitsForAPermit() {
        AtomicBoolean failed = new AtomicBoolean();
        AtomicBoolean holding = new AtomicBoolean();
        StubProvider.Behaviour secondTurn = exchange -> {
            failed.set(true);
            failing(503, "Retry-After", "4").answer(exchange);
        };
        MODELS.put("queue", inTurn(calling("calculator", "{\"expression\": \"1+1\"}"), secondTurn));
        MODELS.put("who holds", exchange -> {
            if (failed.get()) {
                holding.set(true);
                Thread.sleep(20_000);
            }
            failing(503, "Retry-After", "1").answer(exchange);
        });
        engine.submit("queue", """
            name: queue
            cases:
              - {id: first, prompt: Tell me about queue.}
              - {id: second, prompt: Tell me about who holds.}
            branches: [{id: b, provider: stub, model: m, tools: [{type: calculator}]}]
            limits: {maxConcurrent: 1, maxAttempts: 20}
            """, provided());
        await("one cell has the only permit, the other one turns on record", holding::get);
        await(
                "it is claimed again",
                () -> engine.store.count("SELECT count(*) FROM cell WHERE campaign_id = 'queue' AND ordinal = 0 AND"
                                + " claim_worker IS NOT NULL")
                        == 1);

        engine.store.get(CampaignChanges.class).steer("queue", SteeringVerb.CANCEL);

        await(
                "both are recorded",
                () -> engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'queue'") == 2);
        assertThat(engine.store.query(
                        "SELECT status, total_tokens FROM outcome WHERE campaign_id = 'queue' ORDER BY ordinal"))
                .extracting(row -> row.values().toString())
                .containsExactly("[CANCELLED, 15]", "[CANCELLED, 0]");
    }

    /** A tool that sends what it is given; these are its parameters. */
    private static String echoing(String parameters) {
        return ", tools: [{type: http, name: echo, description: Tests., method: POST, url: \"" + provider.url()
                + "/echo\", parameters: " + parameters + "}]";
    }

    private static String conversation(String name) {
        return String.valueOf(engine.store.value("SELECT messages::text FROM outcome WHERE campaign_id = ?", name));
    }

    @Test
    void shouldTellTheModelOnceWhenTheSchemaOfAToolHasNoEnd() {
        run(
                "ref-to-itself",
                inTurn(calling("echo", "{\"a\": 1}"), saying("\"content\": \"Paris\"")),
                echoing("{type: object, $ref: \"#\"}"));

        assertThat(asked("ref-to-itself")).isEqualTo(2);
        assertThat(outcome("ref-to-itself"))
                .containsEntry("status", "COMPLETED")
                .containsEntry("attempts", 1)
                .containsEntry("messages", 4);
        assertThat(conversation("ref-to-itself")).contains("cannot be checked by the tool's JSON Schema");
    }

    @Test
    void shouldTellTheModelOnceWhenAnArgumentHasNoName() {
        run(
                "nameless",
                inTurn(calling("echo", "{\"\": 1}"), saying("\"content\": \"Paris\"")),
                echoing("{type: object, properties: {q: {type: string}}, additionalProperties: false}"));

        assertThat(asked("nameless")).isEqualTo(2);
        assertThat(outcome("nameless"))
                .containsEntry("status", "COMPLETED")
                .containsEntry("attempts", 1)
                .containsEntry("messages", 4);
        assertThat(conversation("nameless")).contains("The arguments are wrong");
    }

    @Test
    void shouldLeaveTheCheckUnscoredWhenAnOlderVersionStoredAPatternWithoutEnd() {
        String name = "old-pattern";
        MODELS.put(name, saying("\"content\": \"Paris\""));
        engine.submit(
                name,
                """
                name: old-pattern
                cases:
                  - {id: first, prompt: Tell me about old-pattern., checks: [{type: regex, value: Paris}]}
                  - {id: second, prompt: Tell me about old-pattern., checks: [{type: contains, value: Paris}]}
                branches: [{id: b, provider: stub, model: m}]
                """,
                provided(),
                () -> assertThat(engine.store.execute(
                                "UPDATE suite_case c SET checks = replace(checks::text, '\"Paris\"', ?)::jsonb"
                                        + " FROM campaign WHERE campaign_id = ? AND c.suite_id = campaign.suite_id"
                                        + " AND case_id = 'first'",
                                "\"((?:){2000000000}){2000000000}\"",
                                name))
                        .isOne());

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked(name)).isEqualTo(2);
        assertThat(engine.store.query(
                        "SELECT checks #>> '{0,status}' AS status FROM outcome WHERE campaign_id = ? ORDER BY ordinal",
                        name))
                .extracting(row -> String.valueOf(row.get("status")))
                .containsExactly("UNSCORED", "PASSED");
    }

    @Test
    void shouldFailTheCellWithoutFillingMemoryWhenAScriptRepeatsALargeResult() {
        List<MemoryPoolMXBean> heap = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        heap.forEach(MemoryPoolMXBean::resetPeakUsage);
        engine.submit("swelling", """
            name: swelling
            cases: [{id: a, prompt: Hello}]
            branches:
              - id: b
                kind: scripted
                tools: [{type: json_path}]
                script:
                  answers:
                    - - {toolCalls: [{name: json_path, arguments: {json: {x: %s}, path: $.x}}]}
                      - "%s"
            limits: {maxAttempts: 3}
            """.formatted("x".repeat(60_000), "{result}".repeat(25_000)), provided());

        assertThat(engine.awaitEnd("swelling").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(outcome("swelling"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "PROVIDER_REJECTED")
                .extractingByKey("attempts")
                .satisfies(attempts -> assertThat((Integer) attempts).isBetween(1, 3));
        assertThat(heap.stream()
                        .mapToLong(pool -> pool.getPeakUsage().getUsed())
                        .sum())
                .as("bytes; the answer would have had 1,500,000,000 characters")
                .isLessThan(1_000_000_000);
    }
}
