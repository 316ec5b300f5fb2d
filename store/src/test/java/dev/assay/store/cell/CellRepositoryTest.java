package dev.assay.store.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import dev.assay.store.worker.WorkerRepository;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@StoreTest
final class CellRepositoryTest {

    private final StoreFixture store;
    private final CellRepository cells;
    private final WorkerRepository workers;
    private final RunJournal journal;

    CellRepositoryTest(StoreFixture store, CellRepository cells, WorkerRepository workers, RunJournal journal) {
        this.store = store;
        this.cells = cells;
        this.workers = workers;
        this.journal = journal;
    }

    private Claims claim(String campaign, int epoch, String worker, Integer... ordinals) {
        return cells.claim(new RunKey(campaign, epoch), worker, CellKind.BRANCH, 0, List.of(ordinals));
    }

    private static List<Integer> ordinals(Claims claims) {
        return claims.claimed().stream().map(Claims.Claimed::ordinal).toList();
    }

    @Test
    void shouldGiveEachCellToOneWorkerWhenManyClaimAtOnce() throws Exception {
        String campaign = Campaigns.running(store, "race");
        List<Integer> all = IntStream.range(0, 100).boxed().toList();
        List<Callable<List<Integer>>> attempts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String worker = Campaigns.worker(workers, "racer-" + i);
            attempts.add(() -> ordinals(cells.claim(new RunKey(campaign, 1), worker, CellKind.BRANCH, 0, all)));
        }

