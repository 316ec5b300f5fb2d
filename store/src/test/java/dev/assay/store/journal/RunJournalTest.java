package dev.assay.store.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.agent.Provenance;
import dev.assay.domain.agent.Served;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.Campaigns;
import dev.assay.store.StoreFixture;
import dev.assay.store.StoreTest;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.worker.WorkerRepository;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@StoreTest
final class RunJournalTest {

    private static final BigDecimal WORST_CASE = new BigDecimal("0.10");

    private final StoreFixture store;
    private final RunJournal journal;
    private final CellRepository cells;
    private final OutcomeRepository outcomes;
    private final WorkerRepository workers;

    RunJournalTest(
            StoreFixture store,
            RunJournal journal,
            CellRepository cells,
            OutcomeRepository outcomes,
            WorkerRepository workers) {
        this.store = store;
        this.journal = journal;
        this.cells = cells;
        this.outcomes = outcomes;
        this.workers = workers;
    }

    private static final Provenance ORIGIN = new Provenance(
            Json.tree("{\"thinking\": \"high\"}"), Json.tree("{\"max_tokens\": 5}"), new Served("m-1", null, null));

    private static Outcome outcome(int ordinal, OutcomeStatus status, String response) {
        Failure failure = status == OutcomeStatus.COMPLETED ? null : new Failure(ErrorCode.CANCELLED, "Cancelled");
        return new Outcome(
                ordinal,
                0,
                "s." + ordinal + ".1",
                new Outcome.End(status, failure, 1),
                new Outcome.Answer(
                        List.of(Message.user("Question?"), Message.assistant(response)), 0, response, ORIGIN),
                new Measured(new Usage(10, 5, 1, 2, 0, 15), new BigDecimal("0.25"), Duration.ofMillis(120)),
                List.of());
    }

    private RecordOutcome record(String campaign, int epoch, Outcome outcome, @Nullable Boolean passed) {
        return new RecordOutcome(
                campaign,
                epoch,
                "w",
                outcome.ordinal() % 10,
                outcome.ordinal() / 10 + 1,
                outcome,
                passed,
                List.of("Mind the gap."));
    }

    private Reserve request(String campaign, int epoch, int ordinal, @Nullable BigDecimal worstCase) {
        CellKey cell = new CellKey(campaign, ordinal, CellKind.BRANCH, 0);
        return new Reserve(
                journal.nextRequestId(),
                new AttemptKey(new CellClaim(cell, epoch, "w"), 1),
                1,
                "openai",
                "m",
                worstCase,
                null);
    }

    @Test
    void shouldRecordGradesOnceAndNotAfterAReRun() {
        String campaign = Campaigns.running(store, "grades");
        List<Outcome> waiting = List.of(
                outcome(0, OutcomeStatus.COMPLETED, "first"),
                outcome(1, OutcomeStatus.COMPLETED, "second"),
                outcome(2, OutcomeStatus.COMPLETED, "third"));
        waiting.forEach(one -> journal.record(record(campaign, 1, one, null)));
        store.execute("""
            WITH gone AS (DELETE FROM outcome o WHERE o.campaign_id = ? RETURNING o.*)
            INSERT INTO ungraded_outcome (campaign_id, ordinal, branch_index, outcome)
            SELECT campaign_id, ordinal, branch_index, to_jsonb(gone) FROM gone\
            """, campaign);

        assertThat(journal.record(new RecordGrades(record(campaign, 2, waiting.get(0), true), 0)))
                .isEqualTo(WriteResult.GRANTED);
        assertThat(journal.record(new RecordGrades(record(campaign, 2, waiting.get(0), false), 0)))
                .as("written before")
                .isEqualTo(WriteResult.STALE);
        assertThat(journal.record(new RecordGrades(record(campaign, 2, waiting.get(1), null), 0)))
                .isEqualTo(WriteResult.GRANTED);
        assertThat(journal.record(new RecordGrades(record(campaign, 2, waiting.get(2), true), 1)))
                .as("read in another state of its re-runs")
                .isEqualTo(WriteResult.STALE);

        assertThat(store.query("""
            SELECT ordinal, passed, epoch, response FROM outcome WHERE campaign_id = ? ORDER BY ordinal\
            """, campaign))
                .extracting(row -> row.get("ordinal") + " " + row.get("passed") + " " + row.get("epoch") + " "
                        + row.get("response"))
                .containsExactly("0 true 2 first", "1 null 2 second");
        assertThat(store.value(
                        "SELECT string_agg(ordinal::text, ',') FROM ungraded_outcome WHERE campaign_id = ?", campaign))
                .isEqualTo("2");
    }

