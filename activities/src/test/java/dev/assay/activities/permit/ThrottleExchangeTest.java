package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.worker.WorkerRepository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Refusals at one worker, and what they do to others on the same PostgreSQL. */
@Timeout(60)
final class ThrottleExchangeTest {

    private static final String CAMPAIGN = "c";
    private static final int PERMITS = 20;
    private static final PermitPool POOL = PermitPool.models(pool("gpt"));

    private StoreFixture store;
    private Worker one;
    private Worker two;
    private final List<Thread> threads = new ArrayList<>();

    private static ModelPool pool(String model) {
        return new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, model);
    }

    private static CallRoute route(String model) {
        return new CallRoute("openai", null, null, new BoundedCalls(pool(model), ConcurrencyRange.upTo(PERMITS), true));
    }

    /** A worker, as far as permits go. */
    private final class Worker {

        private final LeasedPermits permits = new LeasedPermits();
        private final AtomicInteger calling = new AtomicInteger();
        private final PermitExchange exchange;

        Worker(String id) {
            ProviderInfo openai = new ProviderInfo("openai", null, true, null, PERMITS, 4_096, Map.of(), List.of());
            store.get(WorkerRepository.class)
                    .register(new WorkerRepository.Worker(id, "host", 1, "test", List.of(), List.of(openai)));
            exchange = new PermitExchange(
                    store.get(PermitRepository.class),
                    permits,
                    new UnitExchange(store.get(UnitRepository.class), permits, id),
                    new ThrottleExchange(store.get(ThrottleRepository.class), permits, id),
                    id,
                    () -> true,
                    Duration.ofSeconds(5));
            exchange.start();
        }

        /** A cell that calls until {@code end}; then it is refused, answered, or just ends. */
        Thread cell(String model, CountDownLatch end, @Nullable Refusal refusal) {
            Thread cell = Thread.ofVirtual().start(() -> {
                try (Permits.Place place = permits.enter(CAMPAIGN, route(model), false, 0);
                        Permits.Permit permit = place.acquire()) {
                    calling.incrementAndGet();
                    end.await();
                    calling.decrementAndGet();
                    if (refusal == null) {
                        permit.answered();
                    } else {
                        permit.refused(refusal);
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            threads.add(cell);
            return cell;
        }

        /** How many of some cells call within a second and a half. */
        int goesWithin(String model, int cells) {
            CountDownLatch end = new CountDownLatch(1);
            int before = calling.get();
            for (int i = 0; i < cells; i++) {
                cell(model, end, null);
            }
            after(Duration.ofMillis(1_500));
            int called = calling.get() - before;
            end.countDown();
            return called;
        }

        void refused(Refusal refusal, int calls) {
            CountDownLatch end = new CountDownLatch(1);
            for (int i = 0; i < calls; i++) {
                cell("gpt", end, refusal);
            }
            await().until(() -> calling.get() == calls);
            end.countDown();
            await().until(() -> calling.get() == 0);
        }
    }

    private static void after(Duration time) {
        await().pollDelay(time).until(() -> true);
    }

    private static Refusal refusal(Refusal.Kind kind, int seconds) {
        return new Refusal(kind, List.of(), Duration.ofSeconds(seconds));
    }

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        store.get(CampaignRepository.class)
                .create(CAMPAIGN, CampaignReader.read(CampaignDocument.parse("""
                    name: permits
                    cases: [{id: only, prompt: Hello?}]
                    branches: [{id: b, kind: scripted, script: {answers: [Hi]}}]
                    limits: {maxConcurrent: 100}
                    """), Map.of()));
        one = new Worker("one");
        two = new Worker("two");
    }

    @AfterEach
    void stop() throws InterruptedException {
        threads.forEach(Thread::interrupt);
        one.exchange.stop();
        two.exchange.stop();
        for (Thread thread : threads) {
            assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
        }
        store.close();
    }

    @Test
    void shouldBlockThePoolAtAnotherWorkerWithinASecond() {
        assertThat(two.goesWithin("gpt", 2)).isEqualTo(2);
        one.refused(refusal(Refusal.Kind.RATE, 6), 1);
        after(Duration.ofSeconds(1));

        assertThat(two.goesWithin("gpt", 2)).isZero();
        assertThat(two.goesWithin("o5", 2)).as("another model").isEqualTo(2);
        assertThat(one.goesWithin("gpt", 2)).isZero();
        CountDownLatch end = new CountDownLatch(1);
        two.cell("gpt", end, null);
        await().atMost(Duration.ofSeconds(5)).until(() -> two.calling.get() > 0);
        end.countDown();
        assertThat(store.count("SELECT blocks FROM pool_throttle")).isEqualTo(1);
    }

    @Test
    void shouldHaveNoMoreInFlightThanABurstOfRefusalsLeft() {
        one.refused(refusal(Refusal.Kind.CONCURRENCY, 0), PERMITS);

        await().until(() -> store.count("SELECT sum(refusals) FROM pool_refusal") == PERMITS);
        assertThat(store.count("SELECT cuts FROM pool_throttle")).isEqualTo(1);
        assertThat(store.count("SELECT calls FROM pool_throttle")).isEqualTo(14);
        CountDownLatch end = new CountDownLatch(1);
        for (int i = 0; i < PERMITS; i++) {
            one.cell("gpt", end, null);
            two.cell("gpt", end, null);
        }
        await().until(() -> one.calling.get() + two.calling.get() == 14);
        await().during(Duration.ofSeconds(1)).until(() -> one.calling.get() + two.calling.get() <= 14);
        end.countDown();
    }

    @Test
    void shouldCountCallsThatWereInFlightBeforeTheCut() {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        for (int i = 0; i < PERMITS - 1; i++) {
            one.cell("gpt", end, null);
        }
        await().until(() -> one.calling.get() == PERMITS - 1);
        one.cell("gpt", refused, refusal(Refusal.Kind.CONCURRENCY, 0));
        await().until(() -> one.calling.get() == PERMITS);
        refused.countDown();
        await().until(() -> store.count("SELECT count(*) FROM pool_throttle WHERE calls = 14") == 1);

        CountDownLatch later = new CountDownLatch(1);
        one.cell("gpt", later, null);
        await().during(Duration.ofSeconds(1)).until(() -> one.calling.get() == PERMITS - 1);
        end.countDown();
        await().until(() -> one.calling.get() == 1);
        later.countDown();
    }

    @Test
    void shouldLeaseNoPermitsOfAPoolThatRefusedNothing() {
        CountDownLatch end = new CountDownLatch(1);
        one.cell("gpt", end, null);
        await().until(() -> one.calling.get() == 1);

        assertThat(one.permits.asks()).doesNotContainKey(POOL).hasSize(2);
        end.countDown();
    }
}
