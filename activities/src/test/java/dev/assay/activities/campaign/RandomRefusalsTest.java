package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.provider.ProviderQueries;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * PostgreSQL refuses some writes of a campaign, one behind the other, wherever they are. A user resumes it when it is paused. In the end
 * it has each outcome once, its calls are bounded, and nothing of its budget is lost.
 */
@Tag("slow")
final class RandomRefusalsTest {

    private static final int CASES = 3;
    private static final int ATTEMPTS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int FEW = 20;
    private static final int ALL = 400;

    /** At most these many writes in succession are refused: a group that is refused is split, and written again. */
    private static final int MOST = 6;

    private static final List<String> TABLES = List.of(
            "cell",
            "outcome",
            "judge_call",
            "judge_prompt",
            "ledger",
            "budget",
            "trial",
            "turn",
            "tool_result",
            "progress",
            "series",
            "campaign",
            "campaign_branch",
            "matrix",
            "matrix_change");

    private static final Map<String, AtomicInteger> ASKED = new ConcurrentHashMap<>();

    private static StubProvider provider;
    private static Engine engine;

    /** The writes of a campaign of which none is refused. */
    private static int writes;

    @BeforeAll
    static void start(@TempDir Path directory) throws IOException {
        provider = new StubProvider(RandomRefusalsTest::answer);
        Path providers = directory.resolve("providers.yaml");
        Files.writeString(providers, """
            providers:
              stub: {type: openai, baseUrl: "%s/v1", keyless: true, prices: {"*": {input: 1, output: 1}}}
            """.formatted(provider.url()));
        engine = new Engine(new ToolPolicy(List.of(), List.of()), Map.of("assay.providers.file", providers.toString()));
        engine.store.execute("CREATE SEQUENCE planted");
        engine.store.execute("CREATE TABLE planted_range (low bigint, high bigint)");
        // The number of a write is taken for good, whatever becomes of its transaction.
        engine.store.execute("""
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE write bigint := nextval('planted'); BEGIN
              IF EXISTS (SELECT FROM planted_range WHERE write >= low AND write < high) THEN
                RAISE EXCEPTION 'planted at write % of %', write, TG_TABLE_NAME USING ERRCODE = '42501';
              END IF;
              RETURN NULL; END $$\
            """);
        TABLES.forEach(table -> engine.store.execute("CREATE TRIGGER planted BEFORE INSERT OR UPDATE OR DELETE ON "
                + table + " FOR EACH STATEMENT EXECUTE FUNCTION refuse()"));
        submit("refused-never", new Refused(0, 0));
        assertThat(engine.awaitEnd("refused-never").state()).isEqualTo(CampaignState.COMPLETED);
        writes = written();
    }

    private static int written() {
        return Math.toIntExact(engine.store.count("SELECT last_value FROM planted"));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        provider.close();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String asked = provider.asked(exchange).text();
        ASKED.forEach((campaign, count) -> {
            if (asked.contains("about " + campaign + " ")) {
                count.incrementAndGet();
            }
        });
        boolean callsTool = asked.contains("calculator") && !asked.contains("tool_call_id");
        String said = callsTool ? """
            "content": null, "tool_calls": [{"id": "c1", "type": "function",
              "function": {"name": "calculator", "arguments": "{\\"expression\\": \\"1+1\\"}"}}]\
            """ : "\"content\": \"1\"";
        StubProvider.answer(exchange, 200, """
            {"id": "x", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
             "message": {"role": "assistant", %s}}],
             "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}}\
            """.formatted(said));
    }

    /** The first refused write, and how many are refused. */
    private record Refused(int from, int writes) {}

