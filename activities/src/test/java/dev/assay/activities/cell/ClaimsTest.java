package dev.assay.activities.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.branch.BranchActivitiesImpl;
import dev.assay.activities.permit.LeasedPermits;
import dev.assay.activities.permit.PermitExchange;
import dev.assay.activities.permit.ThrottleExchange;
import dev.assay.activities.permit.UnitExchange;
import dev.assay.activities.worker.CampaignWatch;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.store.StoreFixture;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.workflows.slice.BatchResult;
import dev.assay.workflows.slice.BranchActivities;
import dev.assay.workflows.slice.BranchActivities.BranchBatch;
import io.micronaut.context.ApplicationContext;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One test for each sentence of the rules on claims: two attempts pay once, stale work stops, a dead worker's work is taken over. */
final class ClaimsTest {

    private static final int TRIALS = 10;

    /** A process that runs cells, as far as claims see it. */
    private static final class Process implements AutoCloseable {

        final ApplicationContext context;
        final String id;
        private final TestActivityEnvironment temporal = TestActivityEnvironment.newInstance();
        private final CampaignWatch watch;
        private final PermitExchange exchange;

        Process(ApplicationContext context) {
            this.context = context;
            this.id = context.getBean(WorkerIdentity.class).id();
            WorkerRepository workers = context.getBean(WorkerRepository.class);
            workers.register(new WorkerRepository.Worker(id, "host", 1, "test", List.of(), List.of()));
            watch = new CampaignWatch(
                    workers, context.getBean(RunningCells.class), context.getBean(LeasedPermits.class));
            watch.start();
            exchange = new PermitExchange(
                    context.getBean(PermitRepository.class),
                    context.getBean(LeasedPermits.class),
                    new UnitExchange(context.getBean(UnitRepository.class), context.getBean(LeasedPermits.class), id),
                    new ThrottleExchange(
                            context.getBean(ThrottleRepository.class), context.getBean(LeasedPermits.class), id),
                    id,
                    () -> true,
                    Duration.ofSeconds(5));
            exchange.start();
            temporal.registerActivitiesImplementations(context.getBean(BranchActivitiesImpl.class));
        }

        CompletableFuture<BatchResult> attempt(String campaign, int epoch) {
            BranchActivities activities = temporal.newActivityStub(BranchActivities.class);
            BranchBatch batch = new BranchBatch(campaign, epoch, 0, List.of(new OrdinalRange(0, TRIALS)));
            return CompletableFuture.supplyAsync(
                    () -> activities.ensureOutcomes(batch),
                    command -> Thread.ofPlatform().start(command));
        }

        @Override
        public void close() {
            watch.stop();
            exchange.stop();
            temporal.close();
        }
    }

