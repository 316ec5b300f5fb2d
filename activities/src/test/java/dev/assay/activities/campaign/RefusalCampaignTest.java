package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A provider that refuses requests for now costs time and nothing else. */
@Tag("slow")
@Timeout(180)
final class RefusalCampaignTest {

    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("one", new ProviderInfo("one", true, null, 20, 4_096, Map.of()));
    private static final String RATE = "{\"error\": {\"message\": \"Too many requests per minute\"}}";

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger mostInFlight = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final List<Long> arrivals = new CopyOnWriteArrayList<>();
    private volatile StubProvider.Behaviour behaviour = RefusalCampaignTest::answer;
    private @TempDir Path files;
    private StubProvider model;
    private Engine engine;

    @BeforeEach
    void start() throws IOException {
        model = new StubProvider(exchange -> {
            arrivals.add(System.nanoTime());
            mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            try {
                behaviour.answer(exchange);
            } finally {
                inFlight.decrementAndGet();
            }
        });
    }

    @AfterEach
    void stop() throws InterruptedException {
        engine.close();
        model.close();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
    }

    private void start(int workers, String limits) throws IOException {
        engine = new Engine(ToolPolicy.NONE, asking(limits));
        for (int i = 1; i < workers; i++) {
            engine.join(asking(limits));
        }
    }

    private Map<String, Object> asking(String limits) throws IOException {
        Path file = Files.createTempFile(files, "providers", ".yaml");
        Files.writeString(
                file,
                "providers:\n  one: {type: openai, baseUrl: %s/v1, keyless: true, maxConcurrent: 20, limits: [%s]}\n"
                        .formatted(model.url(), limits));
        return Map.of("assay.providers.file", file.toString());
    }

    private static String campaign(int cases, int maxAttempts) {
        String list = IntStream.range(0, cases)
                .mapToObj(i -> "  - {id: c%d, prompt: good %d}\n".formatted(i, i))
                .collect(Collectors.joining("", "cases:\n", ""));
        return "name: refused\nlimits: {maxConcurrent: 20, maxAttempts: %d}\n%sbranches: [{id: b, provider: one, model: m}]\n"
                .formatted(maxAttempts, list);
    }

    private long count(String where) {
        return engine.store.count("SELECT count(*) FROM " + where);
    }

    private void assertAllCompleted(int attempts) {
        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(count("outcome WHERE status <> 'COMPLETED'")).isZero();
        assertThat(count("cell WHERE attempts <> " + attempts)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"20, 1, 1", "21, 2, 2"})
    void shouldNotCountTwentyRefusalsOfACell(int refusals, int maxAttempts, int attempts) throws IOException {
        Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
        behaviour = exchange -> {
            String text = model.asked(exchange).text();
            if (asked.computeIfAbsent(text, _ -> new AtomicInteger()).incrementAndGet() <= refusals) {
                StubProvider.answer(exchange, 429, RATE, "Retry-After-Ms", "1");
            } else {
                answer(exchange);
            }
        };
        start(1, "");

        engine.submit("c", campaign(3, maxAttempts), PROVIDERS);

        assertAllCompleted(attempts);
        assertThat(count("ledger WHERE no_attempt = 'RATE' AND state = 'FAILED' AND cost_usd IS NULL"))
                .isEqualTo(3 * 20);
        assertThat(count("outcome WHERE attempts <> " + attempts)).isZero();
    }

    @Test
    void shouldCutItsCallsWhenTooManyAreInFlight() throws IOException {
        behaviour = exchange -> {
            boolean isTooMuch = inFlight.get() > 6;
            Thread.sleep(50);
            if (isTooMuch) {
                refused.incrementAndGet();
                StubProvider.answer(
                        exchange, 429, "{\"error\": {\"message\": \"slow down\"}}", "Retry-After-Ms", "100");
            } else {
                answer(exchange);
            }
        };
        start(2, "");

        engine.submit("c", campaign(200, 1), PROVIDERS);

        assertAllCompleted(1);
        assertThat(count("pool_throttle WHERE cuts > 0 AND calls < 20")).isEqualTo(1);
        assertThat(refused.get()).isBetween(1, 80);
        assertThat(count("ledger WHERE no_attempt = 'RATE'")).isEqualTo(refused.get());
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void shouldSendNothingFromAnyWorkerWhileTheProviderAsksToWait(int status) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger sign = new AtomicInteger();
        behaviour = exchange -> {
            Thread.sleep(40);
            if (asked.incrementAndGet() == 30) {
                sign.set(arrivals.size());
                StubProvider.answer(exchange, status, RATE, "Retry-After", "4");
            } else {
                answer(exchange);
            }
        };
        start(2, "");

        engine.submit("c", campaign(200, 2), PROVIDERS);

        await().atMost(Engine.PATIENCE).until(() -> sign.get() > 0);
        long refusedAt = System.nanoTime();
        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(arrivals.stream()
                        .map(at -> at - refusedAt)
                        .filter(at -> at > Duration.ofSeconds(1).toNanos()
                                && at < Duration.ofMillis(3_500).toNanos()))
                .isEmpty();
        assertThat(count("outcome WHERE status <> 'COMPLETED'")).isZero();
        assertThat(count("cell WHERE attempts > 1")).isEqualTo(status == 429 ? 0 : 1);
    }

    @Test
    void shouldEndACellWhoseRequestIsLargerThanALimit() throws IOException {
        behaviour = exchange -> StubProvider.answer(
                exchange,
                429,
                "{\"error\": {\"message\": \"Request too large for m on tokens per min (TPM): Limit 1000, Requested"
                        + " 2000.\"}}");
        start(1, "");

        engine.submit("c", campaign(2, 3), PROVIDERS);

        engine.awaitEnd("c");
        assertThat(model.asked()).hasSize(2);
        assertThat(count("outcome WHERE error_code = 'PROVIDER_REJECTED' AND attempts = 1 AND error_message LIKE"
                        + " '%larger than the limit of 1000 tokensPerMinute%Requested 2000%'"))
                .isEqualTo(2);
    }

    @Test
    void shouldBeginWithFewCallsAndSendMoreAsAnswersCome() throws IOException {
        AtomicInteger atFirst = new AtomicInteger();
        behaviour = exchange -> {
            if (arrivals.size() <= 4) {
                atFirst.accumulateAndGet(inFlight.get(), Math::max);
            }
            Thread.sleep(50);
            answer(exchange);
        };
        start(2, "{models: '*', concurrent: {min: 1, start: 2, max: 15}}");

        engine.submit("c", campaign(200, 1), PROVIDERS);

        assertAllCompleted(1);
        assertThat(atFirst.get()).isBetween(1, 2);
        assertThat(mostInFlight.get()).isBetween(5, 15);
    }
}
