package dev.assay.store.journal;

import static dev.assay.domain.limit.outage.NoAttempt.RATE;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Excuse;
import dev.assay.store.journal.JournalEntry.GiveBack;
import dev.assay.store.journal.JournalEntry.NoAttempt;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.worker.WorkerRepository;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An attempt is counted with its first request: whatever happens then, a cell pays for no more than it may have. */
@StoreTest
final class AttemptsTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Failure REFUSED = new Failure(ErrorCode.PROVIDER_UNAVAILABLE, "Later");
    private static final Failure STOPPED = new Failure(ErrorCode.CANCELLED, "Stopped");

    private final StoreFixture store;
    private final CellRepository cells;
    private final WorkerRepository workers;
    private final RunJournal journal;

    AttemptsTest(StoreFixture store, CellRepository cells, WorkerRepository workers, RunJournal journal) {
        this.store = store;
        this.cells = cells;
        this.workers = workers;
        this.journal = journal;
    }

    /** The only cell of a campaign, and who may run it. */
    private final class Cell {
        private final String campaign = Campaigns.running(store, "attempts-" + NUMBER.incrementAndGet());
        private final CellKey key = new CellKey(campaign, 0, CellKind.BRANCH, 0);
        private final int most;
        private int epoch = 1;
        private int lost;
        private int stops;

        Cell(int most) {
            this.most = most;
        }

        /** The next attempt, in the hands of a worker of its own; null: the cell cannot be had. */
        @Nullable
        AttemptKey claim() {
            String worker = Campaigns.worker(workers, campaign + "-" + NUMBER.incrementAndGet());
            return claim(worker);
        }

        @Nullable
        AttemptKey claim(String worker) {
            List<Claims.Claimed> claimed = cells.claim(
                            new RunKey(campaign, epoch), worker, CellKind.BRANCH, 0, List.of(0))
                    .claimed();
            return claimed.isEmpty()
                    ? null
                    : new AttemptKey(
                            new CellClaim(key, epoch, worker),
                            claimed.getFirst().attempts() + 1);
        }

        Reserve request(AttemptKey attempt) {
            return new Reserve(journal.nextRequestId(), attempt, 1, "openai", "m", null, most);
        }

        void settle(Reserve request, @Nullable Failure failure, @Nullable NoAttempt noAttempt) {
            journal.giveUp(new Settle(request.requestId(), request.attempt(), null, null, null, failure, noAttempt))
                    .join();
        }

        void postpone(AttemptKey attempt) {
            journal.postpone(new Postpone(attempt.claim(), attempt.number(), REFUSED, Duration.ZERO));
            store.execute("UPDATE cell SET next_try_at = NULL WHERE campaign_id = ?", campaign);
        }

        /** The next attempt, which is refused. */
        WriteResult refused() throws Exception {
            AttemptKey attempt = requireNonNull(claim());
            Reserve request = request(attempt);
            journal.reserve(request);
            WriteResult excused = journal.excuse(new Excuse(request.requestId(), attempt, RATE));
            cells.release(new RunKey(campaign, epoch), attempt.claim().workerId(), CellKind.BRANCH, 0, List.of(0));
            return excused;
        }

        /** As an orderly stop does. */
        void stop(Reserve request, NoAttempt why) {
            stops++;
            settle(request, STOPPED, why);
            journal.giveBack(new GiveBack(request.attempt())).join();
            cells.release(
                    new RunKey(campaign, request.attempt().claim().epoch()),
                    request.attempt().claim().workerId(),
                    CellKind.BRANCH,
                    0,
                    List.of(0));
        }

        void kill(AttemptKey attempt) {
            lost++;
            store.execute(
                    "UPDATE worker SET lease_until = '-infinity' WHERE worker_id = ?",
                    attempt.claim().workerId());
        }

        void newEpoch() {
            epoch++;
            store.execute("UPDATE campaign SET epoch = ? WHERE campaign_id = ?", epoch, campaign);
        }

        long attempts() {
            return store.count("SELECT attempts FROM cell WHERE campaign_id = ?", campaign);
        }

        long requests() {
            return store.count("SELECT count(*) FROM ledger WHERE campaign_id = ?", campaign);
        }

        long givenBack() {
            return store.count("SELECT count(no_attempt) FROM ledger WHERE campaign_id = ?", campaign);
        }

        void checkCounted() {
            assertThat(attempts() + givenBack())
                    .as("counter and what was given back")
                    .isEqualTo(requests());
        }
    }

    @Test
    void shouldSendNothingOnceAllAttemptsHaveBegunThoughNoneCouldBeRecorded() throws Exception {
        Cell cell = new Cell(2);
        String worker = Campaigns.worker(workers, cell.campaign);
        for (int i = 0; i < 2; i++) {
            AttemptKey attempt = requireNonNull(cell.claim(worker));
            assertThat(journal.reserve(cell.request(attempt))).isEqualTo(WriteResult.GRANTED);
            // Neither an outcome nor a postponement can be written.
        }

        AttemptKey third = requireNonNull(cell.claim(worker));

        assertThat(third.number()).isEqualTo(3);
        assertThat(journal.reserve(cell.request(third))).isEqualTo(WriteResult.EXHAUSTED);
        assertThat(journal.begin(new Begin(third, 2))).isEqualTo(WriteResult.EXHAUSTED);
        assertThat(cell.requests()).isEqualTo(2);
        cell.checkCounted();
    }

    @Test
    void shouldCountAnAttemptOnceWhenItsRequestIsWrittenAgain() throws Exception {
        Cell cell = new Cell(1);
        Reserve request = cell.request(requireNonNull(cell.claim()));

        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);
        assertThat(journal.reserve(request))
                .as("PostgreSQL went away before it could answer")
                .isEqualTo(WriteResult.GRANTED);

        assertThat(cell.attempts()).isEqualTo(1);
        assertThat(cell.requests()).isEqualTo(1);
    }

    @Test
    void shouldSendNothingForACellThatAnotherWorkerHolds() throws Exception {
        Cell cell = new Cell(5);
        AttemptKey slow = requireNonNull(cell.claim());
        cell.kill(slow);
        AttemptKey next = requireNonNull(cell.claim());
        journal.reserve(cell.request(next));

        assertThat(journal.reserve(cell.request(slow))).isEqualTo(WriteResult.STALE);
        assertThat(cell.attempts()).isEqualTo(1);
    }

    @Test
    void shouldHaveFourAttemptsMoreForThoseThatWereLostWithTheirWorkers() throws Exception {
        Cell cell = new Cell(1);
        for (int i = 0; i < 5; i++) {
            AttemptKey attempt = requireNonNull(cell.claim());
            assertThat(journal.reserve(cell.request(attempt))).isEqualTo(WriteResult.GRANTED);
            cell.kill(attempt);
        }

        assertThat(journal.reserve(cell.request(requireNonNull(cell.claim())))).isEqualTo(WriteResult.EXHAUSTED);
        assertThat(cell.requests()).isEqualTo(5);
        cell.checkCounted();
    }

    @ParameterizedTest
    @EnumSource(NoAttempt.class)
    void shouldGiveAnAttemptBackWhenItIsStoppedInGoodOrder(NoAttempt why) throws Exception {
        Cell cell = new Cell(1);
        Reserve stopped = cell.request(requireNonNull(cell.claim()));
        journal.reserve(stopped);
        cell.stop(stopped, why);

        assertThat(cell.attempts()).isZero();
        assertThat(store.value("SELECT no_attempt FROM ledger WHERE campaign_id = ?", cell.campaign))
                .isEqualTo(why.name());
        AttemptKey next = requireNonNull(cell.claim());
        assertThat(next.number()).isEqualTo(1);
        assertThat(journal.reserve(cell.request(next))).isEqualTo(WriteResult.GRANTED);
    }

    @Test
    void shouldGiveTwentyRefusedAttemptsBackAndCountTheNext() throws Exception {
        Cell cell = new Cell(2);
        for (int i = 0; i < 20; i++) {
            assertThat(cell.refused()).isEqualTo(WriteResult.GRANTED);
            assertThat(cell.attempts()).isZero();
        }

        assertThat(cell.refused()).isEqualTo(WriteResult.EXHAUSTED);
        assertThat(cell.attempts()).isEqualTo(1);
        assertThat(store.count(
                        "SELECT count(*) FROM ledger WHERE campaign_id = ? AND no_attempt = 'RATE'", cell.campaign))
                .isEqualTo(20);
        cell.checkCounted();
    }

    @Test
    void shouldCountARefusedAttemptWhenItsWorkerDiesBeforeThatIsRecorded() throws Exception {
        Cell cell = new Cell(1);
        AttemptKey refused = requireNonNull(cell.claim());
        Reserve request = cell.request(refused);
        journal.reserve(request);
        cell.kill(refused);
        AttemptKey next = requireNonNull(cell.claim());

        assertThat(journal.excuse(new Excuse(request.requestId(), refused, RATE)))
                .isEqualTo(WriteResult.EXHAUSTED);
        assertThat(next.number()).as("as any other that is lost").isEqualTo(2);
        assertThat(journal.reserve(cell.request(next))).isEqualTo(WriteResult.GRANTED);
        cell.checkCounted();
    }

    @Test
    void shouldGiveAnAttemptBackOnceWhenALaterEpochTakesItsCellOver() throws Exception {
        Cell cell = new Cell(1);
        Reserve before = cell.request(requireNonNull(cell.claim()));
        journal.reserve(before);
        cell.newEpoch();
        AttemptKey after = requireNonNull(cell.claim());

        assertThat(after.number()).isEqualTo(1);
        assertThat(journal.reserve(cell.request(after))).isEqualTo(WriteResult.GRANTED);
        cell.stop(before, NoAttempt.STOPPED);

        assertThat(cell.attempts()).isEqualTo(1);
        cell.checkCounted();
    }

    @Test
    void shouldGiveAnAttemptBackWhenItsWorkerEndedInGoodOrderWithoutFreeingIt() throws Exception {
        Cell cell = new Cell(1);
        AttemptKey attempt = requireNonNull(cell.claim());
        journal.reserve(cell.request(attempt));
        workers.retire(attempt.claim().workerId());

        assertThat(requireNonNull(cell.claim()).number()).isEqualTo(1);
    }

    /** Random lives of a cell: requests that are answered with a refusal, stopped, not sent, lost, or never heard of again. */
    @Test
    void shouldNeverPayForMoreThanItMayWhateverHappens() throws Exception {
        Random random = new Random(29);
        for (int life = 0; life < 25; life++) {
            Cell cell = new Cell(1 + random.nextInt(3));
            String worker = Campaigns.worker(workers, cell.campaign);
            for (int step = 0; step < 14; step++) {
                AttemptKey attempt = random.nextBoolean() ? cell.claim(worker) : cell.claim();
                if (attempt == null) {
                    break;
                }
                worker = attempt.claim().workerId();
                Reserve request = cell.request(attempt);
                if (journal.reserve(request) != WriteResult.GRANTED) {
                    break;
                }
                live(cell, request, random.nextInt(6));
                cell.checkCounted();
            }
            assertThat(cell.requests())
                    .isLessThanOrEqualTo(cell.most + Math.min(cell.lost, Begin.MOST_LOST) + cell.stops);
        }
    }

    private void live(Cell cell, Reserve request, int what) {
        switch (what) {
            case 0 -> {
                cell.settle(request, REFUSED, null);
                cell.postpone(request.attempt());
            }
            case 1 -> cell.stop(request, NoAttempt.STOPPED);
            case 2 -> cell.stop(request, NoAttempt.UNSENT);
            case 3 -> cell.kill(request.attempt());
            case 4 -> {
                cell.newEpoch();
                cell.stop(request, NoAttempt.STOPPED);
            }
            default -> {
                // Its end cannot be recorded; the same worker claims it again.
                cell.settle(request, REFUSED, null);
                cells.release(
                        new RunKey(cell.campaign, cell.epoch),
                        request.attempt().claim().workerId(),
                        CellKind.BRANCH,
                        0,
                        List.of(0));
            }
        }
    }
}
