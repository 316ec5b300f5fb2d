package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.work.secret.SecretVariables;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that no settings name are kept once answers say them. */
@Tag("slow")
@Timeout(180)
final class LearnedLimitsTest {

    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("one", new ProviderInfo("one", true, null, 20, 4_096, Map.of()));

    private final AtomicInteger asked = new AtomicInteger();
    private volatile StubProvider.Behaviour behaviour = exchange -> {};
    private @TempDir Path files;
    private StubProvider model;
    private Engine engine;

    @BeforeEach
    void start() throws IOException {
        model = new StubProvider(exchange -> behaviour.answer(exchange));
    }

    @AfterEach
    void stop() throws InterruptedException {
        engine.close();
        model.close();
    }

    private void start(String limits) throws IOException {
        Path file = Files.createTempFile(files, "providers", ".yaml");
        Files.writeString(
                file,
                "providers:\n  one: {type: openai, baseUrl: %s/v1, keyless: true, maxConcurrent: 4, limits: [%s]}\n"
                        .formatted(model.url(), limits));
        engine = new Engine(ToolPolicy.NONE, Map.of("assay.providers.file", file.toString()));
    }

    private void startWithTwoAccounts() throws IOException {
        Path file = Files.createTempFile(files, "providers", ".yaml");
        Files.writeString(
                file,
                ("providers:\n  one: {type: openai, baseUrl: %s/v1, maxConcurrent: 4, keys: ["
                                + "{name: a, variable: KEY_A, account: main},"
                                + " {name: b, variable: KEY_B, account: second}]}\n")
                        .formatted(model.url()));
        ProviderCatalog catalog =
                ProviderCatalog.load(file, SecretVariables.of(Map.of("KEY_A", "value-a", "KEY_B", "value-b")));
        engine = new Engine(
                ToolPolicy.NONE, Map.of(), worker -> worker.registerSingleton(ProviderCatalog.class, catalog));
    }

    private static String campaign(int cases) {
        String list = IntStream.range(0, cases)
                .mapToObj(i -> "  - {id: c%d, prompt: good %d}\n".formatted(i, i))
                .collect(Collectors.joining("", "cases:\n", ""));
        return "name: taught\nlimits: {maxConcurrent: 4, maxAttempts: 1}\n" + list
                + "branches: [{id: b, provider: one, model: m}]\n";
    }

    private long learned(String name) {
        return engine.store.count("SELECT coalesce(max(units), 0) FROM limit_learned WHERE name = '" + name + "'");
    }

