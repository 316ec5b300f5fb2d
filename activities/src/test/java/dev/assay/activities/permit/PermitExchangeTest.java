package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.permit.PermitPool;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.worker.WorkerRepository;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class PermitExchangeTest {

    private static final String CAMPAIGN = "c";
    private static final int PERMITS = 10;
    /** A part of Assay: only the campaign bounds it. */
    private static final String PROVIDER = "scripted";

    private StoreFixture store;
    private Worker one;
    private Worker two;

    /** A worker, as far as permits go; it exchanges when the test says so. */
    private static final class Worker {

        private final LeasedPermits permits = new LeasedPermits();
        private final AtomicBoolean leaseIsSafe = new AtomicBoolean(true);
        private final PermitExchange exchange;

        Worker(StoreFixture store, String id) {
            store.get(WorkerRepository.class)
                    .register(new WorkerRepository.Worker(id, "host", 1, "test", List.of(), List.of()));
            exchange = new PermitExchange(
                    store.get(PermitRepository.class),
                    permits,
                    new UnitExchange(store.get(UnitRepository.class), permits, id),
                    new ThrottleExchange(store.get(ThrottleRepository.class), permits, id),
                    id,
                    leaseIsSafe::get,
                    Duration.ofSeconds(5));
        }

        /** Asks until there is nothing to give back. */
        void exchange() {
            boolean again = true;
            while (again) {
                again = exchange.exchange();
            }
        }

        /** A cell that needs a permit; it ends when it is interrupted. */
        Thread cell() {
            int before = wanted();
            Thread cell = Thread.ofVirtual().start(() -> {
                try (Permits.Place place = permits.enter(CAMPAIGN, PROVIDER, false, 0);
                        Permits.Permit permit = place.acquire()) {
                    Thread.sleep(Long.MAX_VALUE);
                    throw new IllegalStateException("Nobody interrupted the cell that has " + permit);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            await().until(() -> wanted() != before);
            return cell;
        }

        private int wanted() {
            var ask = permits.asks().get(PermitPool.campaign(CAMPAIGN));
            return ask == null ? 0 : ask.wish().wanted();
        }
    }

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        store.get(CampaignRepository.class)
                .create(CAMPAIGN, CampaignReader.read(CampaignDocument.parse("""
                    name: permits
                    cases: [{id: only, prompt: Hello?}]
                    branches: [{id: b, kind: scripted, script: {answers: [Hi]}}]
                    limits: {maxConcurrent: %d}
                    """.formatted(PERMITS)), Map.of()));
        one = new Worker(store, "one");
        two = new Worker(store, "two");
    }

    @AfterEach
    void stop() {
        store.close();
    }

    private long granted(String worker) {
        return store.count("SELECT coalesce(sum(granted), 0) FROM permit_lease WHERE worker_id = ?", worker);
    }

    private long leases(String worker) {
        return store.count("SELECT count(*) FROM permit_lease WHERE worker_id = ?", worker);
    }

    private static void end(Thread cell) throws InterruptedException {
        cell.interrupt();
        assertThat(cell.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void shouldGiveBackWhatNoCellNeedsAnyMore() throws InterruptedException {
        Thread cell = one.cell();
        one.exchange();
        assertThat(granted("one")).isEqualTo(PERMITS);

        end(cell);
        one.exchange();

        assertThat(leases("one")).isZero();
        Thread other = two.cell();
        two.exchange();
        assertThat(granted("two")).isEqualTo(PERMITS);
        end(other);
    }

    @Test
    void shouldWithdrawTheWishOfCellsThatEndedBeforeTheyGotAnything() throws InterruptedException {
        Thread first = one.cell();
        one.exchange();
        Thread second = two.cell();
        two.exchange();
        assertThat(granted("two")).as("one holds all until it asks again").isZero();

        end(second);
        two.exchange();

        assertThat(leases("two")).isZero();
        one.exchange();
        assertThat(granted("one")).isEqualTo(PERMITS);
        end(first);
    }

    @Test
    void shouldGiveBackWhatItForfeitedWhenItsLeaseHoldsAgain() throws InterruptedException {
        Thread cell = one.cell();
        one.exchange();
        one.leaseIsSafe.set(false);
        end(cell);
        one.permits.forfeit();
        one.exchange();
        assertThat(granted("one")).as("nothing is said without a lease").isEqualTo(PERMITS);

        one.leaseIsSafe.set(true);
        one.exchange();

        assertThat(leases("one")).isZero();
    }
}
