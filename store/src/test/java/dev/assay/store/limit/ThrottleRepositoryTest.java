package dev.assay.store.limit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.domain.provider.CallBounds;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderKey;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.StoreFixture;
import dev.assay.store.limit.ThrottleReport.Answers;
import dev.assay.store.limit.ThrottleReport.Refused;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.worker.WorkerRepository;
import java.time.Duration;
import java.time.LocalTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ThrottleRepositoryTest {

    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt*");
    private static final ModelPool OTHER = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "o5");

    private StoreFixture store;
    private WorkerRepository workers;
    private ThrottleRepository throttles;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        workers = store.get(WorkerRepository.class);
        throttles = store.get(ThrottleRepository.class);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private void register(String worker, LimitsInfo... limits) {
        ProviderInfo openai = new ProviderInfo("openai", null, true, null, 30, 4_096, Map.of(), List.of(limits));
        workers.register(new WorkerRepository.Worker(worker, "host", 1, "test", List.of(), List.of(openai)));
    }

    private static LimitsInfo range(int min, int start, int max) {
        return new LimitsInfo("gpt*", Map.of("requestsPerMinute", 600L), 60, max, min, start, null);
    }

    private @Nullable StoredThrottle exchange(ModelPool pool, ThrottleReport report) {
        return throttles.exchange("one", Map.of(pool, report)).throttles().get(pool);
    }

    private StoredThrottle told(ModelPool pool, ThrottleReport report) {
        return requireNonNull(exchange(pool, report));
    }

    private static ThrottleReport refused(Refusal.Kind kind, @Nullable Duration asked, int blocks, int times) {
        return new ThrottleReport(
                List.of(new Refused(new PoolRefusal(kind, asked, blocks, 0, 20), times)), null, false);
    }

    private static ThrottleReport answered(int times, int inFlight, int cuts) {
        return new ThrottleReport(List.of(), new Answers(times, inFlight, cuts, -1), false);
    }

    @Test
    void shouldKnowNothingOfAPoolThatRefusedNothing() {
        register("one");

        assertThat(exchange(OTHER, ThrottleReport.NONE)).isNull();
        assertThat(store.count("SELECT count(*) FROM pool_throttle")).isZero();
    }

    @Test
    void shouldBlockOnePoolForAllWhenOneWorkerIsRefused() {
        register("one");
        told(OTHER, refused(Refusal.Kind.RATE, null, 0, 1));

        Map<ModelPool, StoredThrottle> seen = throttles
                .exchange("one", Map.of(OTHER, ThrottleReport.NONE, POOL, ThrottleReport.NONE))
                .throttles();

        assertThat(seen).containsOnlyKeys(OTHER);
        assertThat(requireNonNull(seen.get(OTHER)).blockedFor())
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(requireNonNull(seen.get(OTHER)).calls()).isEqualTo(30);
    }

    @Test
    void shouldCutOnceWhenFiveWorkersTellOfOneBurst() {
        register("one");
        IntStream.range(0, 5).forEach(_ -> told(OTHER, refused(Refusal.Kind.CONCURRENCY, null, 0, 10)));

        StoredThrottle known = told(OTHER, ThrottleReport.NONE);

        assertThat(known.calls()).isEqualTo(14);
        assertThat(known.cuts()).isEqualTo(1);
        assertThat(known.blocks()).isEqualTo(1);
        assertThat(known.blockedFor()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(store.count("SELECT sum(refusals) FROM pool_refusal WHERE kind = 'CONCURRENCY'"))
                .isEqualTo(50);
    }

    @Test
    void shouldBlockLongerWithEachRefusalInARow() {
        register("one");
        for (int i = 0; i < 3; i++) {
            told(OTHER, refused(Refusal.Kind.RATE, null, i, 1));
        }
        assertThat(told(OTHER, ThrottleReport.NONE).blockedFor()).isGreaterThan(Duration.ofSeconds(3));

        ThrottleReport calm = new ThrottleReport(List.of(), new Answers(0, 0, 0, 3), false);
        assertThat(told(OTHER, calm).inRow()).isZero();
    }

    @Test
    void shouldGrowFromItsStartWithinTheLeastRangeOfLiveWorkers() {
        register("one", range(2, 5, 40));
        register("two", range(1, 8, 12));

        assertThat(told(POOL, answered(5, 5, 0)).calls()).isEqualTo(10);
        assertThat(told(POOL, answered(10, 10, 0)).calls()).isEqualTo(12);
        assertThat(told(POOL, answered(100, 12, 0)).calls()).isEqualTo(12);
    }

    @Test
    void shouldBeginAnewWhenItsProviderWasAway() {
        register("one", range(2, 5, 40));
        told(POOL, answered(5, 5, 0));

        StoredThrottle back = told(POOL, new ThrottleReport(List.of(), null, true));

        assertThat(back.calls()).isEqualTo(5);
        assertThat(told(POOL, answered(100, 10, 0)).calls())
                .as("sent before it was away")
                .isEqualTo(5);
    }

    @Test
    void shouldShareAsManyPermitsAsTheNumberSays() {
        register("one", range(2, 5, 40));
        PermitRepository permits = store.get(PermitRepository.class);
        PermitPool pool = PermitPool.models(POOL);
        PermitPool other = PermitPool.models(OTHER);
        PermitAsk ask = new PermitAsk(0, new PermitWish(100, 0));

        assertThat(requireNonNull(permits.exchange("one", Map.of(pool, ask)).get(pool))
                        .granted())
                .isEqualTo(5);
        told(POOL, answered(5, 5, 0));
        assertThat(requireNonNull(permits.exchange("one", Map.of(pool, ask)).get(pool))
                        .granted())
                .isEqualTo(10);
        told(OTHER, refused(Refusal.Kind.CONCURRENCY, null, 0, 1));
        assertThat(requireNonNull(permits.exchange("one", Map.of(other, ask)).get(other))
                        .granted())
                .isEqualTo(14);
    }

    private void set(@Nullable CallBounds bounds) {
        store.get(ManualLimits.class)
                .change(
                        List.of(POOL),
                        new ManualLimitChange(
                                POOL.models(), null, "a reason", Map.of(), new ManualLimitChange.Calls(bounds)),
                        "chief");
    }

    private List<String> changed() {
        return store.get(LimitChanges.class).page("openai", null, 100).items().stream()
                .filter(row -> row.name().equals("concurrent"))
                .map(row ->
                        row.oldValue() + "→" + row.newValue() + " " + row.why() + " " + row.who() + " " + row.reason())
                .toList();
    }

    private int granted(String worker) {
        PermitPool pool = PermitPool.models(POOL);
        PermitAsk ask = new PermitAsk(0, new PermitWish(100, 0));
        return requireNonNull(store.get(PermitRepository.class)
                        .exchange(worker, Map.of(pool, ask))
                        .get(pool))
                .granted();
    }

    @Test
    void shouldHaveAsManyCallsAsAPersonSaysUntilThatIsTakenBack() {
        register("one", range(2, 5, 40));

        set(new CallBounds(3, 3));
        assertThat(granted("one")).isEqualTo(3);
        assertThat(told(POOL, answered(100, 3, 0)).calls()).as("it is fixed").isEqualTo(3);
        assertThat(told(POOL, refused(Refusal.Kind.CONCURRENCY, null, 0, 1)).calls())
                .as("also where it refuses")
                .isEqualTo(3);

        set(new CallBounds(3, 60));
        set(new CallBounds(3, 60));
        assertThat(told(POOL, ThrottleReport.NONE).most()).isEqualTo(60);
        assertThat(told(POOL, answered(4, 3, 1)).calls()).isEqualTo(4);
        set(new CallBounds(50, 60));
        assertThat(granted("one")).as("more than is configured").isEqualTo(50);

        set(null);
        assertThat(told(POOL, ThrottleReport.NONE).calls()).isEqualTo(5);
        assertThat(granted("one")).isEqualTo(5);
        assertThat(changed())
                .containsExactly(
                        "50-60→2-40 manual chief a reason",
                        "3-60→50-60 manual chief a reason",
                        "3→4 growth one null",
                        "3→3-60 manual chief a reason",
                        "2-40→3 manual chief a reason",
                        "null→2-40 configured one null");
    }

    @Test
    void shouldRecordEachCutAndTheGrowthOfAMinuteInOneRow() {
        register("one", range(2, 5, 40));
        await().until(() -> LocalTime.now().getSecond() < 55);

        told(POOL, answered(5, 5, 0));
        told(POOL, answered(10, 10, 0));
        told(POOL, refused(Refusal.Kind.CONCURRENCY, null, 0, 1));
        told(POOL, answered(14, 14, 1));
        told(POOL, answered(15, 15, 1));

        assertThat(changed())
                .containsExactly(
                        "14→16 growth one null",
                        "20→14 cut one null",
                        "5→20 slow_start one null",
                        "null→2-40 configured one null");
    }

    @Test
    void shouldRecordALimitThatAnswersHaveSaidWhereItChangesWhatIsInForce() {
        register("one", range(2, 5, 40));
        await().until(() -> LocalTime.now().getSecond() < 55);

        exchange(POOL, learned(9_000, 0));
        exchange(POOL, learned(45, 0));
        exchange(POOL, learned(40, 0));

        assertThat(store.get(LimitChanges.class).page("openai", null, 100).items())
                .filteredOn(row -> row.why().equals("header"))
                .singleElement()
                .satisfies(row -> assertThat(row.name() + " " + row.oldValue() + "→" + row.newValue() + " " + row.who())
                        .isEqualTo("requestsPerMinute 600→40 one"));
    }

    @Test
    void shouldKeepWhatAPersonSetWhileAWorkerReportsTheProvider() {
        register("one", range(2, 5, 40));
        set(new CallBounds(3, 3));
        store.execute("UPDATE manual_calls SET changed_at = now() - interval '31 days'");
        store.execute("UPDATE pool_throttle SET changed_at = now() - interval '31 days'");

        told(OTHER, refused(Refusal.Kind.RATE, null, 0, 1));
        store.get(LimitChanges.class).lookAfter("assay");
        assertThat(granted("one")).isEqualTo(3);

        workers.retire("one");
        store.get(LimitChanges.class).lookAfter("assay");
        assertThat(store.count("SELECT count(*) FROM manual_calls")).isZero();
    }

    @Test
    void shouldCutTheCallsToAnAddress() {
        workers.register(new WorkerRepository.Worker(
                "one",
                "host",
                1,
                "test",
                List.of(),
                List.of(),
                new ToolPolicy(List.of(new ToolPolicy.Address("https://Host.test:8443/v1", Map.of(), 25)), List.of()),
                List.of()));
        ModelPool host = new ModelPool("http/host.test", ModelPool.DEFAULT_ACCOUNT, "*");

        assertThat(told(host, refused(Refusal.Kind.RATE, null, 0, 1)).calls()).isEqualTo(25);
        assertThat(told(host, refused(Refusal.Kind.CONCURRENCY, null, 1, 1)).calls())
                .isEqualTo(14);
    }

    @Test
    void shouldLetNothingGoAtOnceAfterARefusalByRate() {
        register("one", range(2, 5, 40));
        UnitRepository units = store.get(UnitRepository.class);
        UnitRequest asking = new UnitRequest(
                IntStream.range(0, 5).mapToObj(_ -> Units.ofRequest(1, 0)).toList(), false, 5, 0, List.of());
        assertThat(requireNonNull(units.exchange("one", Map.of(POOL, asking)).get(POOL))
                        .granted())
                .isEqualTo(5);

        told(POOL, refused(Refusal.Kind.RATE, Duration.ZERO, 0, 1));

        assertThat(requireNonNull(units.exchange("one", Map.of(POOL, asking)).get(POOL))
                        .granted())
                .isLessThan(5);
    }

    private static ThrottleReport learned(long limit, long used) {
        return new ThrottleReport(
                List.of(),
                null,
                false,
                List.of(new ThrottleReport.Learned(LimitKind.REQUESTS_PER_MINUTE, limit, used)));
    }

    private static UnitRequest asking(int requests) {
        return new UnitRequest(Collections.nCopies(requests, Units.ofRequest(1, 0)), false, requests, 0, List.of());
    }

    private int granted(ModelPool pool) {
        return requireNonNull(store.get(UnitRepository.class)
                        .exchange("one", Map.of(pool, asking(40)))
                        .get(pool))
                .granted();
    }

    @Test
    void shouldKeepALimitThatAnswersSayWhereNoneIsConfigured() {
        register("one");

        exchange(OTHER, learned(600, 590));

        await().until(() -> throttles
                .exchange("one", Map.of(OTHER, ThrottleReport.NONE))
                .limited()
                .contains(OTHER));
        assertThat(granted(OTHER)).as("what is left").isEqualTo(10);
        assertThat(store.count("SELECT count(*) FROM pool_throttle")).isZero();
        exchange(OTHER, learned(600, 0));
        assertThat(granted(OTHER)).as("what is known is not begun anew").isZero();
    }

    @Test
    void shouldGiveAnAccountThatWasTaughtNothingTheLeastOfTheOthers() {
        ProviderInfo openai = new ProviderInfo(
                "openai",
                null,
                true,
                "KEY_A",
                30,
                4_096,
                Map.of(),
                List.of(),
                List.of(new ProviderKey("a", "KEY_A", 1, "main"), new ProviderKey("b", "KEY_B", 1, "second")));
        workers.register(new WorkerRepository.Worker("one", "host", 1, "test", List.of(), List.of(openai)));
        ModelPool main = OTHER.ofAccount("main");
        ModelPool second = OTHER.ofAccount("second");

        exchange(main, learned(600, 590));

        await().untilAsserted(() -> assertThat(throttles
                        .exchange(
                                "one",
                                Map.of(
                                        OTHER,
                                        ThrottleReport.NONE,
                                        main,
                                        ThrottleReport.NONE,
                                        second,
                                        ThrottleReport.NONE))
                        .limited())
                .containsOnly(main, second));
        assertThat(granted(second)).as("nothing is spent there").isGreaterThan(granted(main));

        exchange(second, learned(9_000, 0));

        await().untilAsserted(() -> assertThat(store.get(LimitQueries.class).of(List.of("openai")).stream()
                        .map(state -> state.known(LimitKind.REQUESTS_PER_MINUTE)))
                .containsExactly(new KnownLimit(null, null, 600L), new KnownLimit(null, null, 9_000L)));
    }

    @Test
    void shouldLowerAConfiguredLimitAndNeverRaiseIt() {
        register("one", range(2, 5, 40));
        exchange(POOL, learned(9_000, 0));
        assertThat(granted(POOL)).isEqualTo(40);

        exchange(POOL, learned(45, 0));

        await().until(() -> store.count("SELECT units FROM limit_learned") == 45);
        await().until(() -> {
            granted(POOL);
            return store.count("SELECT units FROM limit_spending") == 45;
        });
        assertThat(store.count("SELECT sum(u) FROM limit_spending CROSS JOIN unnest(slot_units) AS u"))
                .isLessThanOrEqualTo(45);
        assertThat(store.get(LimitQueries.class).of(List.of("openai")))
                .singleElement()
                .satisfies(state -> assertThat(state.known(LimitKind.REQUESTS_PER_MINUTE))
                        .isEqualTo(new KnownLimit(600L, null, 45L)));
    }

    @Test
    void shouldKeepNoLearnedLimitWhereNoWorkerLearns() {
        register("one", new LimitsInfo("gpt*", Map.of("tokensPerDay", 5_000L), 60, null, null, null, false));
        exchange(POOL, learned(2, 0));

        assertThat(granted(POOL)).isEqualTo(40);
    }

    @Test
    void shouldForgetWhatIsLongAgo() {
        register("one");
        told(POOL, refused(Refusal.Kind.RATE, null, 0, 1));
        store.execute("UPDATE pool_throttle SET changed_at = changed_at - interval '31 days'");
        store.execute("UPDATE pool_refusal SET minute = minute - interval '2 hours'");

        told(OTHER, refused(Refusal.Kind.RATE, null, 0, 1));

        assertThat(exchange(POOL, ThrottleReport.NONE)).isNull();
        assertThat(store.count("SELECT sum(refusals) FROM pool_refusal")).isEqualTo(1);
    }
}
