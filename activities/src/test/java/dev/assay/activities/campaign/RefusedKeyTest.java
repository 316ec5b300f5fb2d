package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.health.HealthCheck;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.health.HealthRepository;
import dev.assay.store.outage.KeyRepository;
import dev.assay.work.secret.SecretVariables;
import dev.assay.workflows.TaskQueues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
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

/** A key that is refused costs a few calls and no cell. */
@Tag("slow")
@Timeout(180)
final class RefusedKeyTest {

    private static final Map<String, ProviderInfo> PROVIDERS =
            Map.of("one", new ProviderInfo("one", true, null, 20, 4_096, Map.of()));
    /** Sooner than a campaign is paused that never had an answer from a provider which is away. */
    private static final Duration AT_ONCE = Duration.ofSeconds(40);

    private static final int IN_FLIGHT = 20;
    private static final int MOST_REFUSED = IN_FLIGHT + 5;
    /** Of cases 0, 10 … 50: the other model is answered meanwhile. */
    private static final Pattern FORBIDDEN = Pattern.compile("\"forbidden\"(?s).*good \\d?0\"");

    private static final String GOOD = "sk-good";
    private static final String BAD = "sk-bad";

    private final Set<String> valid = ConcurrentHashMap.newKeySet();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile int status = 401;
    private volatile String words = "{\"error\": {\"message\": \"Incorrect API key\"}}";
    private @TempDir Path files;
    private Path key;
    private SecretVariables variables;
    private StubProvider model;
    private Engine engine;

    @BeforeEach
    void start() throws IOException {
        valid.add(GOOD);
        model = new StubProvider(exchange -> {
            Thread.sleep(20);
            answer(exchange);
        });
        key = files.resolve("key");
    }

    private void answer(HttpExchange exchange) throws IOException {
        StubProvider.Asked asked = model.asked(exchange);
        boolean isForbidden = FORBIDDEN.matcher(asked.text()).find();
        if (isForbidden || !valid.contains(asked.header("Authorization").replace("Bearer ", ""))) {
            refused.incrementAndGet();
            StubProvider.answer(exchange, status, words);
        } else {
            StubProvider.answer(exchange, 200, Requests.OPENAI_ONE);
        }
    }

    private void work(String value) throws IOException {
        Files.writeString(key, value);
        variables = SecretVariables.of(Map.of("ONE_KEY_FILE", key.toString()));
        ProviderCatalog catalog = catalog(variables);
        engine = new Engine(
                ToolPolicy.NONE, Map.of(), worker -> worker.registerSingleton(ProviderCatalog.class, catalog));
    }

    private ProviderCatalog catalog(SecretVariables secrets) throws IOException {
        Path settings = Files.writeString(
                files.resolve("providers.yaml"),
                "providers:\n  one: {type: openai, baseUrl: %s/v1, keyVariable: ONE_KEY, maxConcurrent: %d}\n"
                        .formatted(model.url(), IN_FLIGHT));
        return ProviderCatalog.load(settings, secrets);
    }

    @AfterEach
    void stop() throws InterruptedException {
        engine.close();
        model.close();
    }

    private static String campaign(int cases, String... models) {
        String list = IntStream.range(0, cases)
                .mapToObj("  - {id: c%1$d, prompt: good %1$d}\n"::formatted)
                .collect(Collectors.joining("", "cases:\n", ""));
        String branches = Arrays.stream(models)
                .map("{id: %1$s, provider: one, model: %1$s}"::formatted)
                .collect(Collectors.joining(", "));
        return "name: refused\nlimits: {maxConcurrent: 20, maxAttempts: 1}\n%sbranches: [%s]\n"
                .formatted(list, branches);
    }

    private long errors(String id) {
        return engine.store.count(
                "SELECT count(*) FROM outcome WHERE campaign_id = '%s' AND status <> 'COMPLETED'".formatted(id));
    }

    private void awaitRefused(String reason) {
        await().atMost(Engine.PATIENCE)
                .until(() ->
                        engine.store.count("SELECT count(*) FROM outage WHERE reason = '%s'".formatted(reason)) > 0);
        await().during(Duration.ofSeconds(2))
                .atMost(Duration.ofSeconds(20))
                .until(() -> engine.store.count("SELECT count(*) FROM cell WHERE claim_worker IS NOT NULL"
                                + " AND closed_epoch IS NULL")
                        == 0);
    }

    /** Attempts are those of the ledger that count: the others were given back. */
    private void assertCounted(String id) {
        assertThat(engine.store.count("""
            SELECT count(*) FROM cell c WHERE campaign_id = '%s' AND attempts <> (
                SELECT count(DISTINCT l.attempt) FILTER (WHERE l.no_attempt IS NULL) FROM ledger l
                WHERE l.campaign_id = c.campaign_id AND l.ordinal = c.ordinal AND l.kind = c.kind AND l.member = c.member)
            """.formatted(id))).isZero();
    }

