package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.evaluation.EvaluationRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A provider that is away costs time and nothing else. */
@Tag("slow")
@Timeout(180)
final class OutageCampaignTest {

    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("one", new ProviderInfo("one", true, null, 20, 4_096, Map.of()));
    private static final int MOST_WHILE_DOWN = 40;

    /** Long before the patience of an evaluation ends. */
    private static final Duration SOON = Duration.ofSeconds(20);

    /** How a provider is away. */
    private enum Away {
        UNAVAILABLE {
            @Override
            void answer(HttpExchange exchange) throws IOException {
                StubProvider.answer(exchange, 503, "{\"error\": {\"message\": \"overloaded\"}}");
            }
        },
        BROKEN {
            @Override
            void answer(HttpExchange exchange) {
                exchange.close();
            }
        },
        NO_JSON {
            @Override
            void answer(HttpExchange exchange) throws IOException {
                StubProvider.answer(exchange, 200, "<html>Maintenance</html>");
            }
        };

        abstract void answer(HttpExchange exchange) throws IOException;
    }

    private volatile boolean isAway;
    private volatile Away way = Away.UNAVAILABLE;
    private final AtomicInteger whileAway = new AtomicInteger();
    private @TempDir Path files;
    private StubProvider model;
    private Engine engine;

    @BeforeEach
    void start() throws IOException {
        model = new StubProvider(exchange -> {
            Thread.sleep(20);
            boolean isFaulty = model.asked(exchange).text().contains("\"faulty");
            if (isAway) {
                whileAway.incrementAndGet();
                way.answer(exchange);
            } else if (isFaulty) {
                StubProvider.answer(exchange, 500, "{}");
            } else {
                StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
            }
        });
        engine = new Engine(ToolPolicy.NONE, asking(model.url()));
    }

    @AfterEach
    void stop() throws InterruptedException {
        engine.close();
        model.close();
    }

    private Map<String, Object> asking(String url) throws IOException {
        Path file = Files.createTempFile(files, "providers", ".yaml");
        Files.writeString(
                file,
                "providers:\n  one: {type: openai, baseUrl: %s/v1, keyless: true, maxConcurrent: 20}\n".formatted(url));
        return Map.of("assay.providers.file", file.toString());
    }

    private static String campaign(int cases, String limits) {
        return campaign(cases, 0, limits);
    }

    private static String campaign(int cases, int faulty, String limits) {
        String list = IntStream.range(0, cases)
                .mapToObj(i -> "  - {id: c%d, prompt: %s %d}\n"
                        .formatted(i, i % 20 == 10 && i / 20 < faulty ? "faulty" : "good", i))
                .collect(Collectors.joining("", "cases:\n", ""));
        return "name: away\nlimits: {maxConcurrent: 20, %s}\n%sbranches: [{id: b, provider: one, model: m}]\n"
                .formatted(limits, list);
    }

    private long errors(String id) {
        return engine.store.count(
                "SELECT count(*) FROM outcome WHERE campaign_id = '%s' AND status <> 'COMPLETED'".formatted(id));
    }

    private long outages() {
        return engine.store.count("SELECT count(*) FROM outage");
    }

    /** Attempts are those of the ledger that count: the others were given back. */
    private void assertCounted(String id) {
        assertThat(engine.store.count("""
            SELECT count(*) FROM cell c WHERE campaign_id = '%s' AND attempts <> (
                SELECT count(DISTINCT l.attempt) FILTER (WHERE l.no_attempt IS NULL) FROM ledger l
                WHERE l.campaign_id = c.campaign_id AND l.ordinal = c.ordinal AND l.kind = c.kind AND l.member = c.member)
            """.formatted(id))).isZero();
    }

    @ParameterizedTest
    @EnumSource(Away.class)
    void shouldLoseNoCellWhenTheProviderIsAwayThoughEachHasOneAttempt(Away how) {
        way = how;
        engine.submit("c", campaign(300, "maxAttempts: 1"), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> model.asked().size() > 50);
        isAway = true;
        await().atMost(Engine.PATIENCE).until(() -> outages() == 1);
        int before = whileAway.get();
        await().during(Duration.ofSeconds(5)).atMost(Duration.ofSeconds(6)).until(() -> outages() == 1);
        assertThat(whileAway.get() - before).isBetween(1, MOST_WHILE_DOWN);
        isAway = false;

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isZero();
        assertThat(outages()).isZero();
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE no_attempt = 'OUTAGE'"))
                .isBetween(5L, (long) whileAway.get());
        assertCounted("c");
    }

