package dev.assay.store.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.StoreFixture;
import dev.assay.store.worker.WorkerRepository;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ManualLimitsTest {

    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt*");
    private static final LimitKind REQUESTS = LimitKind.REQUESTS_PER_MINUTE;

    private StoreFixture store;
    private WorkerRepository workers;
    private ManualLimits manual;
    private LimitChanges changes;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        workers = store.get(WorkerRepository.class);
        manual = store.get(ManualLimits.class);
        changes = store.get(LimitChanges.class);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private void register(String worker, LimitsInfo... limits) {
        ProviderInfo openai = new ProviderInfo("openai", null, true, null, 30, 4_096, Map.of(), List.of(limits));
        workers.register(new WorkerRepository.Worker(worker, "host", 1, "test", List.of(), List.of(openai)));
    }

    /** All of a limit may go at once. */
    private static LimitsInfo requests(long limit) {
        return new LimitsInfo("gpt*", Map.of(REQUESTS.word(), limit), 60, null);
    }

    private int granted(int wanted) {
        UnitRequest request =
                new UnitRequest(Collections.nCopies(wanted, Units.ofRequest(100, 0)), false, wanted, 0, List.of());
        return requireNonNull(store.get(UnitRepository.class)
                        .exchange("one", Map.of(POOL, request))
                        .get(POOL))
                .granted();
    }

    private void set(LimitKind kind, Optional<Long> units) {
        manual.change(
                List.of(POOL), new ManualLimitChange("gpt*", null, "a reason", Map.of(kind, units), null), "chief");
    }

    private LimitState state() {
        return store.get(LimitQueries.class).changed(List.of("openai")).getFirst();
    }

    private List<String> recorded() {
        return changes.page("openai", null, 100).items().stream()
                .map(row -> row.name() + " " + row.oldValue() + "→" + row.newValue() + " " + row.why() + " " + row.who()
                        + " " + row.reason())
                .toList();
    }

    @Test
    void shouldHoldWithTheNextExchangeWhenALimitIsHalvedWhileItIsUsed() {
        register("one", requests(10));
        assertThat(granted(6)).isEqualTo(6);

        set(REQUESTS, Optional.of(5L));

        // Limits are looked up once a second; more than the half is spent already.
        await().atMost(Duration.ofSeconds(2)).until(() -> {
            granted(1);
            return store.count("SELECT units FROM limit_spending") == 5;
        });
        long spent = store.count("SELECT sum(u) FROM limit_spending CROSS JOIN unnest(slot_units) AS u");
        assertThat(granted(10)).isZero();
        assertThat(store.count("SELECT sum(u) FROM limit_spending CROSS JOIN unnest(slot_units) AS u"))
                .isEqualTo(spent);
    }

    @Test
    void shouldAddALimitThatIsNotConfigured() {
        register("one", requests(10));

        set(LimitKind.TOKENS_PER_MINUTE, Optional.of(200L));

        assertThat(state().known(LimitKind.TOKENS_PER_MINUTE).manual()).isEqualTo(200);
        assertThat(granted(6)).isEqualTo(2);
    }

    @Test
    void shouldHoldUntilItIsTakenBackWhenWorkersComeAndGo() {
        register("one", requests(10));
        set(REQUESTS, Optional.of(20L));
        workers.retire("one");
        register("two", requests(8));

        assertThat(state().known(REQUESTS).inForce().limit()).isEqualTo(20);
        assertThat(state().known(REQUESTS).configured()).isEqualTo(8);

        set(REQUESTS, Optional.empty());

        assertThat(state().known(REQUESTS).inForce().limit()).isEqualTo(8);
        assertThat(recorded())
                .containsExactly(
                        "requestsPerMinute 20→8 manual chief a reason",
                        "requestsPerMinute 10→8 configured two null",
                        "requestsPerMinute 10→20 manual chief a reason",
                        "requestsPerMinute null→10 configured one null");
    }

    @Test
    void shouldChangeOnceWhenTheSameIsAskedAtOnce() throws Exception {
        register("one", requests(10));
        int rounds = 10;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (long round = 1; round <= rounds; round++) {
                Optional<Long> units = Optional.of(round);
                Callable<Boolean> change = () -> {
                    set(REQUESTS, units);
                    return true;
                };
                for (Future<Boolean> done : threads.invokeAll(Collections.nCopies(4, change))) {
                    assertThat(done.get()).isTrue();
                }
            }
        }

        assertThat(recorded()).hasSize(1 + rounds);
        set(REQUESTS, Optional.empty());
        set(REQUESTS, Optional.empty());
        assertThat(recorded()).hasSize(2 + rounds);
    }

    @Test
    void shouldNoticeWhatIsConfiguredOtherwise() {
        register("one", requests(10), new LimitsInfo("*", Map.of("tokensPerDay", 7L), 2, null));
        register("two", requests(10));
        assertThat(recorded()).as("the same is no change").hasSize(2);

        register("three", requests(9));
        assertThat(recorded()).first().isEqualTo("requestsPerMinute 10→9 configured three null");

        workers.retire("one");
        workers.retire("three");
        changes.lookAfter("assay");

        assertThat(recorded().subList(0, 2))
                .containsExactlyInAnyOrder(
                        "requestsPerMinute 9→10 configured assay null", "tokensPerDay 7→null configured assay null");
        workers.retire("two");
        changes.lookAfter("assay");
        assertThat(recorded()).as("where no worker is nothing is known").hasSize(5);
    }

    @Test
    void shouldNoticeWhenOtherCallsAreConfigured() {
        register("one", calls(40, 2));
        register("two", calls(30, 30));
        assertThat(recorded())
                .as("the least of each number counts")
                .containsExactly(
                        "concurrent 2-40→2-30 configured two null", "concurrent null→2-40 configured one null");

        workers.retire("one");
        changes.lookAfter("assay");
        assertThat(recorded()).first().isEqualTo("concurrent 2-30→30 configured assay null");
    }

    private static LimitsInfo calls(int most, int least) {
        return new LimitsInfo("gpt*", Map.of(), 60, most, least == most ? null : least, null, null);
    }

    @Test
    void shouldShowTheNewestFirstByPages() {
        register("one", requests(10));
        set(REQUESTS, Optional.of(1L));
        set(REQUESTS, Optional.of(2L));

        var first = changes.page("openai", null, 2);
        var second = changes.page("openai", first.nextPageToken(), 2);

        assertThat(first.items()).extracting(LimitChangeRow::newValue).containsExactly("2", "1");
        assertThat(second.items()).extracting(LimitChangeRow::newValue).containsExactly("10");
        assertThat(second.nextPageToken()).isNull();
        assertThat(changes.page("anthropic", null, 2).items()).isEmpty();
        JsonNode shown = Json.tree(Json.write(first.items().getFirst()));
        assertThat(shown.get("old").asText()).isEqualTo("1");
        assertThat(shown.get("new").asText()).isEqualTo("2");
    }

    @Test
    void shouldForgetAPoolThatNobodyUsedForThirtyDays() {
        register("one", requests(10));
        set(REQUESTS, Optional.of(5L));
        assertThat(granted(1)).isOne();
        store.execute("UPDATE manual_limit SET changed_at = now() - interval '31 days'");
        store.execute("UPDATE limit_spending SET reckoned_at = now() - interval '31 days'");

        changes.lookAfter("assay");
        assertThat(store.count("SELECT count(*) FROM manual_limit"))
                .as("a worker reports it")
                .isOne();

        workers.retire("one");
        store.execute("UPDATE limit_spending SET reckoned_at = now() - interval '29 days'");
        changes.lookAfter("assay");
        assertThat(store.count("SELECT count(*) FROM manual_limit"))
                .as("it was used")
                .isOne();

        store.execute("UPDATE limit_spending SET reckoned_at = now() - interval '31 days'");
        changes.lookAfter("assay");
        assertThat(store.count("SELECT count(*) FROM manual_limit")).isZero();
        assertThat(store.count("SELECT count(*) FROM limit_spending")).isZero();
    }

    @Test
    void shouldForgetWhatAnswersSaidOfAPoolThatNobodyUsedForThirtyDays() {
        store.execute("INSERT INTO limit_learned (provider, account, models, name, units, learned_at) VALUES"
                + " ('openai', 'default', 'gpt*', 'requestsPerMinute', 7, now() - interval '31 days'),"
                + " ('openai', 'default', 'new', 'requestsPerMinute', 7, now() - interval '29 days')");
        register("one", requests(10));
        assertThat(granted(1)).isOne();
        workers.retire("one");

        changes.lookAfter("assay");
        assertThat(store.count("SELECT count(*) FROM limit_learned"))
                .as("it was used")
                .isEqualTo(2);

        store.execute("UPDATE limit_spending SET reckoned_at = now() - interval '31 days'");
        changes.lookAfter("assay");
        assertThat(store.count("SELECT count(*) FROM limit_learned WHERE models = 'new'"))
                .isOne();
        assertThat(store.count("SELECT count(*) FROM limit_learned WHERE models = 'gpt*'"))
                .isZero();
    }
}
