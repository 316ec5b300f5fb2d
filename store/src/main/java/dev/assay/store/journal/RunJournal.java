package dev.assay.store.journal;

import static java.util.concurrent.CompletableFuture.delayedExecutor;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.event.AgentEvent.MessageUpdate;
import dev.assay.domain.health.StoreRefusal;
import dev.assay.store.SqlState;
import dev.assay.store.StoreException;
import dev.assay.store.access.Actor;
import dev.assay.store.access.AuditRepository;
import dev.assay.store.cell.CancelGuard;
import dev.assay.store.evaluation.EventWriter;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.CountUnstored;
import dev.assay.store.journal.JournalEntry.EndItem;
import dev.assay.store.journal.JournalEntry.Excuse;
import dev.assay.store.journal.JournalEntry.GiveBack;
import dev.assay.store.journal.JournalEntry.NoteEvaluator;
import dev.assay.store.journal.JournalEntry.PauseRefused;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.JournalEntry.Prepare;
import dev.assay.store.journal.JournalEntry.RecordGrades;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.RecordTool;
import dev.assay.store.journal.JournalEntry.RecordTurn;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.SetAside;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.sql.Sql;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writes of running cells: requests before they are sent, their settlement, outcomes, judge calls, postponed attempts, and
 * their events. All cells of a process share its transactions (see {@link GroupCommit}).
 */
@Singleton
public class RunJournal {

    private static final long BLOCK = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(RunJournal.class);

    /** The status of a change that was made, as in HTTP. */
    private static final int DONE = 200;

    private static final long FIRST_WAIT_MS = 500;
    private static final long LAST_WAIT_MS = 30_000;

    private final Sql sql;
    private final AuditRepository audit;
    /** Calls wait for these, so nothing slower stands before them. */
    private final GroupCommit<JournalEntry, WriteResult> requests;

    private final GroupCommit<Closing, WriteResult> results;

    /** Ends of what was in batches of providers: they come by the hundred, and no live cell waits behind them. */
    private final GroupCommit<Closing, WriteResult> deliveries;

    /** Writers of results do not wait for events. */
    private final GroupCommit<Told, WriteResult> events;

    private long nextRequestId;
    private long lastRequestId = -1;

    RunJournal(Sql sql, AuditRepository audit) {
        this.sql = sql;
        this.audit = audit;
        this.requests = new GroupCommit<>(
                "requests-journal", JournalEntry::campaignId, entries -> sql.write(() -> write(entries, List.of())));
        this.results = closings("results-journal");
        this.deliveries = closings("deliveries-journal");
        this.events = new GroupCommit<>(
                "events-journal",
                Told::campaignId,
                Told::mayWait,
                told -> sql.write(() -> {
                    EventWriter.append(sql, byEvaluation(told));
                    return told.stream().map(_ -> WriteResult.GRANTED).toList();
                }));
    }

    private GroupCommit<Closing, WriteResult> closings(String name) {
        return new GroupCommit<>(
                name, closing -> closing.entry().campaignId(), entries -> sql.write(() -> writeClosing(entries)));
    }

    /** Events of one campaign, in order. */
    private record Told(String campaignId, List<AgentEvent> events) {

        /** The pieces of an answer after the first one. */
        boolean mayWait() {
            return events.stream().allMatch(MessageUpdate.class::isInstance);
        }
    }

    /** An entry, and the events that are stored with it, in the same transaction. */
    private record Closing(JournalEntry entry, Told told) {

        private static final Told NOTHING = new Told("", List.of());

        Closing(JournalEntry entry) {
            this(entry, NOTHING);
        }
    }

    /** An id that no other request has. */
    public synchronized long nextRequestId() {
        if (nextRequestId > lastRequestId || lastRequestId < 0) {
            long block = sql.write(() -> sql.first("SELECT nextval('ledger_block')", row -> row.getLong(1))
                    .orElseThrow());
            nextRequestId = block * BLOCK;
            lastRequestId = nextRequestId + BLOCK - 1;
        }
        return nextRequestId++;
    }

    /**
     * Writes a request into the ledger, unless the budget or the campaign's epoch forbid it.
     *
     * @throws InterruptedException when the cell was stopped meanwhile; the request must not be sent
     */
    public WriteResult reserve(Reserve request) throws InterruptedException {
        return requested(request);
    }

    /** Counts an attempt that begins; returns when it is committed. STALE, EXHAUSTED: it must not begin. */
    public WriteResult begin(Begin begin) throws InterruptedException {
        return requested(begin);
    }

