package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.CallBounds;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolPolicyReader;
import dev.assay.store.limit.ManualLimits;
import dev.assay.work.compute.pool.ComputePool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Limits of a provider hold over two workers: a provider that counts a window of a minute refuses nothing. */
@Tag("slow")
@Timeout(240)
final class LimitsCampaignTest {

    private static final int REQUESTS = 40;
    private static final long WINDOW_NANOS = Duration.ofSeconds(60).toNanos();
    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("one", new ProviderInfo("one", true, null, 50, 4_096, Map.of()));

    private final Deque<Long> window = new ArrayDeque<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostInFlight = new AtomicInteger();
    private volatile boolean countsWindow = true;
    private @TempDir Path files;
    private StubProvider model;
    private Engine engine;

    @BeforeEach
    void start() throws IOException {
        model = new StubProvider(this::answer);
    }

    @AfterEach
    void stop() throws InterruptedException {
        engine.close();
        model.close();
    }

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try {
            if (countsWindow && !fits()) {
                refused.incrementAndGet();
                StubProvider.answer(exchange, 429, "{\"error\": {\"message\": \"Rate limit of requests\"}}");
            } else {
                Thread.sleep(100);
                StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
            }
        } finally {
            inFlight.decrementAndGet();
        }
    }

    private synchronized boolean fits() {
        long now = System.nanoTime();
        while (!window.isEmpty() && now - window.element() >= WINDOW_NANOS) {
            window.remove();
        }
        boolean fits = window.size() < REQUESTS;
        if (fits) {
            window.add(now);
        }
        return fits;
    }

    private Map<String, Object> limited(String limits) throws IOException {
        Path file = Files.createTempFile(files, "providers", ".yaml");
        Files.writeString(
                file,
                "providers:\n  one: {type: openai, baseUrl: %s/v1, keyless: true, maxConcurrent: 50, limits: [%s]}\n"
                        .formatted(model.url(), limits));
        return Map.of("assay.providers.file", file.toString());
    }

    private void start(int workers, String limits) throws IOException {
        engine = new Engine(ToolPolicy.NONE, limited(limits));
        for (int i = 1; i < workers; i++) {
            engine.join(limited(limits));
        }
    }

    private static String campaign(int cases) {
        String list = IntStream.range(0, cases)
                .mapToObj(i -> "  - {id: c%d, prompt: good %d}\n".formatted(i, i))
                .collect(Collectors.joining("", "cases:\n", ""));
        return "name: limited\nlimits: {maxConcurrent: 40, maxAttempts: 1, timeoutSeconds: 20}\n" + list
                + "branches: [{id: b, provider: one, model: m}]\n";
    }

    private long count(String where) {
        return engine.store.count("SELECT count(*) FROM " + where);
    }

    /** Each cell waits for longer than its time, which its wait does not take. */
    @Test
    void shouldBeRefusedNothingWhenTwoWorkersShareAMinute() throws IOException {
        start(2, "{models: 'm*', requestsPerMinute: %d, burstSeconds: 60}".formatted(REQUESTS));
        long begin = System.nanoTime();

        engine.submit("c", campaign(REQUESTS + 15), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofSeconds(60));
        assertThat(refused).hasValue(0);
        assertThat(count("outcome WHERE status <> 'COMPLETED'")).isZero();
        assertThat(model.asked()).hasSize(REQUESTS + 15);
        assertThat(count("ledger")).as("what waits has no row").isEqualTo(REQUESTS + 15);
        assertThat(count("cell WHERE attempts <> 1")).isZero();
        assertThat(engine.store.count("SELECT count(DISTINCT worker_id) FROM limit_wish"))
                .isEqualTo(2);
    }

    @Test
    void shouldSpendWhatWasReportedWhenItIsLessThanEstimated() throws IOException {
        countsWindow = false;
        // Five requests as they are estimated, far more as they are reported.
        start(1, "{models: '*', tokensPerMinute: 5500, burstSeconds: 60, countOutput: produced}");
        long begin = System.nanoTime();

        engine.submit("c", campaign(100), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(60));
        await().untilAsserted(() -> assertThat(engine.store.count(
                        "SELECT coalesce(sum(u), 0) FROM limit_spending CROSS JOIN unnest(slot_units) AS u"))
                .isEqualTo(100 * 6));
    }

    /** Six cells wait for units: more than the campaign has places. */
    @Test
    void shouldHoldNoPlaceOfACampaignWhileItWaitsForUnits() throws IOException {
        start(1, "{models: 'slow', requestsPerMinute: 2}, {models: '*', concurrent: 3}");
        countsWindow = false;
        String cases = IntStream.range(0, 8)
                .mapToObj(i -> "  - {id: c%d, prompt: good %d}\n".formatted(i, i))
                .collect(Collectors.joining("", "cases:\n", ""));

        engine.submit(
                "c",
                "name: both\nlimits: {maxConcurrent: 4}\n" + cases
                        + "branches: [{id: s, provider: one, model: slow}, {id: f, provider: one, model: fast}]\n",
                PROVIDERS);

        await().atMost(Duration.ofSeconds(40))
                .until(() -> count("outcome WHERE branch_index = 1 AND status = 'COMPLETED'") == 8);
        assertThat(count("outcome WHERE branch_index = 0")).isLessThanOrEqualTo(4);
        assertThat(count("ledger l JOIN cell c USING (campaign_id, ordinal, kind, member) WHERE c.attempts = 0"))
                .isZero();
        assertThat(mostInFlight.get())
                .as("three of one group, and those of the other")
                .isBetween(1, 5);
    }

    @Test
    void shouldAskForAnEvaluationFirstWhenUnitsAreShort() throws IOException {
        start(2, "{models: '*', requestsPerMinute: 60}");
        engine.submit("c", campaign(60), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> count("outcome WHERE campaign_id = 'c'") >= 4);

        engine.evaluate(
                "e",
                "name: e\ncases: [{id: q, prompt: asked}]\nbranches: [{id: b, provider: one, model: m}]\n",
                PROVIDERS);

        assertThat(engine.awaitEnd("e").state()).isEqualTo(CampaignState.COMPLETED);
        List<String> asked =
                model.asked().stream().map(StubProvider.Asked::text).toList();
        assertThat(asked).hasSizeLessThan(30);
    }

    private void set(Map<LimitKind, Optional<Long>> limits, @Nullable CallBounds calls) {
        engine.store
                .get(ManualLimits.class)
                .change(
                        List.of(new ModelPool("one", ModelPool.DEFAULT_ACCOUNT, "m")),
                        new ManualLimitChange("m", null, "shared", limits, new ManualLimitChange.Calls(calls)),
                        "chief");
    }

    /** No entry of the settings says anything of the model. */
    @Test
    void shouldHoldWithinASecondWhatAPersonSetsWhileCallsAreInFlight() throws IOException {
        countsWindow = false;
        engine = new Engine(ToolPolicy.NONE, limited(""));
        engine.join(limited(""));
        engine.submit("c", campaign(4_000), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> mostInFlight.get() > 10);

        set(Map.of(), new CallBounds(3, 3));
        after(Duration.ofSeconds(2));
        mostInFlight.set(0);
        after(Duration.ofSeconds(2));
        assertThat(mostInFlight.get()).isBetween(1, 3);

        set(Map.of(LimitKind.REQUESTS_PER_MINUTE, Optional.of(60L)), new CallBounds(3, 3));
        after(Duration.ofSeconds(2));
        int before = model.asked().size();
        after(Duration.ofSeconds(4));
        assertThat(model.asked().size() - before).isBetween(2, 8);

        set(Map.of(LimitKind.REQUESTS_PER_MINUTE, Optional.empty()), new CallBounds(3, 3));
        await().atMost(Duration.ofSeconds(10)).until(() -> model.asked().size() > before + 50);
        set(Map.of(), null);
        await().atMost(Duration.ofSeconds(10)).until(() -> mostInFlight.get() > 10);
        engine.cancelInTemporal("c");
        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.CANCELLED);
        assertThat(refused).hasValue(0);
    }

    /** The window of the system under test has room for no more. */
    @Test
    void shouldKeepTheLimitOfAnAddressWhenTwoWorkersAskIt() throws IOException {
        ToolPolicy tools = ToolPolicyReader.read(
                Json.tree("{\"addresses\": [{\"url\": \"%s\", \"requestsPerMinute\": 300}]}".formatted(model.url())));
        countsWindow = false;
        engine = new Engine(tools);
        engine.join(
                Map.of(),
                beans -> beans.registerSingleton(
                        Toolboxes.class, new Toolboxes(tools, Map.of(), beans.getBean(ComputePool.class))));
        long begin = System.nanoTime();

        engine.submit(
                "c",
                campaign(40)
                        .replace(
                                "{id: b, provider: one, model: m}",
                                "{id: b, kind: http, url: '%s/ask', response: '$.choices[0].message.content'}"
                                        .formatted(model.url())),
                Map.of());

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("ten at once, then 300 in 62 s")
                .isBetween(Duration.ofMillis(5_500), Duration.ofSeconds(30));
        assertThat(model.asked()).hasSize(40);
        assertThat(count("outcome WHERE status <> 'COMPLETED'")).isZero();
        assertThat(count("limit_spending WHERE provider = 'http/127.0.0.1' AND units = 300"))
                .isOne();
    }

    private static void after(Duration time) {
        await().pollDelay(time).until(() -> true);
    }

    @Test
    void shouldCloseCellsThatWaitForUnitsWhenTheirCampaignIsCancelled() throws IOException {
        start(1, "{models: '*', requestsPerMinute: 2}");
        engine.submit("c", campaign(20), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> model.asked().size() == 2);

        engine.cancelInTemporal("c");

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.CANCELLED);
        assertThat(count("ledger")).isEqualTo(2);
    }
}
