package dev.assay.activities.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.permit.LeasedPermits;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.permit.PermitPool;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.cell.CellKey;
import dev.assay.store.restore.RestoreRepository;
import dev.assay.store.series.SeriesRepository;
import dev.assay.store.worker.WorkerRepository;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class WorkerLeaseTest {

    private final AtomicLong now = new AtomicLong();
    private final RunningCells cells = new RunningCells();
    private final LeasedPermits permits = new LeasedPermits();
    private StoreFixture store;
    private WorkerLease lease;
    private RunningCell cell;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        WorkerRepository workers = store.get(WorkerRepository.class);
        lease = new WorkerLease(
                workers,
                store.get(SeriesRepository.class),
                store.get(RestoreRepository.class),
                cells,
                permits,
                new WorkerRepository.Worker("w", "host", 1, "test", List.of(), List.of()),
                Map::of,
                now::get);
        cell = cells.take(new CellKey("c", 0, CellKind.BRANCH, 0), 1).orElseThrow();
        workers.register(new WorkerRepository.Worker("w", "host", 1, "test", List.of(), List.of()));
        lease.renew();
    }

    @AfterEach
    void stop() {
        lease.stop();
        store.close();
    }

    @Test
    void shouldStopCallsBeforeLeaseEndsWhenItCannotBeRenewed() {
        now.addAndGet(Duration.ofSeconds(26).toNanos());

        lease.guard();

        assertThat(lease.safe()).isFalse();
        assertThat(cell.stopped()).isEqualTo(StopReason.LEASE_LOST);
    }

    /** Both wait for one row. Calls must stop before others may have their permits, whatever PostgreSQL does. */
    @Test
    void shouldStopCallsInTimeWhileARenewalAndAReportHang() throws SQLException {
        cell.permitAwaited("openai");
        lease.start();
        try (Connection other = store.connect();
                Statement locking = other.createStatement()) {
            other.setAutoCommit(false);
            locking.execute("SELECT 1 FROM worker WHERE worker_id = 'w' FOR UPDATE");
            await().atMost(Duration.ofSeconds(30)).until(() -> waitingForLocks() == 2);

            now.addAndGet(Duration.ofSeconds(26).toNanos());

            await().atMost(Duration.ofSeconds(3)).until(() -> cell.stopped() == StopReason.LEASE_LOST);
            other.rollback();
        }
    }

    private long waitingForLocks() {
        return store.count(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type ="
                        + " 'Lock'");
    }

    /** What a report says does not change while calls take long: they are counted each time. */
    @Test
    void shouldCountCallsInFlightWhetherOrNotTheyChange() throws InterruptedException {
        Campaigns.running(store, "c");
        cell.permitAwaited("openai");
        lease.report();
        lease.countCalls();
        cell.callBegins();
        lease.report();
        lease.countCalls();
        lease.countCalls();

        assertThat(store.count("SELECT sum(samples) FROM series WHERE campaign_id = 'c'"))
                .isEqualTo(3);
        assertThat(store.count("SELECT sum(calls) FROM series WHERE campaign_id = 'c'"))
                .isEqualTo(2);
    }

    @Test
    void shouldGoOnWhenLeaseIsRenewedInTime() {
        now.addAndGet(Duration.ofSeconds(20).toNanos());
        lease.renew();
        now.addAndGet(Duration.ofSeconds(20).toNanos());

        lease.guard();

        assertThat(lease.safe()).isTrue();
        assertThat(cell.stopped()).isNull();
    }

    @Test
    void shouldForfeitPermitsWhenItFindsTheLeaseLapsedAsItRenews() {
        permits.allow(PermitPool.campaign("c"), 10);
        now.addAndGet(Duration.ofSeconds(60).toNanos());

        lease.renew();

        assertThat(permits.asks()).isEmpty();
        assertThat(cell.stopped()).isEqualTo(StopReason.LEASE_LOST);
        assertThat(lease.safe()).isTrue();
    }

    /** The clock stood still with the machine, or a standby took over: only PostgreSQL knows. */
    @Test
    void shouldGiveEverythingUpWhenPostgresSaysThatTheLeaseHadLapsedAndTheClockDoesNot() {
        permits.allow(PermitPool.campaign("c"), 10);
        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN now() - interval '1 hour'");
        store.execute("UPDATE worker SET lease_until = now() - interval '1 second' WHERE worker_id = 'w'");

        lease.renew();

        assertThat(permits.asks()).isEmpty();
        assertThat(cell.stopped()).isEqualTo(StopReason.LEASE_LOST);
    }

    @Test
    void shouldGiveEverythingUpWhenPostgresDoesNotKnowTheWorkerAnyMore() {
        store.execute("DELETE FROM worker WHERE worker_id = 'w'");

        lease.renew();

        assertThat(cell.stopped()).isEqualTo(StopReason.LEASE_LOST);
    }

    @Test
    void shouldGiveEverythingUpWhenPostgresWentBackToAnEarlierState() {
        store.execute("UPDATE store_mark SET token = gen_random_uuid()");

        lease.renew();

        assertThat(cell.stopped()).isEqualTo(StopReason.LEASE_LOST);
        assertThat(lease.safe()).isTrue();
    }

    /** It was cut off or stood still: none of its cells ended it. */
    @Test
    void shouldTakeBackLostRunsWhenItComesBackAfterItsLeaseHadLapsed() {
        String campaign = Campaigns.running(store, "suspected");
        store.execute(
                "INSERT INTO cell (campaign_id, ordinal, kind, member, lost_runs, lost_worker)"
                        + " VALUES (?, 0, 'branch', 0, 2, 'w'), (?, 1, 'branch', 0, 1, 'another')",
                campaign,
                campaign);
        now.addAndGet(Duration.ofSeconds(20).toNanos());
        lease.renew();
        assertThat(lostRuns(campaign)).as("it was never away").containsExactly(2, 1);

        now.addAndGet(Duration.ofSeconds(60).toNanos());
        lease.renew();

        assertThat(lostRuns(campaign)).containsExactly(1, 1);
    }

    private List<Object> lostRuns(String campaign) {
        return store.query("SELECT lost_runs FROM cell WHERE campaign_id = ? ORDER BY ordinal", campaign).stream()
                .<Object>map(row -> row.get("lost_runs"))
                .toList();
    }

    @Test
    void shouldRegisterAgainWhenRowOfWorkerIsGone() {
        store.execute("DELETE FROM worker WHERE worker_id = 'w'");

        lease.renew();

        assertThat(store.count("SELECT count(*) FROM worker WHERE worker_id = 'w' AND worker_is_live(lease_until)"))
                .isEqualTo(1);
    }
}
