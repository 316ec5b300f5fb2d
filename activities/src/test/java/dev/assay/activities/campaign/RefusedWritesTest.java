package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.CampaignHealth.Code;
import dev.assay.domain.health.CampaignHealth.Reason;
import dev.assay.domain.health.HealthCheck;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.health.HealthRepository;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.workflows.TaskQueues;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What PostgreSQL refuses to store is paid for no more often than its attempts, and holds up no other campaign. */
@Tag("slow")
final class RefusedWritesTest {

    private static final int CELLS = 3;
    private static final int ATTEMPTS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Requests by the campaign's name, which its prompts hold. */
    private static final Map<String, AtomicInteger> ASKED = new ConcurrentHashMap<>();

    private static StubProvider provider;
    private static Engine engine;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        provider = new StubProvider(RefusedWritesTest::answer);
        Path providers = directory.resolve("providers.yaml");
        Files.writeString(providers, """
            providers:
              stub: {type: openai, baseUrl: "%s/v1", keyless: true, prices: {"*": {input: 1, output: 1}}}
            """.formatted(provider.url()));
        engine = new Engine(new ToolPolicy(List.of(), List.of()), Map.of("assay.providers.file", providers.toString()));
        engine.store.execute("""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              IF NEW.campaign_id LIKE 'refused%' THEN RAISE EXCEPTION 'planted' USING ERRCODE = TG_ARGV[0]; END IF;
              RETURN NEW; END $$\
            """);
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        provider.close();
    }

    @AfterEach
    void allow() {
        for (String table : List.of("outcome", "judge_call", "turn", "ledger", "trial")) {
            engine.store.execute("DROP TRIGGER IF EXISTS refuse ON " + table);
        }
    }

    private static void refuse(String table, String state) {
        engine.store.execute("CREATE TRIGGER refuse BEFORE INSERT ON " + table
                + " FOR EACH ROW EXECUTE FUNCTION refuse('" + state + "')");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String asked = provider.asked(exchange).text();
        ASKED.forEach((campaign, count) -> {
            if (asked.contains("Tell me about " + campaign + " ")) {
                count.incrementAndGet();
            }
        });
        String said = asked.contains("with tools") && !asked.contains("tool_call_id") ? """
            "content": null, "tool_calls": [{"id": "c1", "type": "function",
              "function": {"name": "calculator", "arguments": "{\\"expression\\": \\"1+1\\"}"}}]\
            """ : "\"content\": \"1\"";
        StubProvider.answer(exchange, 200, """
            {"id": "x", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
             "message": {"role": "assistant", %s}}],
             "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}\
            """.formatted(said));
    }

    private static AtomicInteger submit(String name, String branches, String how) {
        AtomicInteger asked = ASKED.computeIfAbsent(name, _ -> new AtomicInteger());
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < CELLS; i++) {
            cases.append("  - {id: c%2$d, prompt: Tell me about %1$s %3$s %2$d}\n".formatted(name, i, how));
        }
        engine.submit(
                name,
                "name: %s\ncases:\n%s%s\nlimits: {maxAttempts: %d}\n".formatted(name, cases, branches, ATTEMPTS),
                engine.store.get(ProviderQueries.class).required());
        return asked;
    }

    /** A loop's turns are on record so that it can go on: where they are refused, its attempts fail. */
    @Test
    void shouldPayForNoMoreThanTheAttemptsWhenTurnsAreRefused() {
        String name = "refused-turn";
        refuse("turn", "42501");

        AtomicInteger asked = submit(
                name, "branches: [{id: b, provider: stub, model: m, tools: [{type: calculator}]}]", "with tools");

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked.get()).isEqualTo(CELLS * ATTEMPTS).isEqualTo(requests(name));
        assertThat(errors("outcome", name)).containsExactly("INTERNAL");
    }

    @ParameterizedTest
    @CsvSource({"outcome, 42501", "outcome, 22021", "outcome, P0001", "judge_call, 42501"})
    void shouldPauseACampaignWhoseAnswersAreRefusedAndSayWhatWasPaidInVain(String table, String state) {
        String name = "refused-" + table.replace('_', '-') + "-" + state.toLowerCase(Locale.ROOT);
        boolean judged = table.equals("judge_call");
        refuse(table, state);

        AtomicInteger asked = submit(name, judged ? JUDGED : PLAIN, "plainly");
        StoredCampaign paused = awaitPause(name);
        int paid = asked.get();

        assertThat(paused.failureReason()).contains("SQLSTATE " + state, "planted");
        assertThat(paid).isBetween(1, CELLS * ATTEMPTS).isEqualTo(requests(name));
        assertThat(engine.store.query(
                        "SELECT count(*) AS answers, sum(cost_usd) AS usd FROM unstored_answer WHERE campaign_id = ?",
                        name))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("answers", (long) paid)
                        .containsEntry("usd", new BigDecimal("0.000015").multiply(BigDecimal.valueOf(paid))));
        assertThat(engine.store.query(
                        "SELECT actor, status FROM audit WHERE action LIKE ?", "pause campaign " + name + " %"))
                .singleElement()
                .satisfies(row -> assertThat(row).containsEntry("actor", "assay"));
        assertThat(health(paused).reasons())
                .extracting(Reason::code)
                .containsExactly(Code.STORE_REFUSES, Code.STORE_REFUSES);

        allow();
        resume(name);

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.get(name).failureReason()).isNull();
        assertThat(asked.get()).isEqualTo(paid + CELLS);
        assertThat(errors(table, name)).containsOnlyNulls();
        assertThat(engine.store.count("SELECT count(*) FROM " + table + " WHERE campaign_id = ?", name))
                .isEqualTo(CELLS);
        assertThat(health(engine.get(name)).reasons()).extracting(Reason::code).containsExactly(Code.STORE_REFUSES);
    }

    /** Where requests cannot be written down, none is sent. Where a result cannot be selected, its answers are not asked for again. */
    @ParameterizedTest
    @CsvSource({"ledger, 0", "trial, 3"})
    void shouldPauseACampaignThatPaidNothingInVain(String table, int paid) {
        String name = "refused-" + table;
        refuse(table, "42501");

        AtomicInteger asked = submit(name, PLAIN, "plainly");
        StoredCampaign paused = awaitPause(name);

        assertThat(paused.failureReason()).contains("42501", "planted");
        assertThat(asked.get()).isEqualTo(paid);
        assertThat(health(paused).reasons()).extracting(Reason::code).containsExactly(Code.STORE_REFUSES);

        allow();
        resume(name);

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked.get()).isEqualTo(CELLS);
        assertThat(engine.store.count("SELECT sum(attempts) FROM cell WHERE campaign_id = ?", name))
                .as("a refused request is no attempt")
                .isEqualTo(CELLS);
    }

    private static final String PLAIN = "branches: [{id: b, provider: stub, model: m}]";

    private static final String JUDGED = """
        branches:
          - {id: x, kind: scripted, script: {answers: [Paris]}}
          - {id: y, kind: scripted, script: {answers: [Lyon]}}
        strategy: {type: llm-judge, judge: {provider: stub, model: m}}\
        """;

    /** Waits until it is paused, and none of its cells runs any more. */
    private static StoredCampaign awaitPause(String name) {
        StoredCampaign paused = engine.await(name, CampaignState.PAUSED);
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> engine.store.count(
                                "SELECT count(*) FROM cell WHERE campaign_id = ? AND claim_worker IS NOT NULL", name)
                        == 0);
        return paused;
    }

    private static void resume(String name) {
        engine.store.get(CampaignChanges.class).steer(name, SteeringVerb.RESUME);
        engine.startOrWake(name);
    }

    private static CampaignHealth health(StoredCampaign campaign) {
        return HealthCheck.of(engine.store.get(HealthRepository.class).facts(campaign, CELLS, TaskQueues::provider));
    }

    private static int requests(String name) {
        return Math.toIntExact(
                engine.store.count("SELECT count(*) FROM ledger WHERE provider = 'stub' AND campaign_id = ?", name));
    }

    private static List<Object> errors(String table, String name) {
        return engine.store.query("SELECT DISTINCT error_code FROM " + table + " WHERE campaign_id = ?", name).stream()
                .map(row -> row.get("error_code"))
                .toList();
    }

    /** A row that is too large, or has what a column may not hold. */
    @ParameterizedTest
    @CsvSource({
        "messages, NEW.messages <> '[]', COMPLETED, true, are not stored",
        "answer, NEW.response <> '', MODEL_ERROR, false, cannot be stored",
    })
    void shouldStoreASmallerFormOfWhatIsRefused(
            String what, String condition, String status, boolean passed, String words) {
        engine.store.execute("CREATE TRIGGER refuse BEFORE INSERT ON outcome FOR EACH ROW WHEN (" + condition
                + ") EXECUTE FUNCTION refuse('54000')");
        String name = "refused-" + what;

        AtomicInteger asked = submit(name, "branches: [{id: b, provider: stub, model: m}]", "plainly");

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked.get()).as("nothing is asked for twice").isEqualTo(CELLS);
        assertThat(engine.store.query(
                        "SELECT DISTINCT status, passed, score, total_tokens, messages::text,"
                                + " coalesce(error_message, warnings[1]) AS words FROM outcome WHERE campaign_id = ?",
                        name))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("status", status)
                        .containsEntry("passed", passed)
                        .containsEntry("score", passed ? 1.0 : 0.0)
                        .containsEntry("total_tokens", 15L)
                        .containsEntry("messages", "[]"))
                .extracting(row -> String.valueOf(row.get("words")))
                .asString()
                .contains(words, "54000", "planted");
        assertThat(engine.store.query("SELECT DISTINCT state FROM ledger WHERE campaign_id = ?", name))
                .extracting(row -> row.get("state"))
                .containsExactly("ANSWERED");
    }

    /** The question of a judge, or its reply. */
    @ParameterizedTest
    @CsvSource({
        "question, NEW.warning IS NULL, COMPLETED, 1, is not stored, 0",
        "reply, NEW.reply IS NOT NULL, MODEL_ERROR, , cannot be stored, 3",
    })
    void shouldStoreASmallerFormOfAJudgeCallThatIsRefused(
            String what, String condition, String status, @Nullable String reply, String words, int unstored) {
        engine.store.execute("CREATE TRIGGER refuse BEFORE INSERT ON judge_call FOR EACH ROW WHEN (" + condition
                + ") EXECUTE FUNCTION refuse('54000')");
        String name = "refused-judge-" + what;

        AtomicInteger asked = submit(name, JUDGED, "plainly");

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked.get()).as("nothing is asked for twice").isEqualTo(CELLS);
        assertThat(engine.store.query(
                        "SELECT DISTINCT j.status, j.reply, j.total_tokens, p.prompt, coalesce(j.error_message,"
                                + " j.warning) AS words FROM judge_call j JOIN judge_prompt p USING (prompt_hash) WHERE"
                                + " campaign_id = ?",
                        name))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("status", status)
                        .containsEntry("reply", reply)
                        .containsEntry("total_tokens", 15L)
                        .containsEntry("prompt", ""))
                .extracting(row -> String.valueOf(row.get("words")))
                .asString()
                .contains(words, "54000", "planted");
        assertThat(engine.store.count("SELECT count(*) FROM unstored_answer WHERE campaign_id = ?", name))
                .isEqualTo(unstored);
    }

    /** A full disk, and a database that is read only. */
    @ParameterizedTest
    @CsvSource({"53100", "25006"})
    void shouldKeepAnswersUntilTheyMayBeWrittenAndHoldUpNobodyElse(String state) {
        refuse("outcome", state);
        AtomicInteger refused =
                submit("refused-for-now-" + state, "branches: [{id: b, provider: stub, model: m}]", "plainly");
        StoredCampaign held = engine.get("refused-for-now-" + state);
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(health(held).reasons())
                        .extracting(Reason::code)
                        .containsExactly(state.equals("25006") ? Code.STORE_READ_ONLY : Code.STORE_REFUSES));
        int begun = refused.get();
        submit("innocent-" + state, "branches: [{id: b, provider: stub, model: m}]", "plainly");
        assertThat(engine.awaitEnd("innocent-" + state).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", "refused-for-now-" + state))
                .isZero();
        assertThat(refused.get())
                .as("no further call begins")
                .isBetween(1, CELLS)
                .isEqualTo(begun);

        allow();
        assertThat(engine.awaitEnd("refused-for-now-" + state).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(refused.get()).as("no answer is asked for twice").isEqualTo(CELLS);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM outcome WHERE status = 'COMPLETED' AND campaign_id = ?",
                        "refused-for-now-" + state))
                .isEqualTo(CELLS);
    }
}