    private static void answer(HttpExchange exchange, String headers) throws IOException {
        for (String header : headers.split(";")) {
            String[] parts = header.split("=", 2);
            exchange.getResponseHeaders().set(parts[0].strip(), parts.length == 1 ? "" : parts[1].strip());
        }
        StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        tokensPerMinute      | 90000 | x-ratelimit-limit-tokens=90000; x-ratelimit-remaining-tokens=LEFT; x-ratelimit-reset-tokens=RESETms
        inputTokensPerMinute | 90000 | anthropic-ratelimit-input-tokens-limit=90000; anthropic-ratelimit-input-tokens-remaining=LEFT
        tokensPerMinute      | 90000 | x-ratelimit-limit-tokens-minute=90000; x-ratelimit-remaining-tokens-minute=LEFT
        """)
    void shouldKeepALimitThatAnswersSay(String name, long limit, String headers) throws IOException {
        behaviour = exchange -> {
            int used = 1_000 * asked.incrementAndGet();
            String said = headers.replace("LEFT", String.valueOf(limit - used))
                    .replace("RESET", String.valueOf(60_000L * used / limit));
            answer(exchange, said);
        };
        start("");

        engine.submit("c", campaign(20), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE status <> 'COMPLETED'"))
                .isZero();
        await().untilAsserted(() -> assertThat(learned(name)).isEqualTo(limit));
        assertThat(engine.store.count("SELECT count(*) FROM limit_learned")).isEqualTo(1);
        assertThat(engine.store.count("SELECT count(*) FROM limit_spending WHERE units = " + limit))
                .isEqualTo(1);
    }

    @Test
    void shouldKeepTheLimitsOfEachAccountForItself() throws IOException {
        behaviour = exchange -> {
            boolean isMain = "Bearer value-a".equals(model.asked(exchange).header("Authorization"));
            answer(exchange, "x-ratelimit-limit-req-minute=" + (isMain ? 9_000 : 6_000));
        };
        startWithTwoAccounts();

        engine.submit("c", campaign(60), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE status <> 'COMPLETED'"))
                .isZero();
        await().untilAsserted(() -> assertThat(engine.store.count("SELECT count(*) FROM limit_learned"
                        + " WHERE (account, units) IN (('main', 9000), ('second', 6000))"))
                .isEqualTo(2));
        assertThat(engine.store.count("SELECT count(*) FROM limit_learned")).isEqualTo(2);
    }

    /** The first answer says that 59 are left of a minute. */
    @Test
    void shouldHoldBackWhatALearnedLimitDoesNotAllow() throws IOException {
        behaviour = exchange -> {
            int used = asked.incrementAndGet();
            Thread.sleep(200);
            answer(
                    exchange,
                    "x-ratelimit-limit-req-minute=600; x-ratelimit-remaining-req-minute=" + Math.max(0, 60 - used));
        };
        start("");

        engine.submit("c", campaign(120), PROVIDERS);

        await().atMost(Engine.PATIENCE).until(() -> learned("requestsPerMinute") == 600);
        await().atMost(Engine.PATIENCE).until(() -> asked.get() >= 50);
        await().during(Duration.ofSeconds(5)).atMost(Duration.ofSeconds(7)).until(() -> asked.get() < 110);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE status <> 'COMPLETED'"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x-ratelimit-limit-req-minute=-5; x-ratelimit-remaining-req-minute=3",
                "x-ratelimit-limit-req-minute=0",
                "x-ratelimit-limit-req-minute=many",
                "x-ratelimit-limit-req-minute=99999999999999999999999",
                "x-ratelimit-limit-requests=100; x-ratelimit-remaining-requests=100; x-ratelimit-reset-requests=1s",
                "x-ratelimit-limit-requests=100; x-ratelimit-remaining-requests=99; x-ratelimit-reset-requests=9d",
                "anthropic-ratelimit-requests-limit=1e9; anthropic-ratelimit-requests-remaining=NaN",
            })
    void shouldLearnNothingFromNonsense(String headers) throws IOException {
        behaviour = exchange -> answer(exchange, headers);
        start("");

        engine.submit("c", campaign(8), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM limit_learned")).isZero();
    }

    @Test
    void shouldLearnNothingWhereTheSettingsSayNo() throws IOException {
        behaviour = exchange -> answer(exchange, "x-ratelimit-limit-req-minute=1");
        start("{models: '*', learn: false}");

        engine.submit("c", campaign(20), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM limit_learned")).isZero();
    }

    /** Google names the quota, and Mistral's likes the limit, in the words of the refusal. */
    @Test
    void shouldLearnALimitFromTheWordsOfARefusal() throws IOException {
        behaviour = exchange -> {
            if (asked.incrementAndGet() == 1) {
                StubProvider.answer(
                        exchange,
                        429,
                        "[{\"error\": {\"code\": 429, \"status\": \"RESOURCE_EXHAUSTED\", \"message\": \"quota\","
                            + " \"details\": [{\"violations\": [{\"quotaId\": \"GenerateRequestsPerMinutePerProject\","
                            + " \"quotaValue\": \"900\"}]}, {\"retryDelay\": \"0.1s\"}]}}]");
            } else {
                answer(exchange, "a=b");
            }
        };
        start("");

        engine.submit("c", campaign(8), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        await().untilAsserted(() -> assertThat(learned("requestsPerMinute")).isEqualTo(900));
        assertThat(engine.store.count("SELECT count(*) FROM cell WHERE attempts <> 1"))
                .isZero();
    }
}