        List<Integer> claimed = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<Integer>> attempt : threads.invokeAll(attempts)) {
                claimed.addAll(attempt.get());
            }
        }

        assertThat(claimed).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void shouldMakeOthersWaitWhenLiveWorkerHoldsClaim() {
        String campaign = Campaigns.running(store, "held");
        claim(campaign, 1, Campaigns.worker(workers, "holder"), 0, 1);

        Claims second = claim(campaign, 1, Campaigns.worker(workers, "late"), 0, 1, 2);

        assertThat(ordinals(second)).containsExactly(2);
        assertThat(second.waiting()).extracting(Claims.Waiting::ordinal).containsExactly(0, 1);
    }

    @Test
    void shouldTakeOverClaimWhenLeaseOfItsWorkerLapsed() {
        String campaign = Campaigns.running(store, "takeover");
        claim(campaign, 1, Campaigns.worker(workers, "dead"), 0);
        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN now() - interval '1 hour'");
        store.execute("UPDATE worker SET lease_until = now() - interval '1 second' WHERE worker_id = 'dead'");

        Claims second = claim(campaign, 1, Campaigns.worker(workers, "heir"), 0);

        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN pg_postmaster_start_time()");
        assertThat(ordinals(second)).containsExactly(0);
    }

    @Test
    void shouldCountLeaseFromStartOfPostgresWhenThatIsLater() {
        assertThat(store.value(
                        "SELECT worker_is_live(now() - interval '1 second') = (now() < store_started_at() + interval"
                                + " '30 seconds')"))
                .isEqualTo(true);
        assertThat(store.value("SELECT worker_is_live('-infinity')")).isEqualTo(false);
        assertThat(store.value("SELECT worker_is_live(now() + interval '1 second')"))
                .isEqualTo(true);
    }

    @Test
    void shouldFreeClaimsWhenWorkerRetires() {
        String campaign = Campaigns.running(store, "retired");
        String worker = Campaigns.worker(workers, "leaver");
        claim(campaign, 1, worker, 0);

        workers.retire(worker);

        assertThat(ordinals(claim(campaign, 1, Campaigns.worker(workers, "stayer"), 0)))
                .containsExactly(0);
        assertThat(ordinals(claim(campaign, 1, worker, 1))).isEmpty();
    }

    @Test
    void shouldFreeClaimsWhenEpochMovesOn() {
        String campaign = Campaigns.running(store, "epoch");
        String old = Campaigns.worker(workers, "old");
        claim(campaign, 1, old, 0);
        store.execute("UPDATE campaign SET epoch = 2 WHERE campaign_id = ?", campaign);

        Claims next = claim(campaign, 2, Campaigns.worker(workers, "next"), 0);

        assertThat(ordinals(next)).containsExactly(0);
        assertThat(claim(campaign, 1, old, 0, 1).claimed()).isEmpty();
    }

    @Test
    void shouldClaimNothingWhenCampaignIsPaused() {
        String campaign = Campaigns.running(store, "paused");
        store.execute("UPDATE campaign SET state = 'PAUSED' WHERE campaign_id = ?", campaign);

        assertThat(claim(campaign, 1, Campaigns.worker(workers, "w-paused"), 0).claimed())
                .isEmpty();
    }

    @Test
    void shouldWaitAndKeepCountWhenAttemptIsPostponed() {
        String campaign = Campaigns.running(store, "postponed");
        String worker = Campaigns.worker(workers, "w-postponed");
        claim(campaign, 1, worker, 0);
        CellKey key = new CellKey(campaign, 0, CellKind.BRANCH, 0);
        Failure failure = new Failure(ErrorCode.PROVIDER_RATE_LIMITED, "Too many requests");

        journal.postpone(new Postpone(new CellClaim(key, 1, worker), 1, failure, Duration.ofSeconds(40)));

        Claims waiting = claim(campaign, 1, worker, 0);
        assertThat(waiting.claimed()).isEmpty();
        assertThat(waiting.waiting())
                .singleElement()
                .satisfies(cell ->
                        assertThat(cell.retryAfter()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(40)));
        store.execute("UPDATE cell SET next_try_at = now() WHERE campaign_id = ?", campaign);
        assertThat(claim(campaign, 1, worker, 0).claimed()).containsExactly(new Claims.Claimed(0, 1, 0, 0, 0));
    }

    @Test
    void shouldFreeCellWhenReleased() {
        String campaign = Campaigns.running(store, "released");
        String worker = Campaigns.worker(workers, "w-released");
        claim(campaign, 1, worker, 0);

        cells.release(new RunKey(campaign, 1), worker, CellKind.BRANCH, 0, List.of(0));

        assertThat(ordinals(claim(campaign, 1, Campaigns.worker(workers, "w-next"), 0)))
                .containsExactly(0);
    }

    /** Whoever cancels closes the loops that nobody runs, once: a cell that is freed after that would be forgotten. */
    @Test
    void shouldLeaveACellWithItsWorkerWhenItsCampaignIsCancelledBeforeTheRetryIsWritten() throws Exception {
        String campaign = Campaigns.running(store, "latest");
        String worker = Campaigns.worker(workers, "late-loser");
        claim(campaign, 1, worker, 0);
        CellKey key = new CellKey(campaign, 0, CellKind.BRANCH, 0);
        Failure failure = new Failure(ErrorCode.PROVIDER_UNAVAILABLE, "Busy");
        CompletableFuture<WriteResult> answer;
        try (Connection cancelling = store.connect();
                Statement statement = cancelling.createStatement()) {
            cancelling.setAutoCommit(false);
            statement.execute("UPDATE campaign SET state = 'CANCELLED' WHERE campaign_id = '" + campaign + "'");

            answer = CompletableFuture.supplyAsync(() ->
                    journal.postpone(new Postpone(new CellClaim(key, 1, worker), 1, failure, Duration.ofSeconds(1))));
            awaitBlocked();
            cancelling.commit();
        }

        assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo(WriteResult.CANCELLED);
        assertThat(store.value("SELECT claim_worker FROM cell WHERE campaign_id = ?", campaign))
                .isEqualTo(worker);
        assertThat(journal.postpone(new Postpone(new CellClaim(key, 1, "another"), 1, failure, Duration.ofSeconds(1))))
                .isEqualTo(WriteResult.STALE);
    }

    @Test
    void shouldKeepACellWhenItIsGivenUpAfterItsCampaignWasCancelled() {
        String campaign = Campaigns.running(store, "given-up");
        String worker = Campaigns.worker(workers, "late-leaver");
        claim(campaign, 1, worker, 0, 1);
        store.execute("UPDATE campaign SET state = 'CANCELLED' WHERE campaign_id = ?", campaign);

        assertThat(cells.release(new RunKey(campaign, 1), worker, CellKind.BRANCH, 0, List.of(0, 1)))
                .containsExactly(0, 1);
        assertThat(cells.release(new RunKey(campaign, 1), "another", CellKind.BRANCH, 0, List.of(0, 1)))
                .isEmpty();
        assertThat(store.count("SELECT count(*) FROM cell WHERE campaign_id = ? AND claim_worker IS NULL", campaign))
                .isZero();
    }

    private void awaitBlocked() {
        await("the journal's wait for the campaign")
                .atMost(Duration.ofSeconds(20))
                .until(() -> store.count("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND"
                                + " wait_event_type = 'Lock'")
                        > 0);
    }

    /** Strategies that ask, graded checks and hypotheses come as kinds of cells. */
    @Test
    void shouldTakeCellsAndRequestsOfAKindThatComesLater() {
        String campaign = Campaigns.running(store, "kinds");

        store.execute("INSERT INTO cell (campaign_id, ordinal, kind, member) VALUES (?, 0, 'hypothesis', 0)", campaign);
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch, state)
            VALUES (nextval('ledger_block'), ?, 0, 'hypothesis', 0, 1, 1, 'p', 'm', 'w', 1, 'SENT')\
            """, campaign);

        assertThat(store.value(
                        "SELECT count(*) FROM cell JOIN ledger USING (campaign_id, ordinal, kind, member) WHERE"
                                + " campaign_id = ?",
                        campaign))
                .isEqualTo(1L);
    }
}
