package dev.assay.activities.call;

import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.activities.model.CallFailedException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.limit.outage.NoAttempt;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.domain.outcome.AttemptEnd;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.stop.NeededCells;
import dev.assay.store.journal.JournalEntry.Excuse;
import dev.assay.store.journal.JournalEntry.GiveBack;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ends of attempts that have no answer: another one follows, it is excused or given back, or the cell closes. */
@Singleton
class UnansweredAttempts {

    private static final Logger LOG = LoggerFactory.getLogger(UnansweredAttempts.class);
    private static final Duration GIVE_BACK_WAIT = Duration.ofSeconds(5);

    private static final Failure CAMPAIGN_CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The campaign was cancelled while the cell ran.");

    private final RunJournal journal;
    private final WorkerIdentity worker;
    private final WorkerMetrics metrics;

    UnansweredAttempts(RunJournal journal, WorkerIdentity worker, WorkerMetrics metrics) {
        this.journal = journal;
        this.worker = worker;
        this.metrics = metrics;
    }

    /** An attempt that failed. */
    CellResult failed(CellAttempt attempt, PaidCall call, CallFailedException why) {
        return failed(attempt, call, why.failure(), why.retryAfter());
    }

    /** The same of a request that was sent. Where its provider takes it later it was none, but for one that is always refused. */
    CellResult failed(CellAttempt attempt, PaidCall call, AttemptGate gate, CallFailedException why, long requestId) {
        attempt.cell().recordBegins();
        return gate.isForLater(why) && isExcused(attempt, requestId, NoAttempt.RATE)
                ? gate.held()
                : failed(attempt, call, why);
    }

    private boolean isExcused(CellAttempt attempt, long requestId, NoAttempt why) {
        return journal.excuse(new Excuse(requestId, attempt.key(worker.id()), why)) == WriteResult.GRANTED;
    }

    /** @param retryAfter the wait that the other side asks for; null: none */
    CellResult failed(CellAttempt attempt, PaidCall call, Failure failure, @Nullable Duration retryAfter) {
        return failed(attempt, call, failure, retryAfter, Duration.ZERO);
    }

    /** @param waited since it failed */
    private CellResult failed(
            CellAttempt attempt, PaidCall call, Failure failure, @Nullable Duration retryAfter, Duration waited) {
        attempt.cell().recordBegins();
        int maxAttempts = attempt.mostAttempts();
        return switch (end(attempt, failure, retryAfter)) {
            case AttemptEnd.Retry(Duration whole) -> {
                Duration delay = whole.compareTo(waited) > 0 ? whole.minus(waited) : Duration.ZERO;
                WriteResult answer = journal.postpone(
                        new Postpone(attempt.cell().claim(worker.id()), attempt.number(), failure, delay));
                if (answer == WriteResult.CANCELLED) {
                    yield cancelled(attempt, call);
                }
                metrics.retried(call.agent().provider(), failure.code());
                call.repeats(failure, maxAttempts, delay);
                yield new CellResult.Retry(delay);
            }
            case AttemptEnd.Close(OutcomeStatus status) -> closed(attempt, call, status, failure);
        };
    }

    private static AttemptEnd end(CellAttempt attempt, Failure failure, @Nullable Duration retryAfter) {
        long name = attempt.cell().key().hashCode();
        return AttemptEnd.of(failure, attempt.number(), attempt.mostAttempts(), retryAfter, name);
    }

    /**
     * An attempt whose key was refused, of a cell that another key did not refuse yet.
     *
     * @return whether it counts for nothing, so that the cell is asked again at once
     * @throws InterruptedException when the cell was to stop meanwhile
     */
    boolean isForAnotherKey(CellAttempt attempt, long requestId) throws InterruptedException {
        attempt.cell().recordBegins();
        Excuse excuse = new Excuse(requestId, attempt.key(worker.id()), NoAttempt.KEY);
        if (journal.excuse(excuse) != WriteResult.GRANTED) {
            return false;
        }
        attempt.cell().asksAgain();
        return true;
    }

    /** An attempt whose provider may be away. It ends when that is decided. */
    CellResult undecided(
            CellAttempt attempt, PaidCall call, AttemptGate gate, CallFailedException why, long requestId) {
        long begin = System.nanoTime();
        boolean isExcused = false;
        try {
            isExcused = gate.isExcused(why, patience(attempt, why));
        } catch (InterruptedException _) {
            // Whoever stops the cell gets an attempt that failed.
            LOG.debug("What cell {} met was not waited for", attempt.cell().key());
        }
        attempt.cell().recordBegins();
        if (isExcused) {
            NoAttempt reason = why.sign().refusedKey() == null ? NoAttempt.OUTAGE : NoAttempt.KEY;
            if (isExcused(attempt, requestId, reason)) {
                return gate.held();
            }
        }
        Duration waited = Duration.ofNanos(System.nanoTime() - begin);
        return failed(attempt, call, why.failure(), why.retryAfter(), waited);
    }

    /** How long it is left open whether a failure was an attempt. One that is repeated waits anyhow. */
    private static Duration patience(CellAttempt attempt, CallFailedException why) {
        return switch (end(attempt, why.failure(), why.retryAfter())) {
            case AttemptEnd.Retry(Duration delay) when delay.compareTo(SignalDecision.LONGEST) < 0 -> delay;
            case AttemptEnd.Retry _, AttemptEnd.Close _ -> SignalDecision.LONGEST;
        };
    }

    /** Closes a cell that was cancelled, or that nothing needs any more; any other stays open. */
    CellResult stopped(CellAttempt attempt, PaidCall call, InterruptedException stop) throws InterruptedException {
        if (attempt.cell().stopped() == StopReason.BRANCH_CANCELLED) {
            return closed(attempt, call, OutcomeStatus.CANCELLED, PaidCells.BRANCH_CANCELLED);
        }
        if (attempt.cell().stopped() == StopReason.NOT_NEEDED) {
            return closed(attempt, call, OutcomeStatus.NOT_NEEDED, NeededCells.NOT_NEEDED);
        }
        if (attempt.cell().stopped() == StopReason.CANCELLED) {
            cancelled(attempt, call);
        }
        throw stop;
    }

    /** Closes a cell whose campaign was cancelled. */
    CellResult cancelled(CellAttempt attempt, PaidCall call) {
        return closed(attempt, call, OutcomeStatus.CANCELLED, CAMPAIGN_CANCELLED);
    }

    /** Closes a cell without an answer. */
    CellResult closed(CellAttempt attempt, PaidCall call, OutcomeStatus status, Failure failure) {
        attempt.cell().recordBegins();
        call.close(status, failure);
        return new CellResult.Closed(0);
    }

    /**
     * Gives the attempt back before the cell is freed. While PostgreSQL is away that takes longer; the cell is not freed then either,
     * and the journal writes it later.
     */
    void giveBack(CellAttempt attempt) {
        if (!attempt.cell().hasBegun()) {
            return;
        }
        try {
            var _ = journal.giveBack(new GiveBack(attempt.key(worker.id())))
                    .orTimeout(GIVE_BACK_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof TimeoutException)) {
                throw e;
            }
            LOG.info(
                    "Attempt {} at cell {} is given back later",
                    attempt.number(),
                    attempt.cell().key());
        }
    }
}
