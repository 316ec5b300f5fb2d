package dev.assay.store.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is left of workers that ended long ago. */
final class EndedWorkersTest {

    private StoreFixture store;
    private WorkerRepository workers;

    @BeforeEach
    void start() {
        store = StoreFixture.open();
        workers = store.get(WorkerRepository.class);
        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN now() - interval '1 day'");
        Campaigns.running(store, "c");
    }

    @AfterEach
    void stop() {
        store.close();
    }

    /** A worker that began three hours ago, and whose lease lapsed so many minutes ago. */
    private void worker(String id, int lapsedMinutes) {
        Campaigns.worker(workers, id);
        store.execute(
                "UPDATE worker SET started_at = now() - interval '3 hours', lease_until = now() - ? * interval '1"
                        + " minute' WHERE worker_id = ?",
                lapsedMinutes,
                id);
    }

    private List<String> left() {
        return store.query("SELECT worker_id FROM worker ORDER BY worker_id").stream()
                .map(row -> String.valueOf(row.get("worker_id")))
                .toList();
    }

    @Test
    void shouldForgetWorkersAnHourAfterTheirLeaseEnded() {
        worker("killed", 61);
        worker("retired", -1);
        workers.retire("retired");
        worker("lapsed", 59);
        Campaigns.worker(workers, "live");
        Campaigns.worker(workers, "young");
        workers.retire("young");

        assertThat(workers.forgetEnded()).isEqualTo(2);

        assertThat(left()).containsExactly("lapsed", "live", "young");
        assertThat(workers.forgetEnded()).isZero();
    }

    @Test
    void shouldForgetNoneWhilePostgresGivesThemTimeToComeBack() {
        worker("cut-off", 90);
        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN now() - interval '29 seconds'");

        assertThat(workers.forgetEnded()).isZero();
    }

    @Test
    void shouldForgetPermitsWithTheWorkerThatLeftThem() {
        worker("killed", 90);
        store.execute(
                "INSERT INTO permit_lease (pool, worker_id, granted, wanted) VALUES ('campaign/gone', 'killed', 1, 1)");

        assertThat(workers.forgetEnded()).isOne();

        assertThat(store.count("SELECT count(*) FROM permit_lease")).isZero();
    }

    @Test
    void shouldKeepAWorkerWhileARequestOrALostCellNamesIt() {
        worker("asking", 90);
        worker("lost", 90);
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch, state)
            VALUES (-1, 'c', 0, 'branch', 0, 1, 1, 'p', 'm', 'asking', 1, 'SENT')\
            """);
        store.execute("INSERT INTO cell (campaign_id, ordinal, kind, member, lost_runs, lost_worker)"
                + " VALUES ('c', 0, 'branch', 0, 1, 'lost')");

        assertThat(workers.forgetEnded()).isZero();

        workers.sweepLedger();
        store.execute("UPDATE cell SET lost_worker = NULL");
        assertThat(workers.forgetEnded()).isEqualTo(2);
    }

    @Test
    void shouldForgetAHundredAtATime() {
        worker("ended", 90);
        store.execute("""
            INSERT INTO worker (worker_id, host, pid, version, queues, providers, started_at, lease_until)
            SELECT worker_id || n, host, n, version, queues, providers, started_at, lease_until FROM worker, generate_series(1, 149) AS n\
            """);

        assertThat(workers.forgetEnded()).isEqualTo(100);
        assertThat(workers.forgetEnded()).isEqualTo(50);
    }

    /** What a dead worker began stays suspect, whether or not its row is there. */
    @Test
    void shouldCountACellAsLostWhoseWorkerIsForgotten() throws InterruptedException {
        CellRepository cells = store.get(CellRepository.class);
        RunKey run = new RunKey("c", 1);
        cells.claim(run, Campaigns.worker(workers, "dead"), CellKind.BRANCH, 0, List.of(0));
        CellClaim claim = new CellClaim(new CellKey("c", 0, CellKind.BRANCH, 0), 1, "dead");
        assertThat(store.get(RunJournal.class).begin(new Begin(new AttemptKey(claim, 1), 5)))
                .isEqualTo(WriteResult.GRANTED);
        worker("dead", 90);
        assertThat(workers.forgetEnded()).isOne();

        int lostRuns = cells.claim(run, Campaigns.worker(workers, "next"), CellKind.BRANCH, 0, List.of(0))
                .claimed()
                .getFirst()
                .lostRuns();

        assertThat(lostRuns).isOne();
    }
}
