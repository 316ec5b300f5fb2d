package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.provider.ProviderQueries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What PostgreSQL refuses to store is paid for no more often than its attempts, and holds up no other campaign. */
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
        for (String table : List.of("outcome", "judge_call", "turn")) {
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

    @ParameterizedTest
    @CsvSource({"outcome, 42501", "outcome, 22021", "outcome, P0001", "judge_call, 42501", "turn, 42501"})
    void shouldPayForNoMoreThanTheAttemptsWhenRowsAreRefused(String table, String state) {
        String name = "refused-" + table.replace('_', '-') + "-" + state.toLowerCase(Locale.ROOT);
        boolean judged = table.equals("judge_call");
        refuse(table, state);

        AtomicInteger asked = submit(
                name,
                judged
                        ? """
                        branches:
                          - {id: x, kind: scripted, script: {answers: [Paris]}}
                          - {id: y, kind: scripted, script: {answers: [Lyon]}}
                        strategy: {type: llm-judge, judge: {provider: stub, model: m}}\
                        """
                        : "branches: [{id: b, provider: stub, model: m"
                                + (table.equals("turn") ? ", tools: [{type: calculator}]}]" : "}]"),
                table.equals("turn") ? "with tools" : "plainly");
        String open = "SELECT count(*) FROM cell WHERE campaign_id = ? AND attempts < " + ATTEMPTS
                + (judged ? " AND kind = 'judge'" : "");
        Awaitility.await().atMost(PATIENCE).until(() -> asked.get() >= CELLS && engine.store.count(open, name) == 0);
        // Longer than the delay before a cell is tried again.
        Awaitility.await().during(Duration.ofSeconds(4)).atMost(PATIENCE).until(() -> asked.get() <= CELLS * ATTEMPTS);
        int paid = asked.get();
        allow();

        assertThat(engine.awaitEnd(name).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(asked.get()).as("nothing more is asked").isEqualTo(paid);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE provider = 'stub' AND campaign_id = ?", name))
                .isEqualTo(paid);
        assertThat(engine.store.query(
                        "SELECT DISTINCT error_code FROM " + (judged ? "judge_call" : "outcome")
                                + " WHERE campaign_id = ?",
                        name))
                .extracting(row -> row.get("error_code"))
                .containsExactly("INTERNAL");
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

    /** A full disk, and a database that is read only. */
    @ParameterizedTest
    @CsvSource({"53100", "25006"})
    void shouldKeepAnswersUntilTheyMayBeWrittenAndHoldUpNobodyElse(String state) {
        refuse("outcome", state);
        AtomicInteger refused =
                submit("refused-for-now-" + state, "branches: [{id: b, provider: stub, model: m}]", "plainly");
        Awaitility.await().atMost(PATIENCE).until(() -> refused.get() == CELLS);

        submit("innocent-" + state, "branches: [{id: b, provider: stub, model: m}]", "plainly");
        assertThat(engine.awaitEnd("innocent-" + state).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", "refused-for-now-" + state))
                .isZero();

        allow();
        assertThat(engine.awaitEnd("refused-for-now-" + state).state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(refused.get()).as("no answer is asked for twice").isEqualTo(CELLS);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM outcome WHERE status = 'COMPLETED' AND campaign_id = ?",
                        "refused-for-now-" + state))
                .isEqualTo(CELLS);
    }
}