    /** Writes what must be written before a call. While PostgreSQL refuses the campaign's results for now, no call of it begins. */
    private WriteResult requested(JournalEntry entry) throws InterruptedException {
        try {
            var _ = results.passes(entry.campaignId()).get();
            return requests.submit(entry).get();
        } catch (ExecutionException e) {
            RuntimeException refused = unwrap(e);
            if (refused instanceof StoreException refusal && pause(entry.campaignId(), refusal)) {
                return WriteResult.STALE;
            }
            throw refused;
        }
    }

    /** Settles a request with the next group, without waiting. */
    public CompletableFuture<WriteResult> settle(Settle settlement) {
        return settled(settlement, () -> results.submit(new Closing(settlement)), 0);
    }

    /** Settles a request that was given up, sent or not; never overtakes the reservation. */
    public CompletableFuture<WriteResult> giveUp(Settle settlement) {
        return settled(settlement, () -> requests.submit(settlement), 0);
    }

    /**
     * Settles a request for which no thread waits. A refused settlement would keep what it reserved of the budget, and its row would
     * stay open as long as this worker lives. So it is kept and written again, and its campaign is paused meanwhile.
     */
    private CompletableFuture<WriteResult> settled(
            Settle settlement, Supplier<CompletableFuture<WriteResult>> write, long waitMs) {
        return write.get().exceptionallyCompose(e -> {
            StoreException refused = refusal(e).orElse(null);
            if (refused == null) {
                return failedFuture(e);
            }
            // Not on the thread of a journal, for which the pause would wait.
            return supplyAsync(
                            () -> waitMs == 0 || pause(settlement.campaignId(), refused),
                            delayedExecutor(waitMs, TimeUnit.MILLISECONDS, Thread::startVirtualThread))
                    .thenCompose(_ -> settled(settlement, write, Math.clamp(2 * waitMs, FIRST_WAIT_MS, LAST_WAIT_MS)));
        });
    }

    private static Optional<StoreException> refusal(Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        return cause instanceof StoreException refused ? Optional.of(refused) : Optional.empty();
    }

    /** Gives an attempt back; never overtakes its requests that were given up. */
    public CompletableFuture<WriteResult> giveBack(GiveBack stopped) {
        return requests.submit(stopped);
    }

    /** Records an outcome without an event. */
    public void record(RecordOutcome outcome) {
        record(outcome, List.of());
    }

    /**
     * Records an outcome; returns when it is committed. An interrupt does not stop it: paid answers are kept. What PostgreSQL refuses
     * is recorded in a smaller form.
     *
     * @param told the events that are stored with it, unless the outcome is discarded
     * @return TAKEN: it is a copy whose draw another cell holds, and is not recorded; GRANTED else
     */
    public WriteResult record(RecordOutcome outcome, List<AgentEvent> told) {
        try {
            return join(results.submit(new Closing(outcome, new Told(outcome.campaignId(), told))));
        } catch (StoreException e) {
            if (!outcome.outcome().status().isFinal()) {
                throw paused(outcome.campaignId(), e);
            }
            recordSmaller(outcome, e);
            return WriteResult.GRANTED;
        }
    }

    /** What PostgreSQL refuses is not asked for again: it is stored without its transcript, else as an error. Neither has events. */
    private void recordSmaller(RecordOutcome outcome, StoreException refused) {
        try {
            var _ = join(results.submit(new Closing(outcome.withoutTranscript(words(refused)))));
        } catch (StoreException e) {
            recordWithoutContent(outcome, refused);
        }
    }

    private void recordWithoutContent(RecordOutcome outcome, StoreException refused) {
        if (!outcome.outcome().status().isFailure()) {
            countUnstored(new CountUnstored(
                    outcome.cell(),
                    outcome.outcome().end().attempts(),
                    outcome.outcome().costUsd()));
        }
        last(outcome.withoutContent(words(refused)));
    }

    /** Writes the last form of an entry; where PostgreSQL refuses that too, its campaign is paused. */
    private void last(JournalEntry smallest) {
        try {
            var _ = join(results.submit(new Closing(smallest)));
        } catch (StoreException e) {
            throw paused(smallest.campaignId(), e);
        }
    }

    /** Counts an answer that PostgreSQL refuses. The refusal of the count is no other fault than the one that is dealt with. */
    private void countUnstored(CountUnstored answer) {
        try {
            var _ = join(results.submit(new Closing(answer)));
        } catch (StoreException e) {
            LOG.warn("An answer of {} that was not stored could not be counted: {}", answer.cell(), words(e));
        }
    }

    private StoreException paused(String campaignId, StoreException refused) {
        boolean paused = pause(campaignId, refused);
        LOG.debug("Campaign {} is paused: {}", campaignId, paused);
        return refused;
    }