    @Test
    void shouldEndCellsThatAlwaysFailWhileOthersAreAnswered() {
        engine.submit("c", campaign(200, 10, "maxAttempts: 2"), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isEqualTo(10);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE no_attempt IS NOT NULL"))
                .isZero();
        assertCounted("c");
    }

    @Test
    void shouldPauseTheCampaignWhenTheProviderIsAwayForTooLong() {
        isAway = true;
        engine.submit("c", campaign(30, "maxAttempts: 1, maxOutage: PT7S"), PROVIDERS);

        assertThat(engine.await("c", CampaignState.PAUSED).standing().failureReason())
                .startsWith("Provider one is down since ")
                .contains("overloaded");
        assertThat(errors("c")).isZero();
        assertThat(engine.store.count(
                        "SELECT count(*) FROM audit WHERE actor = 'assay' AND action LIKE 'pause campaign c"
                                + " (PROVIDER_DOWN)%'"))
                .isEqualTo(1);
        assertCounted("c");
    }

    @Test
    void shouldPauseTheCampaignSoonWhenAUserShortensItsWait() {
        isAway = true;
        engine.submit("c", campaign(30, "maxAttempts: 1"), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> outages() == 1);
        engine.store.get(CampaignChanges.class).change("c", new LimitChange(null, null, null, Duration.ofSeconds(1)));

        assertThat(engine.await("c", CampaignState.PAUSED).maxOutage()).isEqualTo(Duration.ofSeconds(1));
        assertThat(errors("c")).isZero();
    }

    @Test
    void shouldTellOfTheBeginOfALoopOnceThoughItWaitsForTheProvider() {
        isAway = true;
        engine.submit("c", campaign(8, "maxAttempts: 9"), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> outages() == 1);
        isAway = false;

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isZero();
        assertThat(engine.events.stream().filter(AgentEvent.AgentStart.class::isInstance))
                .hasSize(8);
    }

    @Test
    void shouldEndACancelledBranchThoughItsProviderIsDown() {
        isAway = true;
        engine.submit("c", campaign(30, "maxAttempts: 1"), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> outages() == 1);
        engine.evaluate("e", """
            name: asked
            cases: [{id: q, prompt: good}]
            branches: [{id: b, provider: one, model: m}, {id: s, kind: scripted, script: {answers: ["1"]}}]
            """, PROVIDERS);
        await().atMost(Engine.PATIENCE)
                .until(() -> engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'e'") == 1);
        engine.store.get(EvaluationRepository.class).cancelBranch("e", 0);

        await().atMost(SOON)
                .until(() -> engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'e'"
                                + " AND branch_index = 0 AND status = 'CANCELLED'")
                        == 1);
        assertThat(outages()).isEqualTo(1);
    }

    @Test
    void shouldEndACellAtOnceWhenAScriptFails() {
        engine.submit("c", """
            name: scripted
            limits: {maxAttempts: 1}
            cases: [{id: q, prompt: good}]
            branches: [{id: s, kind: scripted, script: {answers: ["1"], failures: [{status: 503}]}}]
            """, Map.of());

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome o JOIN ledger l USING (campaign_id, ordinal)"
                        + " WHERE o.finished_at - l.settled_at < interval '4 seconds'"))
                .isEqualTo(1);
    }

    @Test
    void shouldLetCellsFailWhenTheCampaignDoesNotWait() {
        isAway = true;
        engine.submit("c", campaign(30, "maxAttempts: 2, maxOutage: PT0S"), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isEqualTo(30);
        assertThat(whileAway.get()).isEqualTo(60);
    }

    @Test
    void shouldGoOnWithTheWorkerThatGetsAnswersWhenAnotherIsCutOff() throws IOException {
        engine.join(asking("http://127.0.0.1:1"));
        engine.submit("c", campaign(300, "maxAttempts: 1"), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isZero();
        assertCounted("c");
    }
}