    private StoreFixture store;
    private Process first;
    private Process second;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        first = new Process(store.context());
        second = new Process(ApplicationContext.builder("test")
                .deduceEnvironment(false)
                .properties(store.dataSourceProperties())
                .start());
    }

    @AfterEach
    void stop() {
        second.close();
        second.context.close();
        first.close();
        store.close();
    }

    private void campaign(String id, long delayMs) {
        campaign(id, delayMs, 2 * TRIALS);
    }

    private void campaign(String id, long delayMs, int maxConcurrent) {
        CampaignRepository campaigns = store.get(CampaignRepository.class);
        campaigns.create(
                id,
                CampaignReader.read(CampaignDocument.parse("""
                    name: claims
                    cases: [{id: only, prompt: Hello?}]
                    branches: [{id: b, kind: scripted, script: {answers: [Hi], delayMs: %d}}]
                    trials: %d
                    limits: {maxConcurrent: %d}
                    """.formatted(delayMs, TRIALS, maxConcurrent)), Map.of()));
        campaigns.transition(id, Set.of(CampaignState.PENDING), CampaignState.RUNNING, false, null);
    }

    @Test
    void shouldFinishWhatWasAskedWhenTemporalGivesTheAttemptUp() throws Exception {
        campaign("given-up", 7_000);

        var attempt = first.attempt("given-up", 1);
        awaitCount("SELECT count(*) FROM ledger WHERE campaign_id = ? AND state = 'SENT'", "given-up", TRIALS);
        first.temporal.requestCancelActivity();

        assertThatThrownBy(() -> attempt.get(30, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        assertThat(count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND state = 'ANSWERED'", "given-up"))
                .as("what was asked was finished")
                .isEqualTo(TRIALS);
        assertThat(count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND status = 'COMPLETED'", "given-up"))
                .as("and recorded")
                .isEqualTo(TRIALS);
    }

    private long count(String sql, String campaign) {
        return store.count(sql, campaign);
    }

    private void awaitCount(String sql, String campaign, long expected) {
        await(sql + " is " + expected)
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> count(sql, campaign) == expected);
    }

    @Test
    void shouldPayOnceWhenTwoAttemptsAtOneBatchRunInOneWorker() throws Exception {
        campaign("same", 300);

        BatchResult one =
                first.attempt("same", 1).get(30, TimeUnit.SECONDS).open().isEmpty()
                        ? first.attempt("same", 1).get(30, TimeUnit.SECONDS)
                        : null;
        campaign("same-at-once", 500);
        var attempts = List.of(first.attempt("same-at-once", 1), first.attempt("same-at-once", 1));
        for (var attempt : attempts) {
            attempt.get(30, TimeUnit.SECONDS);
        }

        assertThat(one).as("a finished batch costs nothing").isNotNull();
        assertThat(count("SELECT count(*) FROM ledger WHERE campaign_id = ?", "same"))
                .isEqualTo(TRIALS);
        assertThat(count("SELECT count(*) FROM ledger WHERE campaign_id = ?", "same-at-once"))
                .isEqualTo(TRIALS);
        assertThat(count("SELECT count(*) FROM outcome WHERE campaign_id = ?", "same-at-once"))
                .isEqualTo(TRIALS);
    }

    @Test
    void shouldPayOnceWhenTwoWorkersAttemptOneBatchAtOnce() throws Exception {
        campaign("two", 500);

        var attempts = List.of(first.attempt("two", 1), second.attempt("two", 1));
        int open = 0;
        for (var attempt : attempts) {
            open += attempt.get(30, TimeUnit.SECONDS).open().stream()
                    .mapToInt(OrdinalRange::size)
                    .sum();
        }

        assertThat(count("SELECT count(*) FROM ledger WHERE campaign_id = ?", "two"))
                .isEqualTo(TRIALS);
        assertThat(count("SELECT count(*) FROM outcome WHERE campaign_id = ?", "two"))
                .isEqualTo(TRIALS);
        assertThat(open)
                .as("each cell was open to the worker that did not get it")
                .isEqualTo(TRIALS);
    }

    @Test
    void shouldStopWithinTwoSecondsWhenEpochMovesOn() throws Exception {
        campaign("stale", 20_000);
        CompletableFuture<BatchResult> attempt = first.attempt("stale", 1);
        awaitCount("SELECT count(*) FROM ledger WHERE campaign_id = ? AND state = 'SENT'", "stale", TRIALS);

        long movedOn = System.nanoTime();
        store.execute("UPDATE campaign SET epoch = 2 WHERE campaign_id = 'stale'");
        BatchResult result = attempt.get(30, TimeUnit.SECONDS);

        assertThat(Duration.ofNanos(System.nanoTime() - movedOn)).isLessThan(Duration.ofSeconds(2));
        assertThat(result.halted()).isTrue();
        assertThat(count("SELECT count(*) FROM outcome WHERE campaign_id = ?", "stale"))
                .isZero();
        assertThat(count("SELECT count(*) FROM cell WHERE campaign_id = ? AND claim_worker IS NOT NULL", "stale"))
                .isZero();
    }

    @Test
    void shouldTakeOverWhenWorkerDied() throws Exception {
        campaign("dead", 200);
        store.execute("""
            INSERT INTO worker (worker_id, host, pid, version, queues, providers, lease_until)
            VALUES ('dead-worker', 'host', 1, 'test', '{}', '[]', now() + interval '1 minute')\
            """);
        store.execute("""
            INSERT INTO cell (campaign_id, ordinal, kind, member, claim_worker, claim_epoch)
            SELECT 'dead', o, 'branch', 0, 'dead-worker', 1 FROM generate_series(0, 9) AS o\
            """);
        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN now() - interval '1 hour'");

        BatchResult whileLive = first.attempt("dead", 1).get(30, TimeUnit.SECONDS);
        store.execute("UPDATE worker SET lease_until = now() - interval '1 second' WHERE worker_id = 'dead-worker'");
        BatchResult afterLapse = first.attempt("dead", 1).get(30, TimeUnit.SECONDS);

        assertThat(whileLive.open()).containsExactly(new OrdinalRange(0, TRIALS));
        assertThat(afterLapse.open()).isEmpty();
        assertThat(count("SELECT count(*) FROM outcome WHERE campaign_id = ?", "dead"))
                .isEqualTo(TRIALS);
    }

    /** Many batches come back at once when a worker ends. That is no defect, for which a campaign would be given up. */
    @Test
    void shouldSayThatOpenCellsWaitForAnotherWorkerWhenThisOneEnds() throws Exception {
        RunningCells running = first.context.getBean(RunningCells.class);
        campaign("drained", 4_000, TRIALS / 2);
        CompletableFuture<BatchResult> attempt = first.attempt("drained", 1);
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> running.all().stream().anyMatch(cell -> cell.phase() == RunningCell.Phase.CALLING));

        running.drain();
        BatchResult result = attempt.get(30, TimeUnit.SECONDS);

        assertThat(OrdinalRanges.size(result.open())).isGreaterThanOrEqualTo(TRIALS / 2);
        assertThat(result.halted()).isFalse();
        assertThat(result.unexplained()).isFalse();
    }
}