    /**
     * Pauses a campaign whose rows PostgreSQL refuses, until a user has mended that and resumes it. Evaluations and hypotheses are
     * not paused.
     *
     * @return whether it is paused
     */
    public boolean pause(String campaignId, StoreException refused) {
        String reason = words(refused);
        try {
            WriteResult result = join(results.submit(new Closing(new PauseRefused(campaignId, reason))));
            if (result == WriteResult.GRANTED) {
                LOG.warn("Campaign {} is paused (STORE_REFUSES): {}", campaignId, reason);
                long row = audit.begin(
                        new Actor("assay", "worker"),
                        "pause campaign " + campaignId + " (STORE_REFUSES): " + reason,
                        campaignId);
                audit.end(row, DONE, null);
            }
            return result != WriteResult.STALE;
        } catch (RuntimeException e) {
            LOG.error("Campaign {}, whose rows are refused, could not be paused", campaignId, e);
            return false;
        }
    }

    private static String words(StoreException refused) {
        return Objects.requireNonNullElse(refused.getMessage(), "PostgreSQL refused it");
    }

    /** What PostgreSQL refuses for now, by campaign. Such entries are kept, and written when it may be done. */
    public Map<String, StoreRefusal> refusals() {
        Map<String, StoreRefusal> refusals = new TreeMap<>();
        for (GroupCommit<?, WriteResult> journal : List.of(requests, results, deliveries, events)) {
            journal.refusals()
                    .forEach((campaign, error) ->
                            SqlState.refusal(error).ifPresent(refusal -> refusals.put(campaign, refusal)));
        }
        return refusals;
    }

    /**
     * Sets an outcome aside until it is graded; returns when that is committed. An interrupt does not stop it. What PostgreSQL refuses
     * is recorded as an error, which needs no grade.
     *
     * @return TAKEN: it is a copy whose draw another cell holds, and is not recorded; GRANTED else
     */
    public WriteResult setAside(SetAside outcome) {
        try {
            return join(results.submit(new Closing(outcome)));
        } catch (StoreException e) {
            recordWithoutContent(outcome.outcome(), e);
            return WriteResult.GRANTED;
        }
    }

    /**
     * Records an outcome with its grades; returns when that is committed. STALE: it was not written, look again. What PostgreSQL
     * refuses is recorded without the results of its checks.
     */
    public WriteResult record(RecordGrades graded) {
        try {
            return join(results.submit(new Closing(graded)));
        } catch (StoreException e) {
            RecordGrades smaller = new RecordGrades(graded.outcome().withoutTranscript(words(e)), graded.reruns());
            try {
                return join(results.submit(new Closing(smaller)));
            } catch (StoreException again) {
                throw paused(graded.campaignId(), again);
            }
        }
    }

    /** Keeps what own code left for the graders of an outcome; returns when that is committed. */
    public void prepare(Prepare outcome) {
        last(outcome);
    }

    /**
     * Notes an evaluator, without waiting. Results of the campaign that are handed in later are written with it, or after it. The
     * future completes when it is committed.
     */
    public CompletableFuture<WriteResult> note(NoteEvaluator evaluator) {
        return results.submit(new Closing(evaluator));
    }

    /** Records a judge call without an event. */
    public void record(RecordJudgeCall call) {
        record(call, List.of());
    }

    /**
     * Records a judge call; returns when it is committed. What PostgreSQL refuses is recorded in a smaller form.
     *
     * @param told the events that are stored with it, unless the call is discarded
     */
    public void record(RecordJudgeCall call, List<AgentEvent> told) {
        try {
            var _ = join(results.submit(new Closing(call, new Told(call.campaignId(), told))));
        } catch (StoreException e) {
            if (!call.call().status().isFinal()) {
                throw paused(call.campaignId(), e);
            }
            recordSmaller(call, e);
        }
    }

    /** As with outcomes: without its question, else as an error. */
    private void recordSmaller(RecordJudgeCall call, StoreException refused) {
        try {
            var _ = join(results.submit(new Closing(call.withoutQuestion(words(refused)))));
        } catch (StoreException e) {
            if (!call.call().status().isFailure()) {
                countUnstored(new CountUnstored(
                        call.cell(), call.call().attempts(), call.call().costUsd()));
            }
            last(call.withoutContent(words(refused)));
        }
    }

    /**
     * Writes the end of a request that was in a batch, with what closes its cell. The future completes when it is committed. STALE:
     * the request had ended. What PostgreSQL refuses is recorded in a smaller form.
     */
    public CompletableFuture<WriteResult> end(EndItem item) {
        return deliveries.submit(new Closing(item)).exceptionallyCompose(e -> {
            StoreException refused = refusal(e).orElse(null);
            return refused == null ? failedFuture(e) : endSmaller(item, words(refused), e);
        });
    }