    /** A few of them, drawn with a seed; all with {@code -Dassay.refusals.all=true}. */
    static Stream<Refused> refusals() {
        Random random = new Random(29);
        int most = Boolean.getBoolean("assay.refusals.all") ? ALL : FEW;
        return Stream.generate(() -> new Refused(1 + random.nextInt(writes), 1 + random.nextInt(MOST)))
                .distinct()
                .limit(most);
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void shouldEndWithEachOutcomeOnceWhateverIsRefused(Refused refused) {
        String name = "refused-" + refused.from() + "-" + refused.writes();
        AtomicInteger asked = new AtomicInteger();
        ASKED.put(name, asked);
        submit(name, refused);

        CampaignState end = Awaitility.await("the end of " + name)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> goOn(name), CampaignState::ended);
        int written = written();
        engine.store.execute("DELETE FROM planted_range");
        ASKED.remove(name);
        assumeThat(written).as("writes of the campaign").isGreaterThan(refused.from());

        assertThat(end).as(engine.get(name).failureReason()).isEqualTo(CampaignState.COMPLETED);
        assertThat(count("outcome", name)).isEqualTo(2 * CASES);
        assertThat(count("trial", name)).isEqualTo(CASES);
        assertThat(engine.store.count("SELECT max(attempts) FROM cell WHERE campaign_id = ?", name))
                .isLessThanOrEqualTo(ATTEMPTS);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM cell c WHERE campaign_id = ? AND attempts < (SELECT count(DISTINCT"
                            + " attempt) FROM ledger l WHERE l.campaign_id = c.campaign_id AND l.ordinal = c.ordinal"
                            + " AND l.kind = c.kind AND l.member = c.member AND l.no_attempt IS NULL)",
                        name))
                .as("cells with more attempts in the ledger than are counted")
                .isZero();
        assertThat((long) asked.get()).as("requests that the ledger holds").isLessThanOrEqualTo(count("ledger", name));
        // Settlements are written behind the outcomes.
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(engine.store.query(
                                "SELECT b.reserved_usd, b.spent_usd - sum(l.cost_usd) AS difference,"
                                        + " count(*) FILTER (WHERE l.state = 'SENT') AS sent"
                                        + " FROM budget b JOIN ledger l USING (campaign_id) WHERE campaign_id = ?"
                                        + " GROUP BY b.reserved_usd, b.spent_usd",
                                name))
                        .singleElement()
                        .satisfies(row -> {
                            assertThat((BigDecimal) row.get("reserved_usd")).isZero();
                            assertThat((BigDecimal) row.get("difference")).isZero();
                            assertThat(row.get("sent")).isEqualTo(0L);
                        }));
    }

    private static long count(String table, String campaign) {
        return engine.store.count("SELECT count(*) FROM " + table + " WHERE campaign_id = ?", campaign);
    }

    private static void submit(String name, Refused refused) {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < CASES; i++) {
            cases.append("  - {id: c%2$d, prompt: Tell me about %1$s %2$d}\n".formatted(name, i));
        }
        engine.submit(
                name,
                """
                name: %s
                cases:
                %sbranches:
                  - {id: plain, provider: stub, model: m}
                  - {id: tools, provider: stub, model: m, tools: [{type: calculator}]}
                strategy: {type: llm-judge, judge: {provider: stub, model: m}}
                limits: {maxAttempts: %d, budgetUsd: 5}
                """.formatted(name, cases, ATTEMPTS),
                engine.store.get(ProviderQueries.class).required(),
                () -> {
                    engine.store.execute("SELECT setval('planted', 1, false)");
                    engine.store.execute("INSERT INTO planted_range VALUES (" + refused.from() + ", "
                            + (refused.from() + refused.writes()) + ")");
                });
    }

    /** The state of the campaign, which is resumed where it is paused, as a user would. */
    private static CampaignState goOn(String name) {
        CampaignState state = engine.get(name).state();
        if (state == CampaignState.PAUSED) {
            try {
                engine.store.get(CampaignChanges.class).steer(name, SteeringVerb.RESUME);
                engine.startOrWake(name);
            } catch (dev.assay.store.StoreException e) {
                // It was the user's own write. The next look tries again.
                return state;
            }
        }
        return state;
    }
}