    @Test
    void shouldReadBackOutcomeWhenRecorded() {
        String campaign = Campaigns.running(store, "readback");
        Outcome written = outcome(3, OutcomeStatus.COMPLETED, "Paris \"quoted\" – ünïcode");

        journal.record(record(campaign, 1, written, true));

        Outcome read = outcomes.forSelection(campaign, List.of(3), true).get(3).getFirst();
        assertThat(read)
                .usingRecursiveComparison()
                .withComparatorForType(BigDecimal::compareTo, BigDecimal.class)
                .ignoringFields("answer.newMessages", "answer.provenance", "checks")
                .isEqualTo(written);
        assertThat(store.value("SELECT messages -> 1 ->> 'content' FROM outcome WHERE campaign_id = ?", campaign))
                .isEqualTo(written.response());
        assertThat(store.value("SELECT warnings::text FROM outcome WHERE campaign_id = ?", campaign))
                .isEqualTo("{\"Mind the gap.\"}");
        assertThat(store.value(
                        "SELECT concat_ws('|', requested ->> 'thinking', effective ->> 'max_tokens', served ->>"
                                + " 'model') FROM outcome WHERE campaign_id = ?",
                        campaign))
                .isEqualTo("high|5|m-1");
    }

    @Test
    void shouldKeepFirstOutcomeAndCountOnceWhenCellIsRecordedTwice() {
        String campaign = Campaigns.running(store, "twice");

        journal.record(record(campaign, 1, outcome(0, OutcomeStatus.COMPLETED, "first"), true));
        journal.record(record(campaign, 1, outcome(0, OutcomeStatus.COMPLETED, "second"), false));

        assertThat(store.value("SELECT response FROM outcome WHERE campaign_id = ?", campaign))
                .isEqualTo("first");
        assertThat(store.query(
                        "SELECT cells_done, cells_passed, total_tokens FROM progress WHERE campaign_id = ?", campaign))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly(1L, 1L, 15L));
    }

    @Test
    void shouldReplaceOutcomeWhenItWasNotFinal() {
        String campaign = Campaigns.running(store, "nonfinal");
        Campaigns.worker(workers, "w");

        journal.record(record(campaign, 1, outcome(0, OutcomeStatus.CANCELLED, ""), null));
        assertThat(cells.claim(new RunKey(campaign, 1), "w", CellKind.BRANCH, 0, List.of(0))
                        .closed())
                .as("closed for its own epoch")
                .isEmpty();
        store.execute("UPDATE campaign SET epoch = 2 WHERE campaign_id = ?", campaign);
        assertThat(cells.claim(new RunKey(campaign, 2), "w", CellKind.BRANCH, 0, List.of(0))
                        .claimed())
                .hasSize(1);
        journal.record(record(campaign, 2, outcome(0, OutcomeStatus.COMPLETED, "done"), true));

        assertThat(store.query("SELECT status, epoch FROM outcome WHERE campaign_id = ?", campaign))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("COMPLETED", 2));
        assertThat(store.count("SELECT sum(cells_done) FROM progress WHERE campaign_id = ?", campaign))
                .isEqualTo(1);
    }

    @Test
    void shouldCloseCellForItsEpochWhenOutcomeIsRecorded() {
        String campaign = Campaigns.running(store, "closes");
        Campaigns.worker(workers, "w");
        cells.claim(new RunKey(campaign, 1), "w", CellKind.BRANCH, 0, List.of(0, 1));

        journal.record(record(campaign, 1, outcome(0, OutcomeStatus.COMPLETED, "done"), true));
        journal.record(record(campaign, 1, outcome(1, OutcomeStatus.BUDGET_SKIPPED, ""), null));

        assertThat(cells.claim(new RunKey(campaign, 1), "w", CellKind.BRANCH, 0, List.of(0, 1))
                        .closed())
                .containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void shouldWriteRequestBeforeItIsSentAndSettleItAfter() throws Exception {
        String campaign = Campaigns.running(store, "ledger");
        Reserve request = request(campaign, 1, 0, WORST_CASE);

        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);
        assertThat(store.value("SELECT state FROM ledger WHERE request_id = ?", request.requestId()))
                .isEqualTo("SENT");
        journal.settle(new Settle(
                        request.requestId(), request.attempt(), WORST_CASE, new BigDecimal("0.02"), 30L, null, null))
                .get(20, TimeUnit.SECONDS);

        assertThat(store.query("SELECT state, total_tokens FROM ledger WHERE request_id = ?", request.requestId()))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("ANSWERED", 30L));
    }

    @Test
    void shouldSendNothingWhenEpochMovedOn() throws Exception {
        String campaign = Campaigns.running(store, "stale");
        store.execute("UPDATE campaign SET epoch = 2 WHERE campaign_id = ?", campaign);

        assertThat(journal.reserve(request(campaign, 1, 0, null))).isEqualTo(WriteResult.STALE);
        assertThat(store.count("SELECT count(*) FROM ledger WHERE campaign_id = ?", campaign))
                .isZero();
    }

    @Test
    void shouldSpendWholeBudgetAndNeverMoreWhenFiftyCallsRaceForThirty() throws Exception {
        String campaign = Campaigns.running(store, "budget");
        store.execute("UPDATE campaign SET budget_usd = 3.00 WHERE campaign_id = ?", campaign);
        AtomicInteger sent = new AtomicInteger();
        AtomicInteger skipped = new AtomicInteger();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                int ordinal = i;
                threads.submit(() -> {
                    call(campaign, ordinal, sent, skipped);
                    return ordinal;
                });
            }
        }

        assertThat(sent.get()).isEqualTo(30);
        assertThat(skipped.get()).isEqualTo(20);
        assertThat(store.query("SELECT spent_usd, reserved_usd FROM budget WHERE campaign_id = ?", campaign))
                .singleElement()
                .satisfies(row -> {
                    assertThat((BigDecimal) row.get("spent_usd")).isEqualByComparingTo("3.00");
                    assertThat((BigDecimal) row.get("reserved_usd")).isZero();
                });
    }

    /** A call whose worst case is twice what it then costs. */
    private void call(String campaign, int ordinal, AtomicInteger sent, AtomicInteger skipped) throws Exception {
        BigDecimal cost = WORST_CASE;
        while (true) {
            Reserve request = request(campaign, 1, ordinal, WORST_CASE);
            switch (journal.reserve(request)) {
                case GRANTED -> {
                    sent.incrementAndGet();
                    Thread.sleep(5);
                    journal.settle(new Settle(request.requestId(), request.attempt(), WORST_CASE, cost, 1L, null, null))
                            .get(20, TimeUnit.SECONDS);
                    return;
                }
                case WAIT -> Thread.sleep(2);
                case OVER_BUDGET -> {
                    skipped.incrementAndGet();
                    return;
                }
                case STALE -> throw new AssertionError("The campaign runs");
            }
        }
    }

    @Test
    void shouldMakeOthersWaitWhenOnlyReservationsStandInTheWay() throws Exception {
        String campaign = Campaigns.running(store, "waits");
        store.execute("UPDATE campaign SET budget_usd = 0.15 WHERE campaign_id = ?", campaign);
        Reserve first = request(campaign, 1, 0, WORST_CASE);

        assertThat(journal.reserve(first)).isEqualTo(WriteResult.GRANTED);
        assertThat(journal.reserve(request(campaign, 1, 1, WORST_CASE))).isEqualTo(WriteResult.WAIT);
        journal.settle(new Settle(
                        first.requestId(), first.attempt(), WORST_CASE, new BigDecimal("0.04"), 1L, null, null))
                .get(20, TimeUnit.SECONDS);

        assertThat(journal.reserve(request(campaign, 1, 1, WORST_CASE))).isEqualTo(WriteResult.GRANTED);
        assertThat(journal.reserve(request(campaign, 1, 2, new BigDecimal("0.12"))))
                .isEqualTo(WriteResult.OVER_BUDGET);
    }

    /** A broken connection lost answers that were paid for: HikariCP's own exception for it has no SQL state. */
    @Test
    void shouldWriteEverythingWhenConnectionsBreakAllTheTime() throws Exception {
        String campaign = Campaigns.running(store, "breaks");
        List<Future<?>> written = new ArrayList<>();

        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                for (int j = 0; j < 10; j++) {
                    RecordOutcome entry =
                            record(campaign, 1, outcome(i * 10 + j, OutcomeStatus.COMPLETED, "paid for"), true);
                    written.add(threads.submit(() -> journal.record(entry)));
                }
                store.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
            }
        }

        assertThat(written).allSatisfy(entry -> assertThat(entry).succeedsWithin(Duration.ofSeconds(30)));
        assertThat(store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", campaign))
                .isEqualTo(400);
        assertThat(store.count("SELECT sum(cells_done) FROM progress WHERE campaign_id = ?", campaign))
                .isEqualTo(400);
    }

    /** PostgreSQL died between a commit and its answer: the journal writes the same group again. */
    @Test
    void shouldReserveOnceWhenARequestIsWrittenAgain() throws Exception {
        String campaign = Campaigns.running(store, "again");
        store.execute("UPDATE campaign SET budget_usd = 0.15 WHERE campaign_id = ?", campaign);
        Reserve request = request(campaign, 1, 0, WORST_CASE);

        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);
        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);

        assertThat(store.count("SELECT count(*) FROM ledger WHERE campaign_id = ?", campaign))
                .isEqualTo(1);
        assertThat((BigDecimal) store.value("SELECT reserved_usd FROM budget WHERE campaign_id = ?", campaign))
                .isEqualByComparingTo(WORST_CASE);
    }

    @Test
    void shouldGrantWithoutABudgetWhenARequestIsWrittenAgain() throws Exception {
        String campaign = Campaigns.running(store, "againfree");
        Reserve request = request(campaign, 1, 0, null);

        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);
        assertThat(journal.reserve(request)).isEqualTo(WriteResult.GRANTED);

        assertThat(store.count("SELECT count(*) FROM ledger WHERE campaign_id = ?", campaign))
                .isEqualTo(1);
    }

    @Test
    void shouldCountDeadWorkersRequestsAtTheirReservation() throws Exception {
        String campaign = Campaigns.running(store, "unknown");
        store.execute("UPDATE campaign SET budget_usd = 1 WHERE campaign_id = ?", campaign);
        Campaigns.worker(workers, "gone");
        CellKey cell = new CellKey(campaign, 0, CellKind.BRANCH, 0);
        journal.reserve(new Reserve(
                journal.nextRequestId(),
                new AttemptKey(new CellClaim(cell, 1, "gone"), 1),
                1,
                "openai",
                "m",
                WORST_CASE,
                null));
        workers.retire("gone");

        workers.sweepLedger();

        assertThat(store.value("SELECT state FROM ledger WHERE campaign_id = ?", campaign))
                .isEqualTo("UNKNOWN");
        assertThat((BigDecimal) store.value("SELECT spent_usd FROM budget WHERE campaign_id = ?", campaign))
                .isEqualByComparingTo(WORST_CASE);
    }

    @Test
    void shouldWriteTheOthersWhenOneEntryIsRefused() {
        String campaign = Campaigns.running(store, "poison");
        Outcome good = outcome(1, OutcomeStatus.COMPLETED, "good");
        List<java.util.concurrent.CompletableFuture<Void>> writes = List.of(
                java.util.concurrent.CompletableFuture.runAsync(
                        () -> journal.record(record("no-such-campaign", 1, good, true))),
                java.util.concurrent.CompletableFuture.runAsync(() -> journal.record(record(campaign, 1, good, true))));

        assertThat(writes.get(0)).failsWithin(Duration.ofSeconds(10));
        assertThat(writes.get(1)).succeedsWithin(Duration.ofSeconds(10));
    }

    private static List<AgentEvent> ends(String loopId, OutcomeStatus status) {
        Instant now = Instant.EPOCH;
        return List.of(
                new AgentEvent.AgentStart("s", loopId, "openai", "m", now),
                new AgentEvent.AgentEnd("s", loopId, status, List.of(), Usage.of(3, 4), null, null, now));
    }

    private String evaluation(String id) {
        String campaign = Campaigns.running(store, id);
        store.execute("INSERT INTO session (session_id, loops) VALUES (?, 1)", id);
        store.execute(
                "INSERT INTO evaluation (evaluation_id, session_id, first_loop, on_cancel) VALUES (?, ?, 1, 'SELECT')",
                id,
                id);
        return campaign;
    }

    private List<String> told(String evaluation) {
        return store
                .query(
                        "SELECT number, name, body ->> 'status' AS status FROM evaluation_event WHERE evaluation_id = ?"
                                + " ORDER BY number",
                        evaluation)
                .stream()
                .map(row -> row.values().toString())
                .toList();
    }

    @Test
    void shouldTellTheEndOfALoopWithTheOutcomeThatStandsAndNothingAfterIt() throws Exception {
        String campaign = evaluation("told-once");
        Outcome first = outcome(0, OutcomeStatus.COMPLETED, "first");
        AgentEvent step = new AgentEvent.TurnStart("s", first.loopId(), 1, Instant.EPOCH);
        journal.tell(
                        campaign,
                        List.of(ends(first.loopId(), OutcomeStatus.COMPLETED).getFirst(), step))
                .get();

        journal.record(record(campaign, 1, first, true), ends(first.loopId(), OutcomeStatus.COMPLETED));
        journal.record(
                record(campaign, 1, outcome(0, OutcomeStatus.CANCELLED, "second"), null),
                ends(first.loopId(), OutcomeStatus.CANCELLED));
        journal.tell(campaign, List.of(step)).get();

        assertThat(told(campaign))
                .containsExactly("[1, AgentStart, null]", "[2, TurnStart, null]", "[3, AgentEnd, COMPLETED]");
        assertThat(store.value("SELECT events::text FROM evaluation WHERE evaluation_id = ?", campaign))
                .isEqualTo("3");
    }

    @Test
    void shouldTellNoEndWhenTheOutcomeIsRefused() {
        String campaign = evaluation("refused-end");
        Outcome good = outcome(0, OutcomeStatus.COMPLETED, "good");

        assertThatThrownBy(() -> journal.record(
                        record("no-such-campaign", 1, good, true), ends(good.loopId(), OutcomeStatus.COMPLETED)))
                .isInstanceOf(RuntimeException.class);
        assertThat(told(campaign)).isEmpty();

        journal.record(record(campaign, 1, good, true), ends(good.loopId(), OutcomeStatus.COMPLETED));
        assertThat(told(campaign)).containsExactly("[1, AgentStart, null]", "[2, AgentEnd, COMPLETED]");
    }

    @Test
    void shouldTellNothingOfACampaignThatIsNoEvaluation() throws Exception {
        String campaign = Campaigns.running(store, "untold");

        journal.tell(campaign, ends("s.0.1", OutcomeStatus.COMPLETED)).get();

        assertThat(told(campaign)).isEmpty();
    }
}