    private CampaignHealth health(String id) {
        return HealthCheck.of(engine.store.get(HealthRepository.class).facts(engine.get(id), 1, TaskQueues::provider));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 402})
    void shouldLoseNoCellWhenTheKeyIsRefusedInMidRun(int how) throws IOException {
        status = how;
        work(GOOD);
        engine.submit("c", campaign(300, "m"), PROVIDERS);
        await().atMost(Engine.PATIENCE).until(() -> model.asked().size() > 50);
        valid.clear();
        awaitRefused(how == 401 ? "AUTH" : "QUOTA");

        assertThat(refused.get()).isBetween(5, MOST_REFUSED);
        assertThat(health("c").status()).isEqualTo(CampaignHealth.Status.STALLED);
        assertThat(health("c").reasons().getFirst().message())
                .contains("ONE_KEY")
                .doesNotContain(GOOD);
        valid.add(GOOD);
        engine.store
                .get(KeyRepository.class)
                .probeNow(engine.get("c").definition().poolsAsked());

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isZero();
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE no_attempt = 'KEY'"))
                .isEqualTo(refused.get());
        assertThat(engine.store.count("SELECT count(*) FROM outage")).isZero();
        assertCounted("c");
    }

    @Test
    void shouldGoOnAtOnceWhenTheWorkerReadsAnotherValue() throws IOException {
        work(BAD);
        engine.submit("c", campaign(100, "m"), PROVIDERS);
        awaitRefused("AUTH");
        Files.writeString(key, GOOD);
        variables.look();

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(refused.get()).isBetween(1, MOST_REFUSED);
        assertThat(errors("c")).isZero();
        assertCounted("c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\": {\"message\": \"Incorrect API key\"}}",
                "{\"error\": {\"message\": \"a\\u0000b\\u001b[2J\\ud800\"}}",
                "<html>Who are you?</html>",
                ""
            })
    void shouldPauseACampaignOfTheCommandAtOnceWhenItsKeyNeverWorked(String said) throws IOException {
        words = said;
        work(BAD);
        engine.campaigns.create(
                "c",
                CampaignReader.read(CampaignDocument.parse(campaign(100, "m")), PROVIDERS),
                new SubmissionOrigin("command", null));
        engine.start("c");

        await().atMost(AT_ONCE).until(() -> engine.get("c").state() == CampaignState.PAUSED);
        assertThat(engine.get("c").standing().failureReason())
                .startsWith("Provider one refused the key of ONE_KEY (HTTP 401)")
                .endsWith(". Mend that first.")
                .doesNotContain("\u0000", "\u001b", BAD);
        assertThat(refused.get()).isBetween(1, MOST_REFUSED);
        assertThat(health("c").status()).isEqualTo(CampaignHealth.Status.STALLED);
        valid.add(BAD);
        engine.store.get(CampaignChanges.class).steer("c", SteeringVerb.RESUME);
        engine.startOrWake("c");

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isZero();
        assertCounted("c");
    }

    @Test
    void shouldEndCellsThatAreRefusedWhenOthersAreAnswered() throws IOException {
        work(GOOD);
        engine.submit("c", campaign(60, "m", "forbidden"), PROVIDERS);

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isEqualTo(6);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE error_code = 'PROVIDER_AUTH'"))
                .isEqualTo(6);
        assertThat(engine.store.count("SELECT count(*) FROM outage")).isZero();
        assertCounted("c");
    }

    @Test
    void shouldLeaveTheWorkToOthersWhenOnlyThisWorkerHasARefusedKey() throws IOException {
        work(GOOD);
        ProviderCatalog wrong = catalog(SecretVariables.of(Map.of("ONE_KEY", BAD)));
        engine.join(Map.of(), worker -> worker.registerSingleton(ProviderCatalog.class, wrong));
        engine.submit("c", campaign(600, "m"), PROVIDERS);
        await().atMost(Engine.PATIENCE)
                .until(() -> health("c").reasons().stream()
                        .anyMatch(reason -> reason.code() == CampaignHealth.Code.WORKER_KEY));

        assertThat(engine.awaitEnd("c").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(errors("c")).isZero();
        assertThat(refused.get()).isBetween(1, MOST_REFUSED);
        assertCounted("c");
    }

    @Test
    void shouldTellNothingOfTheValueWhenAKeyIsRefused() throws IOException {
        words = "{\"error\": {\"message\": \"Incorrect API key: %s\"}}".formatted(BAD);
        work(BAD);
        engine.submit("c", campaign(5, "m"), PROVIDERS);
        awaitRefused("AUTH");

        List<String> told = List.of(Json.write(health("c").reasons().stream()
                .map(CampaignHealth.Reason::message)
                .toList()));
        assertThat(told).allSatisfy(text -> assertThat(text).doesNotContain(BAD));
        assertThat(engine.store.count(
                        "SELECT count(*) FROM outage o, key_use u WHERE o.key = u.key_name || '/' || u.fingerprint"
                                + " AND o::text || u::text NOT LIKE '%sk-bad%' AND u.fingerprint ~ '^[0-9a-f]{12}$'"))
                .isEqualTo(1);
    }
}
