package dev.assay.store.cell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.plan.Placement;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import dev.assay.store.worker.WorkerRepository;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which cells are suspected when a worker dies. */
@StoreTest
final class LostRunsTest {

    private final StoreFixture store;
    private final CellRepository cells;
    private final WorkerRepository workers;
    private final RunJournal journal;

    LostRunsTest(StoreFixture store, CellRepository cells, WorkerRepository workers, RunJournal journal) {
        this.store = store;
        this.cells = cells;
        this.workers = workers;
        this.journal = journal;
    }

    private int claim(String campaign, String worker) {
        return cells.claim(new RunKey(campaign, 1), Campaigns.worker(workers, worker), CellKind.BRANCH, 0, List.of(0))
                .claimed()
                .getFirst()
                .lostRuns();
    }

    private static CellKey cell(String campaign) {
        return new CellKey(campaign, 0, CellKind.BRANCH, 0);
    }

    private void begin(String campaign, String worker) throws InterruptedException {
        begin(cell(campaign), worker);
    }

    private void begin(CellKey cell, String worker) throws InterruptedException {
        int attempts = (int) store.value(
                "SELECT attempts FROM cell WHERE ordinal = " + cell.ordinal() + " AND campaign_id = ?",
                cell.campaignId());
        Begin begin = new Begin(new AttemptKey(new CellClaim(cell, 1, worker), attempts + 1), 5);
        assertThat(journal.begin(begin)).isEqualTo(WriteResult.GRANTED);
    }

    /** As kill -9 does on a machine where that is noticed; elsewhere the lease lapses. */
    private void kill(String worker) {
        store.execute("UPDATE worker SET lease_until = '-infinity' WHERE worker_id = ?", worker);
    }

    @Test
    void shouldSuspectTheCellWhenItsWorkerDiedAfterItBegan() throws Exception {
        String campaign = Campaigns.running(store, "begun");
        claim(campaign, "b1");
        begin(campaign, "b1");
        kill("b1");

        assertThat(claim(campaign, "b2")).isEqualTo(1);
        begin(campaign, "b2");
        kill("b2");
        assertThat(claim(campaign, "b3")).isEqualTo(2);
    }

    @Test
    void shouldSuspectTheCellWhenItsFirstRequestWasGranted() throws Exception {
        String campaign = Campaigns.running(store, "granted");
        claim(campaign, "g1");
        Reserve request = new Reserve(
                journal.nextRequestId(),
                new AttemptKey(new CellClaim(cell(campaign), 1, "g1"), 1),
                1,
                "openai",
                "m",
                null,
                1);
        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);
        kill("g1");

        assertThat(claim(campaign, "g2")).isEqualTo(1);
    }

    @Test
    void shouldSuspectNoCellThatOnlyWaitedWhenItsWorkerDied() throws Exception {
        String campaign = Campaigns.running(store, "waited");
        claim(campaign, "w1");
        kill("w1");
        assertThat(claim(campaign, "w2")).isZero();

        // It begins at one worker, is given back, and only waits at the next.
        begin(campaign, "w2");
        cells.release(new RunKey(campaign, 1), "w2", CellKind.BRANCH, 0, List.of(0));
        kill("w2");
        assertThat(claim(campaign, "w3")).isZero();
        begin(campaign, "w3");
        Failure failure = new Failure(ErrorCode.PROVIDER_RATE_LIMITED, "Too many requests");
        journal.postpone(new Postpone(new CellClaim(cell(campaign), 1, "w3"), 1, failure, Duration.ZERO));
        kill("w3");
        assertThat(claim(campaign, "w4")).isZero();
    }

    @Test
    void shouldSuspectNoCellWhenItsWorkerEndedInGoodOrder() throws Exception {
        String campaign = Campaigns.running(store, "orderly");
        claim(campaign, "o1");
        begin(campaign, "o1");

        workers.retire("o1");

        assertThat(claim(campaign, "o2")).isZero();
    }

    @Test
    void shouldSuspectTheCellWhenTheProcessOfItsWorkerIsGone() throws Exception {
        String campaign = Campaigns.running(store, "gone");
        claim(campaign, "p1");
        begin(campaign, "p1");

        workers.retireDead(pid -> false);

        assertThat(claim(campaign, "p2")).isEqualTo(1);
    }

    @Test
    void shouldTakeTheSuspicionBackWhenTheWorkerComesBack() throws Exception {
        String campaign = Campaigns.running(store, "back");
        claim(campaign, "c1");
        begin(campaign, "c1");
        kill("c1");
        assertThat(claim(campaign, "c2")).isEqualTo(1);

        workers.acquit("c1");

        cells.release(new RunKey(campaign, 1), "c2", CellKind.BRANCH, 0, List.of(0));
        assertThat(claim(campaign, "c3")).isZero();
    }

    @Test
    void shouldForgetWhatWasLostWhenTheCellIsOpenedAgain() throws Exception {
        String campaign = Campaigns.running(store, "again");
        claim(campaign, "a1");
        begin(campaign, "a1");
        kill("a1");
        assertThat(claim(campaign, "a2")).isEqualTo(1);
        store.execute(
                "UPDATE cell SET closed_epoch = 1, claim_worker = NULL, begun = false WHERE campaign_id = ?", campaign);
        store.execute("UPDATE campaign SET epoch = 2 WHERE campaign_id = ?", campaign);

        assertThat(cells.claim(new RunKey(campaign, 2), Campaigns.worker(workers, "a3"), CellKind.BRANCH, 0, List.of(0))
                        .claimed())
                .containsExactly(new Claims.Claimed(0, 0, 0, 0, 0));
    }

    /** Each worker dies in the middle of the cell that it runs alone: the least suspected goes first. */
    @Test
    void shouldCondemnNoCellWhenWorkersAreKilledOneAfterTheOther() throws Exception {
        String campaign = Campaigns.running(store, "rolling");
        List<Integer> all = IntStream.range(0, 10).boxed().toList();
        cells.claim(new RunKey(campaign, 1), Campaigns.worker(workers, "r0"), CellKind.BRANCH, 0, all);
        for (int ordinal : all) {
            begin(new CellKey(campaign, ordinal, CellKind.BRANCH, 0), "r0");
        }
        kill("r0");
        for (int i = 1; i <= 20; i++) {
            String worker = Campaigns.worker(workers, "r" + i);
            Claims.Claimed first =
                    cells.claim(new RunKey(campaign, 1), worker, CellKind.BRANCH, 0, all).claimed().stream()
                            .min(Comparator.comparing(cell -> Placement.patience(cell.lostRuns())))
                            .orElseThrow();
            assertThat(Placement.after(first.lostRuns())).isEqualTo(Placement.ALONE);
            begin(new CellKey(campaign, first.ordinal(), CellKind.BRANCH, 0), worker);
            kill(worker);
        }

        assertThat(store.query("SELECT lost_runs FROM cell WHERE campaign_id = ?", campaign))
                .allSatisfy(cell -> assertThat((int) cell.get("lost_runs")).isBetween(2, 3));
    }
}