    private CompletableFuture<WriteResult> endSmaller(EndItem item, String refusal, Throwable refused) {
        return switch (item.after().closes()) {
            case RecordOutcome outcome ->
                endAs(item, outcome.withoutTranscript(refusal))
                        .exceptionallyCompose(_ -> endLast(item, outcome.withoutContent(refusal)));
            // Without its transcript nothing can be graded.
            case SetAside(RecordOutcome outcome) -> endLast(item, outcome.withoutContent(refusal));
            case RecordJudgeCall call ->
                endAs(item, call.withoutQuestion(refusal))
                        .exceptionallyCompose(_ -> endLast(item, call.withoutContent(refusal)));
            case null, default -> failedFuture(refused);
        };
    }

    /** The last form of an end; where PostgreSQL refuses that too, its campaign is paused. */
    private CompletableFuture<WriteResult> endLast(EndItem item, JournalEntry closes) {
        return endAs(item, closes).exceptionallyCompose(e -> {
            StoreException refused = refusal(e).orElse(null);
            return refused == null
                    ? failedFuture(e)
                    // Not on the thread of a journal, for which the pause would wait.
                    : supplyAsync(
                            () -> {
                                throw paused(item.campaignId(), refused);
                            },
                            Thread::startVirtualThread);
        });
    }

    private CompletableFuture<WriteResult> endAs(EndItem item, JournalEntry closes) {
        return deliveries.submit(new Closing(item.closing(closes)));
    }

    /** Stores events of an evaluation, in the order in which they are handed in; the future completes when they are committed. */
    public CompletableFuture<WriteResult> tell(String evaluationId, List<AgentEvent> told) {
        return events.submit(new Told(evaluationId, told));
    }

    /**
     * Counts a failed attempt and frees the cell for a later one; returns when it is committed. CANCELLED: nothing is written, and
     * the caller closes the cell; STALE: the cell is another worker's.
     */
    public WriteResult postpone(Postpone postponed) {
        try {
            return join(results.submit(new Closing(postponed)));
        } catch (StoreException e) {
            throw paused(postponed.campaignId(), e);
        }
    }

    /** Excuses an attempt that met an outage; returns when it is committed. EXHAUSTED: it counts. */
    public WriteResult excuse(Excuse excused) {
        try {
            return join(results.submit(new Closing(excused)));
        } catch (StoreException e) {
            throw paused(excused.campaignId(), e);
        }
    }

    /** Records a turn; returns when it is committed. STALE: the worker no longer holds the cell, and must not go on. */
    public WriteResult record(RecordTurn turn) {
        return join(results.submit(new Closing(turn)));
    }

    /** Records a tool call; returns when it is committed. STALE: the worker no longer holds the cell, and must not go on. */
    public WriteResult record(RecordTool call) {
        return join(results.submit(new Closing(call)));
    }

    private static WriteResult join(CompletableFuture<WriteResult> written) {
        try {
            return written.join();
        } catch (CompletionException e) {
            throw unwrap(e);
        }
    }

    private static RuntimeException unwrap(Exception error) {
        return error.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(error);
    }

    private List<WriteResult> writeClosing(List<Closing> closing) {
        return write(
                closing.stream().map(Closing::entry).toList(),
                closing.stream().filter(item -> !item.told().events().isEmpty()).toList());
    }

