package dev.assay.store.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.limit.ChargeCorrection;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.OthersUse;
import dev.assay.domain.limit.Units;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.StoreFixture;
import dev.assay.store.worker.WorkerRepository;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class UnitRepositoryTest {

    private static final String REQUESTS = "requestsPerMinute";
    private static final String TOKENS = "tokensPerMinute";
    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt*");

    private StoreFixture store;
    private WorkerRepository workers;
    private UnitRepository units;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        workers = store.get(WorkerRepository.class);
        units = store.get(UnitRepository.class);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    /** All of a limit may go at once. */
    private void register(String worker, Map<String, Long> limits) {
        register(worker, new LimitsInfo("gpt*", limits, 60, null));
    }

    private void register(String worker, LimitsInfo... limits) {
        ProviderInfo openai = new ProviderInfo("openai", null, true, null, 30, 4_096, Map.of(), List.of(limits));
        workers.register(new WorkerRepository.Worker(worker, "host", 1, "test", List.of(), List.of(openai)));
    }

    private static List<Units> requests(int number) {
        return Collections.nCopies(number, Units.ofRequest(100, 0));
    }

    private static UnitRequest asking(int number) {
        return new UnitRequest(requests(number), false, number, 0, List.of());
    }

    private UnitAnswer exchange(String worker, ModelPool pool, UnitRequest request) {
        return requireNonNull(units.exchange(worker, Map.of(pool, request)).get(pool));
    }

    private int granted(String worker, int wanted) {
        return exchange(worker, POOL, asking(wanted)).granted();
    }

    private long spent(String limit) {
        return store.count(
                "SELECT coalesce(sum(u), 0) FROM limit_spending CROSS JOIN unnest(slot_units) AS u WHERE name = ?",
                limit);
    }

    @Test
    void shouldGrantNoMoreThanTheLimitWhenWorkersTakeTurns() {
        register("one", Map.of(REQUESTS, 10L));
        register("two", Map.of(REQUESTS, 10L));

        assertThat(granted("one", 4)).isEqualTo(4);
        assertThat(granted("two", 40)).isEqualTo(6);
        assertThat(granted("one", 4)).isZero();
        assertThat(spent(REQUESTS)).isEqualTo(10);
    }

    @Test
    void shouldSayWhatIsChargedAndWhere() {
        register("one", Map.of(REQUESTS, 10L, TOKENS, 60L));

        UnitAnswer answer = exchange("one", POOL, asking(1));

        assertThat(answer.granted()).isEqualTo(1);
        assertThat(requireNonNull(answer.limits().get(LimitKind.TOKENS_PER_MINUTE))
                        .limit())
                .as("a request that is larger than the limit is charged the limit")
                .isEqualTo(60);
        long slot = requireNonNull(answer.limits().get(LimitKind.REQUESTS_PER_MINUTE))
                .slot();
        assertThat(store.count("SELECT slots[1] FROM limit_spending WHERE name = ?", REQUESTS))
                .isEqualTo(slot);
        assertThat(spent(TOKENS)).isEqualTo(60);
    }

    @Test
    void shouldKeepTheLeastLimitAndBurstOfLiveWorkers() {
        register("one", Map.of(REQUESTS, 10L));
        register("two", Map.of(REQUESTS, 6L));
        assertThat(granted("one", 40)).isEqualTo(6);

        workers.retire("two");

        // Limits are looked up once a second.
        await().untilAsserted(() ->
                assertThat(granted("one", 40)).as("its pace grows").isPositive());
        assertThat(store.count("SELECT units FROM limit_spending")).isEqualTo(10);
    }

    @Test
    void shouldGrantNothingWhereNoLiveWorkerKnowsALimit() {
        workers.register(new WorkerRepository.Worker(
                "early",
                "host",
                1,
                "test",
                List.of(),
                List.of(new ProviderInfo("openai", true, null, 30, 4_096, Map.of()))));

        assertThat(granted("early", 40)).isZero();
    }

    @Test
    void shouldKeepTheLimitOfAnHttpAddressForItsHost() {
        ToolPolicy.Address address = new ToolPolicy.Address("https://Host.test:8443/v1", Map.of(), 5, 3L, null);
        workers.register(new WorkerRepository.Worker(
                "one",
                "host",
                1,
                "test",
                List.of(),
                List.of(),
                new ToolPolicy(List.of(address), List.of()),
                List.of()));
        ModelPool host = new ModelPool("http/host.test", ModelPool.DEFAULT_ACCOUNT, "*");

        assertThat(exchange("one", host, asking(40)).granted())
                .as("a burst is two at least")
                .isEqualTo(2);
    }

    @Test
    void shouldApplyCorrectionsOnceWhenTheyAreSentTwice() {
        register("one", Map.of(TOKENS, 1_000L));
        UnitAnswer answer = exchange("one", POOL, asking(5));
        long slot =
                requireNonNull(answer.limits().get(LimitKind.TOKENS_PER_MINUTE)).slot();
        List<ChargeCorrection> corrections = List.of(new ChargeCorrection(LimitKind.TOKENS_PER_MINUTE, slot, 200, 50));
        UnitRequest correcting = new UnitRequest(List.of(), false, 0, 1, corrections);

        exchange("one", POOL, correcting);
        exchange("one", POOL, correcting);
        assertThat(spent(TOKENS)).isEqualTo(350);

        exchange("one", POOL, new UnitRequest(List.of(), false, 0, 2, corrections));
        assertThat(spent(TOKENS)).isEqualTo(200);
    }

    @Test
    void shouldChargeTheUseOfOthersOnceThoughEachWorkerTellsOfIt() {
        register("one", Map.of(REQUESTS, 600L));
        register("two", Map.of(REQUESTS, 600L));
        OthersUse first = othersUse(exchange("one", POOL, asking(1)), 300);
        OthersUse second = othersUse(exchange("two", POOL, asking(1)), 300);

        exchange("one", POOL, new UnitRequest(List.of(), false, 0, 0, List.of(), List.of(first)));
        exchange("one", POOL, new UnitRequest(List.of(), false, 0, 0, List.of(), List.of(first)));
        exchange("two", POOL, new UnitRequest(List.of(), false, 0, 0, List.of(), List.of(second)));

        assertThat(spent(REQUESTS))
                .as("two requests, and what one has seen of others")
                .isEqualTo(2 + 299);
        OthersUse later = othersUse(exchange("two", POOL, asking(0)), 200);
        exchange("two", POOL, new UnitRequest(List.of(), false, 0, 0, List.of(), List.of(later)));
        assertThat(spent(REQUESTS)).as("what others have used since").isEqualTo(400);
    }

    private static OthersUse othersUse(UnitAnswer state, long remaining) {
        UnitAnswer.Charging seen = requireNonNull(state.limits().get(LimitKind.REQUESTS_PER_MINUTE));
        return new OthersUse(LimitKind.REQUESTS_PER_MINUTE, seen.at(), seen.free(), remaining);
    }

    @Test
    void shouldStandStillWhenTheClockStepsBack() {
        register("one", Map.of(REQUESTS, 10L));
        assertThat(granted("one", 10)).isEqualTo(10);
        // As if all that had been an hour from now, and the clock had gone back since.
        store.execute(
                "UPDATE limit_spending SET reckoned_at = reckoned_at + interval '1 hour', slots = ARRAY[slots[1] +"
                        + " 7200]");
        store.execute("UPDATE limit_wish SET told_at = told_at + interval '1 hour', served_at = served_at + interval '1"
                + " hour'");

        assertThat(granted("one", 10)).isZero();
        assertThat(spent(REQUESTS)).isEqualTo(10);
    }

    @Test
    void shouldForgetWhatWasSpentAfterItsWindow() {
        register("one", Map.of(REQUESTS, 10L));
        assertThat(granted("one", 10)).isEqualTo(10);
        store.execute(
                "UPDATE limit_spending SET reckoned_at = reckoned_at - interval '63 s', slots = ARRAY[slots[1] - 126]");

        assertThat(granted("one", 10)).isEqualTo(10);
        assertThat(spent(REQUESTS)).isEqualTo(10);
    }

    @Test
    void shouldKeepUnitsFreeForTheWorkerThatWaitsLongestUntilItIsGone() {
        register("one", Map.of(TOKENS, 1_000L));
        register("two", Map.of(TOKENS, 1_000L));
        assertThat(granted("one", 5)).isEqualTo(5);
        Units large = Units.ofRequest(900, 0);
        UnitRequest waiting = new UnitRequest(List.of(large), false, 1, 0, List.of());
        assertThat(exchange("two", POOL, waiting).granted()).isZero();
        store.execute("UPDATE limit_wish SET served_at = served_at - interval '5 s' WHERE worker_id = 'two'");
        store.execute("UPDATE limit_wish SET told_at = clock_timestamp() + interval '100 ms' WHERE worker_id = 'two'");

        assertThat(granted("one", 5)).as("nobody passes the first in line").isZero();

        store.execute("UPDATE limit_wish SET told_at = clock_timestamp() - interval '2 s' WHERE worker_id = 'two'");
        assertThat(granted("one", 5)).as("a worker that says nothing is dead").isEqualTo(5);
    }

    @Test
    void shouldServeEvaluationsFirst() {
        register("one", Map.of(REQUESTS, 4L));
        register("two", Map.of(REQUESTS, 4L));
        assertThat(granted("one", 3)).isEqualTo(3);
        assertThat(exchange("two", POOL, new UnitRequest(requests(2), true, 2, 0, List.of()))
                        .granted())
                .isEqualTo(1);
        store.execute(
                "UPDATE limit_spending SET slot_units = ARRAY[3::bigint], slots = ARRAY[slots[1]], credit = 62000");

        assertThat(granted("one", 1)).as("one request of an evaluation waits").isZero();

        store.execute("UPDATE limit_wish SET urgent = false");
        assertThat(granted("one", 1)).as("it has waited longer").isEqualTo(1);
    }

    @Test
    void shouldBeginWithFullWindowsWhenPostgresqlWentBack() {
        register("one", Map.of(REQUESTS, 10L, "requestsPerDay", 100L));
        assertThat(granted("one", 1)).isEqualTo(1);

        units.beginFull();

        assertThat(granted("one", 1)).isZero();
        assertThat(spent(REQUESTS)).isEqualTo(10);
        assertThat(spent("requestsPerDay")).as("of a day what is known counts").isEqualTo(1);
    }

    @Test
    void shouldNeverGrantMoreThanTheLimitWhenWorkersAskAtOnce() throws Exception {
        ModelPool other = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "o*");
        List<Callable<Integer>> all = new ArrayList<>();
        for (int worker = 0; worker < 4; worker++) {
            String id = "w" + worker;
            register(
                    id,
                    new LimitsInfo("gpt*", Map.of(REQUESTS, 100L), 60, null),
                    new LimitsInfo("o*", Map.of(REQUESTS, 50L), 60, null));
            all.add(() -> {
                int sum = 0;
                for (int i = 0; i < 50; i++) {
                    Map<ModelPool, UnitAnswer> answers = units.exchange(
                            id,
                            i % 2 == 0
                                    ? Map.of(POOL, asking(3), other, asking(2))
                                    : Map.of(other, asking(2), POOL, asking(3)));
                    sum += requireNonNull(answers.get(POOL)).granted()
                            + requireNonNull(answers.get(other)).granted();
                }
                return sum;
            });
        }
        int sum = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (Future<Integer> each : threads.invokeAll(all)) {
                sum += each.get();
            }
        }
        // The pace goes on meanwhile, the windows do not.
        assertThat(sum).isEqualTo(150);
        assertThat(spent(REQUESTS)).isEqualTo(150);
    }
}
