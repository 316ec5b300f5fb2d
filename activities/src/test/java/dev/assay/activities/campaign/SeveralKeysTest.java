package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.HealthCheck;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.health.HealthRepository;
import dev.assay.store.outage.KeyDecisions;
import dev.assay.store.outage.KeyDecisions.KeyName;
import dev.assay.work.secret.SecretVariables;
import dev.assay.workflows.TaskQueues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several keys of a provider share the work. One that is refused costs nothing, while others go on. */
@Tag("slow")
@Timeout(180)
final class SeveralKeysTest {

    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("one", new ProviderInfo("one", true, null, 20, 4_096, Map.of()));
    private static final int IN_FLIGHT = 20;
    private static final int MOST_REFUSED = IN_FLIGHT + 5;
    private static final String TWO = "{name: main, variable: KEY_A}, {name: second, variable: KEY_B}";

    /** The HTTP status with which a value is refused. */
    private final Map<String, Integer> refusing = new ConcurrentHashMap<>();

    private final Queue<String> answered = new ConcurrentLinkedQueue<>();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private volatile long delayMs = 20;
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
        Thread.sleep(delayMs);
        String value = model.asked(exchange).header("Authorization").replace("Bearer ", "");
        boolean isOther = model.asked(exchange).text().contains("\"other\"");
        Integer status = refusing.get(isOther ? value + " other" : value);
        if (status == null) {
            answered.add(value);
            StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
        } else {
            refused.add(isOther ? value + " other" : value);
            if (status == 429) {
                String words = "{\"error\": {\"message\": \"Too many requests per minute\"}}";
                StubProvider.answer(exchange, status, words, "Retry-After", "600");
                return;
            }
            StubProvider.answer(exchange, status, "{\"error\": {\"message\": \"No\"}}");
        }
    }

    private void work(String keys, String limits) throws IOException {
        work(keys, limits, Map.of("KEY_A", "a", "KEY_B", "b"));
    }

    private void work(String keys, String limits, Map<String, String> environment) throws IOException {
        ProviderCatalog catalog = catalog(keys, limits, environment);
        engine = new Engine(
                ToolPolicy.NONE, Map.of(), worker -> worker.registerSingleton(ProviderCatalog.class, catalog));
    }

    private ProviderCatalog catalog(String keys, String limits, Map<String, String> environment) throws IOException {
        Path settings = Files.createTempFile(files, "providers", ".yaml");
        Files.writeString(
                settings,
                "providers:\n  one: {type: openai, baseUrl: %s/v1, maxConcurrent: %d, keys: [%s], limits: [%s]}\n"
                        .formatted(model.url(), IN_FLIGHT, keys, limits));
        return ProviderCatalog.load(settings, SecretVariables.of(environment));
    }

    private void submit(int cases) {
        engine.submit("c", campaign(cases), PROVIDERS);
    }

    private static String campaign(int cases) {
        String list = IntStream.range(0, cases)
                .mapToObj("  - {id: c%1$d, prompt: good %1$d}\n"::formatted)
                .collect(Collectors.joining("", "cases:\n", ""));
        return "name: keys\nlimits: {maxConcurrent: %d, maxAttempts: 1}\n%sbranches: [{id: b, provider: one, model: m}]\n"
                .formatted(IN_FLIGHT, list);
    }

    private void assertAllCompleted() {
        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE status <> 'COMPLETED'"))
                .isZero();
        assertThat(engine.store.count("SELECT count(*) FROM cell WHERE attempts <> 1"))
                .isZero();
    }

    private static long times(Queue<String> all, String value) {
        return all.stream().filter(value::equals).count();
    }

    private CampaignHealth health() {
        return HealthCheck.of(engine.store.get(HealthRepository.class).facts(engine.get("c"), 1, TaskQueues::provider));
    }

    private void decide(boolean isEnabled, String key) {
        KeyDecisions decisions = engine.store.get(KeyDecisions.class);
        if (isEnabled) {
            decisions.enable(new KeyName("one", key), "mended", "test");
        } else {
            assertThat(decisions.drain(new KeyName("one", key), "rotated", "test"))
                    .isTrue();
        }
    }

    @Test
    void shouldShareRequestsByWeightWhenNothingIsLimited() throws IOException {
        work("{name: main, variable: KEY_A}, {name: second, variable: KEY_B, weight: 2}", "");

        submit(300);

        assertAllCompleted();
        assertThat(times(answered, "a")).isEqualTo(100);
        assertThat(times(answered, "b")).isEqualTo(200);
    }

    @Test
    void shouldShareRequestsByWeightWhenLimitsAllowThem() throws IOException {
        work(
                "{name: main, variable: KEY_A}, {name: second, variable: KEY_B, weight: 2}",
                "{models: '*', requestsPerMinute: 6000, burstSeconds: 60}");

        submit(300);

        assertAllCompleted();
        assertThat(times(answered, "a")).isBetween(90L, 110L);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 402})
    void shouldLoseNoAttemptWhenAKeyIsRefusedUnderLoad(int status) throws IOException {
        work(TWO, "");
        submit(600);
        await().atMost(Engine.PATIENCE).until(() -> answered.size() > 100);

        refusing.put("a", status);

        assertAllCompleted();
        assertThat(times(refused, "a")).isBetween(5L, (long) MOST_REFUSED);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE no_attempt = 'KEY'"))
                .isEqualTo(refused.size());
        assertThat(engine.store.count("SELECT count(*) FROM outage WHERE key LIKE 'main/%'"))
                .isEqualTo(1);
    }

    @Test
    void shouldLoseNoAttemptWhenAKeyOfALimitedProviderIsRefused() throws IOException {
        work(TWO, "{models: '*', requestsPerMinute: 6000, burstSeconds: 60}");
        submit(400);
        await().atMost(Engine.PATIENCE).until(() -> answered.size() > 100);

        refusing.put("a", 401);

        assertAllCompleted();
        assertThat(times(refused, "a")).isBetween(5L, (long) MOST_REFUSED);
    }

    /** Its account is blocked for ten minutes: nobody may wait for that. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{models: '*', requestsPerMinute: 6000, burstSeconds: 60}"})
    void shouldGoOnWithAnotherAccountWhenOneRefusesForNow(String limits) throws IOException {
        refusing.put("a", 429);
        work(TWO, limits);

        submit(200);

        assertAllCompleted();
        assertThat(times(answered, "b")).isEqualTo(200);
        assertThat(times(refused, "a")).isBetween(1L, (long) IN_FLIGHT);
        assertThat(engine.store.count("SELECT count(*) FROM pool_throttle WHERE blocked_until IS NOT NULL"))
                .isEqualTo(1);
    }

    @Test
    void shouldAskWithAnotherKeyAtOnceWhenOneNeverWorked() throws IOException {
        refusing.put("a", 401);
        work(TWO, "");

        submit(100);

        assertAllCompleted();
        assertThat(times(refused, "a")).isBetween(1L, (long) MOST_REFUSED);
        assertThat(health().reasons())
                .extracting(CampaignHealth.Reason::message)
                .noneMatch(message -> message.contains("KEY_B"));
    }

    /** A refusal that is about a model is about the key all the same. */
    @Test
    void shouldAskWithAnotherKeyWhenOneIsRefusedForAModelAlone() throws IOException {
        refusing.put("a other", 401);
        work(TWO, "");

        engine.submit(
                "c",
                campaign(60).replace("branches: [", "branches: [{id: o, provider: one, model: other}, "),
                PROVIDERS);

        assertAllCompleted();
        assertThat(refused).isNotEmpty().allMatch("a other"::equals);
        assertThat(engine.store.count("SELECT count(*) FROM outage")).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldWaitWhenTheLastKeyIsRefusedToo() throws IOException {
        work(TWO, "");
        submit(300);
        await().atMost(Engine.PATIENCE).until(() -> answered.size() > 50);
        refusing.put("a", 401);
        refusing.put("b", 401);
        await().atMost(Engine.PATIENCE).until(() -> engine.store.count("SELECT count(DISTINCT key) FROM outage") == 2);
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(20))
                .until(() -> health().status() == CampaignHealth.Status.STALLED);
        refusing.clear();

        decide(true, "second");

        assertAllCompleted();
        assertThat(refused).hasSizeLessThanOrEqualTo(2 * MOST_REFUSED);
    }

    @Test
    void shouldUseAKeyAgainWhenSomebodyEnablesIt() throws IOException {
        work(TWO, "");
        submit(1_000);
        await().atMost(Engine.PATIENCE).until(() -> answered.size() > 50);
        refusing.put("a", 401);
        await().atMost(Engine.PATIENCE).until(() -> engine.store.count("SELECT count(*) FROM outage") == 1);
        refusing.clear();
        answered.clear();

        decide(true, "main");

        await().atMost(Duration.ofSeconds(15)).until(() -> times(answered, "a") > 20);
        assertThat(engine.store.count("SELECT count(*) FROM outage")).isZero();
        assertAllCompleted();
    }

    @Test
    void shouldSendNothingNewWithADrainedKey() throws IOException {
        work(TWO, "");
        submit(1_000);
        await().atMost(Engine.PATIENCE).until(() -> times(answered, "a") > 50);

        decide(false, "main");

        await().atMost(Duration.ofSeconds(5))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> {
                    boolean isDrained = times(answered, "b") > 0 && times(answered, "a") == 0;
                    answered.clear();
                    return isDrained;
                });
        assertThat(engine.store.get(KeyDecisions.class).drain(new KeyName("one", "second"), "too", "test"))
                .isFalse();
        assertAllCompleted();
    }

    @Test
    void shouldHaveLimitsOfEachAccountWhenKeysHaveTheirOwn() throws IOException {
        work(TWO, "{models: '*', requestsPerMinute: 20, burstSeconds: 60}");
        long begin = System.nanoTime();

        submit(40);

        assertAllCompleted();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
        assertThat(times(answered, "a")).isEqualTo(20);
        assertThat(engine.store.count("SELECT count(DISTINCT account) FROM limit_spending"))
                .isEqualTo(2);
    }

    @Test
    void shouldShareLimitsWhenKeysHaveOneAccount() throws IOException {
        work(
                "{name: main, variable: KEY_A, account: org}, {name: second, variable: KEY_B, account: org}",
                "{models: '*', requestsPerMinute: 20, burstSeconds: 60}");

        submit(40);

        await().atMost(Engine.PATIENCE).until(() -> answered.size() == 20);
        await().during(Duration.ofSeconds(3)).atMost(Duration.ofSeconds(10)).until(() -> answered.size() == 20);
        assertThat(times(answered, "a")).isEqualTo(10);
        engine.cancelInTemporal("c");
    }

    @Test
    void shouldNotWaitForAnAccountWhileAnotherHasUnits() throws IOException {
        work(
                "{name: main, variable: KEY_A, weight: 1000}, {name: second, variable: KEY_B}",
                "{models: '*', requestsPerMinute: 30, burstSeconds: 60}");
        long begin = System.nanoTime();

        submit(60);

        assertAllCompleted();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(40));
        assertThat(times(answered, "a")).isEqualTo(30);
    }

    @Test
    void shouldUseTheKeysThatAWorkerHasWhenItLacksSome() throws IOException {
        work(TWO, "", Map.of("KEY_B", "b"));

        submit(30);

        assertAllCompleted();
        assertThat(times(answered, "b")).isEqualTo(30);
    }
}