    /** @param closing those of the entries that have events */
    private List<WriteResult> write(List<JournalEntry> entries, List<Closing> closing) {
        EvaluatorWriter.write(sql, of(NoteEvaluator.class, entries));
        List<Postpone> postpones = of(Postpone.class, entries);
        if (!postpones.isEmpty()) {
            CancelGuard.guard(
                    sql,
                    postpones.stream()
                            .map(entry -> entry.claim().cell().campaignId())
                            .toList());
        }
        // Reservations first: a request that was given up while it was being reserved is settled in the same
        // transaction.
        Iterator<WriteResult> reserved =
                LedgerWriter.reserve(sql, of(Reserve.class, entries)).iterator();
        LedgerWriter.settle(sql, of(Settle.class, entries));
        Iterator<WriteResult> begun =
                CellWriter.begin(sql, of(Begin.class, entries)).iterator();
        RefusalWriter.count(sql, of(CountUnstored.class, entries));
        Iterator<WriteResult> paused =
                RefusalWriter.pause(sql, of(PauseRefused.class, entries)).iterator();
        CellWriter.giveBack(
                sql, of(GiveBack.class, entries).stream().map(GiveBack::attempt).toList());
        Iterator<WriteResult> excused =
                LedgerWriter.excuse(sql, of(Excuse.class, entries)).iterator();
        // While the cells are still held; tools of a turn after it.
        Iterator<WriteResult> heldTurns =
                TurnWriter.writeTurns(sql, of(RecordTurn.class, entries)).iterator();
        Iterator<WriteResult> heldTools =
                TurnWriter.writeTools(sql, of(RecordTool.class, entries)).iterator();
        Set<EndItem> ended = Collections.newSetFromMap(new IdentityHashMap<>());
        ended.addAll(ItemWriter.end(sql, of(EndItem.class, entries)));
        List<JournalEntry> closed = ended.stream()
                .<JournalEntry>mapMulti((entry, into) -> {
                    if (entry.after().closes() != null) {
                        into.accept(entry.after().closes());
                    }
                })
                .toList();
        List<SetAside> setAside = Stream.concat(
                        of(SetAside.class, entries).stream(), of(SetAside.class, closed).stream())
                .toList();
        Set<RecordOutcome> taken = TakenDraws.among(
                sql,
                Stream.concat(
                        of(RecordOutcome.class, entries).stream(),
                        setAside.stream().map(SetAside::outcome)));
        List<RecordOutcome> outcomes = Stream.concat(
                        of(RecordOutcome.class, entries).stream(), of(RecordOutcome.class, closed).stream())
                .filter(entry -> !taken.contains(entry))
                .toList();
        GradedOutcomes.setAside(
                sql,
                setAside.stream()
                        .filter(entry -> !taken.contains(entry.outcome()))
                        .toList());
        GradedOutcomes.prepare(sql, of(Prepare.class, entries));
        Iterator<WriteResult> graded =
                GradedOutcomes.write(sql, of(RecordGrades.class, entries)).iterator();
        Set<JournalEntry> standing = Collections.newSetFromMap(new IdentityHashMap<>());
        standing.addAll(OutcomeWriter.write(sql, outcomes));
        TurnWriter.forget(sql, outcomes);
        standing.addAll(JudgeCallWriter.write(
                sql,
                Stream.concat(of(RecordJudgeCall.class, entries).stream(), of(RecordJudgeCall.class, closed).stream())
                        .toList()));
        Iterator<WriteResult> postponed = CellWriter.postpone(sql, postpones).iterator();
        EventWriter.append(
                sql,
                byEvaluation(closing.stream()
                        .filter(item -> standing.contains(item.entry()))
                        .map(Closing::told)
                        .toList()));
        List<WriteResult> results = new ArrayList<>(entries.size());
        for (JournalEntry entry : entries) {
            results.add(
                    switch (entry) {
                        case NoteEvaluator ignored -> WriteResult.GRANTED;
                        case Reserve ignored -> reserved.next();
                        case RecordTurn ignored -> heldTurns.next();
                        case RecordTool ignored -> heldTools.next();
                        case Begin ignored -> begun.next();
                        case GiveBack ignored -> WriteResult.GRANTED;
                        case Excuse ignored -> excused.next();
                        case Settle ignored -> WriteResult.GRANTED;
                        case RecordOutcome outcome -> taken.contains(outcome) ? WriteResult.TAKEN : WriteResult.GRANTED;
                        case SetAside(RecordOutcome outcome) ->
                            taken.contains(outcome) ? WriteResult.TAKEN : WriteResult.GRANTED;
                        case Prepare ignored -> WriteResult.GRANTED;
                        case RecordGrades ignored -> graded.next();
                        case RecordJudgeCall ignored -> WriteResult.GRANTED;
                        case Postpone ignored -> postponed.next();
                        case CountUnstored ignored -> WriteResult.GRANTED;
                        case PauseRefused ignored -> paused.next();
                        case EndItem item -> ended.contains(item) ? WriteResult.GRANTED : WriteResult.STALE;
                    });
        }
        return results;
    }

    private static Map<String, List<AgentEvent>> byEvaluation(List<Told> told) {
        Map<String, List<AgentEvent>> byEvaluation = new TreeMap<>();
        told.forEach(events -> byEvaluation
                .computeIfAbsent(events.campaignId(), _ -> new ArrayList<>())
                .addAll(events.events()));
        return byEvaluation;
    }

    /** The entries of one kind, in order. */
    private static <T extends JournalEntry> List<T> of(Class<T> kind, List<JournalEntry> entries) {
        return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @PreDestroy
    void close() throws InterruptedException {
        requests.close();
        results.close();
        deliveries.close();
        events.close();
    }
}
