package dev.assay.store.permit;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitGrant;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.worker.WorkerRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PermitRepositoryTest {

    /** Ten permits: see {@link Campaigns#running}. */
    private static final PermitPool CAMPAIGN = PermitPool.campaign("c");

    private static final PermitPool PROVIDER = PermitPool.provider("openai");

    private StoreFixture store;
    private WorkerRepository workers;
    private PermitRepository permits;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        workers = store.get(WorkerRepository.class);
        permits = store.get(PermitRepository.class);
        Campaigns.running(store, "c");
        register("one", 30);
        register("two", 20);
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private void register(String worker, int maxConcurrent) {
        ProviderInfo openai = new ProviderInfo("openai", true, null, maxConcurrent, 4_096, Map.of());
        workers.register(new WorkerRepository.Worker(worker, "host", 1, "test", List.of(), List.of(openai)));
    }

    private PermitGrant exchange(String worker, PermitPool pool, int held, int wanted) {
        return requireNonNull(permits.exchange(worker, Map.of(pool, new PermitAsk(held, new PermitWish(wanted, 0))))
                .get(pool));
    }

    private long granted(PermitPool pool) {
        return store.count("SELECT coalesce(sum(granted), 0) FROM permit_lease WHERE pool = ?", pool.key());
    }

    @Test
    void shouldHandPermitsOverWhenTheyAreGivenBack() {
        assertThat(exchange("one", CAMPAIGN, 0, 40)).isEqualTo(new PermitGrant(10, 10));
        assertThat(exchange("two", CAMPAIGN, 0, 40)).isEqualTo(new PermitGrant(0, 5));

        assertThat(exchange("one", CAMPAIGN, 10, 40)).isEqualTo(new PermitGrant(10, 5));
        assertThat(exchange("one", CAMPAIGN, 7, 40)).isEqualTo(new PermitGrant(7, 5));
        assertThat(exchange("two", CAMPAIGN, 0, 40)).isEqualTo(new PermitGrant(3, 5));
        assertThat(granted(CAMPAIGN)).isEqualTo(10);
    }

    @Test
    void shouldFollowTheCampaignsLimit() {
        exchange("one", CAMPAIGN, 0, 40);
        store.execute("UPDATE campaign SET max_concurrent = 4 WHERE campaign_id = 'c'");

        assertThat(exchange("one", CAMPAIGN, 10, 40)).isEqualTo(new PermitGrant(10, 4));
        assertThat(exchange("one", CAMPAIGN, 4, 40)).isEqualTo(new PermitGrant(4, 4));
        store.execute("UPDATE campaign SET max_concurrent = 6 WHERE campaign_id = 'c'");
        assertThat(exchange("one", CAMPAIGN, 4, 40)).isEqualTo(new PermitGrant(6, 6));
    }

    @Test
    void shouldGiveAProviderWhatItsStrictestLiveWorkerAllows() {
        assertThat(exchange("one", PROVIDER, 0, 1).share()).isEqualTo(20);

        workers.retire("two");

        assertThat(exchange("one", PROVIDER, 20, 1).share()).isEqualTo(30);
    }

    @Test
    void shouldGivePermitsOfADeadWorkerToOthersAndNotBack() {
        exchange("one", CAMPAIGN, 0, 40);
        store.execute("UPDATE worker SET lease_until = '-infinity' WHERE worker_id = 'one'");

        assertThat(exchange("two", CAMPAIGN, 0, 40)).isEqualTo(new PermitGrant(10, 10));
        workers.renew("one");

        assertThat(exchange("one", CAMPAIGN, 10, 40)).isEqualTo(new PermitGrant(0, 5));
        assertThat(granted(CAMPAIGN)).isEqualTo(10);
    }

    @Test
    void shouldFreeAtOnceWhatAProcessHeldThatHasEnded() {
        exchange("one", CAMPAIGN, 0, 40);

        workers.retireDead(pid -> false);
        register("two", 20);

        assertThat(exchange("two", CAMPAIGN, 0, 40)).isEqualTo(new PermitGrant(10, 10));
        workers.retireDead(pid -> pid == 1);
        assertThat(granted(CAMPAIGN)).isEqualTo(10);
    }

    @Test
    void shouldKeepNoRowOfAWorkerThatHoldsAndWantsNothingOrRetires() {
        exchange("one", CAMPAIGN, 0, 40);
        exchange("two", CAMPAIGN, 0, 40);

        exchange("one", CAMPAIGN, 10, 0);
        exchange("one", CAMPAIGN, 0, 0);
        workers.retire("two");

        assertThat(store.count("SELECT count(*) FROM permit_lease")).isZero();
    }

    @Test
    void shouldHaveNoPermitsOfWhatDoesNotExist() {
        assertThat(exchange("one", PermitPool.campaign("gone"), 0, 40)).isEqualTo(new PermitGrant(0, 0));
        assertThat(exchange("one", PermitPool.provider("gone"), 0, 40)).isEqualTo(new PermitGrant(0, 0));
    }

    @Test
    void shouldNeverGrantMoreThanThePoolWhenWorkersAskAtOnce() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Boolean>> all = new ArrayList<>();
            for (int worker = 0; worker < 4; worker++) {
                String id = "w" + worker;
                register(id, 25);
                all.add(threads.submit(asking(id, new Random(worker))));
            }
            for (Future<Boolean> each : all) {
                assertThat(each.get()).isTrue();
            }
        }
    }

    /** Asks for two pools at a time and looks at the sums after each answer. */
    private Callable<Boolean> asking(String worker, Random random) {
        return () -> {
            int campaign = 0;
            int provider = 0;
            for (int i = 0; i < 100; i++) {
                PermitAsk first = new PermitAsk(random.nextInt(campaign + 1), new PermitWish(random.nextInt(15), 0));
                PermitAsk second = new PermitAsk(random.nextInt(provider + 1), new PermitWish(random.nextInt(30), 0));
                Map<PermitPool, PermitGrant> grants =
                        permits.exchange(worker, Map.of(CAMPAIGN, first, PROVIDER, second));
                campaign = requireNonNull(grants.get(CAMPAIGN)).granted();
                provider = requireNonNull(grants.get(PROVIDER)).granted();
                assertThat(granted(CAMPAIGN)).isLessThanOrEqualTo(10);
                assertThat(granted(PROVIDER)).isLessThanOrEqualTo(20);
            }
            return true;
        };
    }
}
