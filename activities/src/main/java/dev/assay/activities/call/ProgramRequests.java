package dev.assay.activities.call;

import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.outage.KeyChoice;
import dev.assay.activities.outage.KeyTurns;
import dev.assay.activities.outage.KeyWish;
import dev.assay.activities.permit.Permits;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.RunJournal;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The requests that programs send while they run. Each is a row of the ledger before it is sent, takes a permit of its provider, and
 * is settled after. It raises no attempt: the program's own row did.
 */
@Singleton
public class ProgramRequests {

    /** The longest time for which a request waits for a permit or for the budget: clients wait little longer for an answer. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration LOOK = Duration.ofMillis(100);

    private final RunJournal journal;
    private final BudgetQueue budgets;
    private final Permits permits;
    private final LimitedModels limits;
    private final WorkerMetrics metrics;
    private final KeyTurns keys;

    public ProgramRequests(
            RunJournal journal,
            BudgetQueue budgets,
            Permits permits,
            LimitedModels limits,
            WorkerMetrics metrics,
            KeyTurns keys) {
        this.keys = keys;
        this.limits = limits;
        this.journal = journal;
        this.budgets = budgets;
        this.permits = permits;
        this.metrics = metrics;
    }

    /**
     * A request that is about to be sent.
     *
     * @param by the attempt that asks, and its worker
     * @param turn which request of the attempt, from 1
     * @param model the provider's name of the model
     * @param worstCaseUsd the most that it costs in US dollars; null: no price is known
     * @param size of its input, and the output that it may be billed for
     */
    public record Asked(
            LedgeredClient.Request by,
            int turn,
            String provider,
            String model,
            @Nullable BigDecimal worstCaseUsd,
            RequestSize size) {}

    /**
     * The end of a request.
     *
     * @param measured tokens, cost and time; null: it was not answered
     * @param failure why there was no whole answer; null: there was one
     * @param mayCost whether the provider may charge for it although its cost is not known; it then counts in full
     * @param refusal what the answer means for its pool; null: it is a success, or there was none
     */
    public record End(
            @Nullable Measured measured,
            @Nullable Failure failure,
            boolean mayCost,
            @Nullable Refusal refusal) {

        /** The end of a request that was not refused. */
        public End(@Nullable Measured measured, @Nullable Failure failure, boolean mayCost) {
            this(measured, failure, mayCost, null);
        }

        /** What the row counts in US dollars; null where no price is known. */
        @Nullable
        BigDecimal charge(@Nullable BigDecimal worstCase) {
            if (measured != null && measured.costUsd() != null) {
                return measured.costUsd();
            }
            return mayCost || worstCase == null ? worstCase : BigDecimal.ZERO;
        }

        private @Nullable Long tokens() {
            return measured == null ? null : measured.usage().total();
        }
    }

    /** The work of sending. It says how it ended, also when it was cut off. */
    @FunctionalInterface
    public interface Sending {

        /**
         * Sends it.
         *
         * @param key the name of the key that it bears; null: the provider's first, if it needs one
         */
        End run(@Nullable String key);
    }

    /**
     * Sends one request.
     *
     * @return what the row counts, and how it ended; empty when it was not sent, since permits or budget were others' for
     *     {@link #PATIENCE}
     * @throws ModelException BUDGET_EXCEEDED when the campaign's budget does not cover it; CANCELLED when the cell is no longer
     *     this worker's. It is then not sent
     * @throws InterruptedException when the attempt ends before it is sent
     */
    public Optional<Charged> send(Asked asked, Sending work) throws InterruptedException {
        LedgerRow row = row(asked);
        LimitedModel limited = limits.of(asked.provider(), asked.model());
        Permits.Permit permit = admitted(asked, limited, row);
        if (permit == null) {
            return Optional.empty();
        }
        long began = System.nanoTime();
        End end = new End(null, new Failure(ErrorCode.INTERNAL, "The model proxy failed"), true);
        try (permit) {
            KeyChoice key = key(asked, permit);
            end = key == null ? unasked(asked.provider()) : sent(permit, key, work);
        } finally {
            row.settle(end.charge(asked.worstCaseUsd()), end.tokens(), end.failure());
            if (end.measured() != null) {
                limited.answered(permit.units(), asked.size(), end.measured().usage());
            }
            count(asked.provider(), end, System.nanoTime() - began);
        }
        return Optional.of(new Charged(end, end.charge(asked.worstCaseUsd())));
    }

    private static End unasked(String provider) {
        Failure failure = new Failure(
                ErrorCode.PROVIDER_UNAVAILABLE, "Provider " + provider + " has no key now that may be used.");
        return new End(null, failure, false);
    }

    private @Nullable KeyChoice key(Asked asked, Permits.Permit permit) {
        ModelPool pool = new ModelPool(asked.provider(), ModelPool.DEFAULT_ACCOUNT, asked.model());
        return keys.next(pool, KeyWish.of(permit, Set.of()));
    }

    /**
     * A request that was sent.
     *
     * @param usd what its row counts in US dollars; null where no price is known
     */
    public record Charged(End end, @Nullable BigDecimal usd) {}

    /** The permit of a request whose row is written; null when permits, units or budget were others' for too long. */
    private Permits.@Nullable Permit admitted(Asked asked, LimitedModel limited, LedgerRow row)
            throws InterruptedException {
        CellAttempt attempt = asked.by().attempt();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean isWritten = false;
        boolean isAdmitted = false;
        try {
            for (long left = PATIENCE.toNanos(); left > 0; left = deadline - System.nanoTime()) {
                Permits.Permit permit = permits.acquire(
                                limited.route(),
                                limited.estimate(asked.size()),
                                attempt.campaign().isUrgent(),
                                attempt.position(),
                                Duration.ofNanos(left))
                        .orElse(null);
                if (permit == null) {
                    return null;
                }
                isWritten = isWritten || isWritten(row, permit);
                isAdmitted = isWritten && permit.isFresh();
                if (isAdmitted) {
                    return permit;
                }
                permit.closeUnsent();
                if (!isWritten) {
                    // Without a permit, which the requests in the way may need.
                    Thread.sleep(LOOK);
                }
            }
            return null;
        } finally {
            if (isWritten && !isAdmitted) {
                row.giveUp();
            }
        }
    }

    /** Writes the row; false when reservations of others stand in its way. Where it fails the permit is given back. */
    private static boolean isWritten(LedgerRow row, Permits.Permit permit) throws InterruptedException {
        boolean isKnown = false;
        try {
            boolean isWritten = switch (row.write()) {
                case GRANTED -> true;
                case WAIT -> false;
                case OVER_BUDGET -> throw row.overBudget();
                case STALE, CANCELLED, EXHAUSTED, TAKEN ->
                    throw new ModelException(
                            ErrorCode.CANCELLED, "The attempt is no longer this worker's.", null, null);
            };
            isKnown = true;
            return isWritten;
        } finally {
            if (!isKnown) {
                permit.closeUnsent();
            }
        }
    }

    private LedgerRow row(Asked asked) {
        Reserve entry = new Reserve(
                journal.nextRequestId(),
                asked.by().key(),
                asked.turn(),
                asked.provider(),
                asked.model(),
                asked.worstCaseUsd(),
                null);
        return new LedgerRow(journal, budgets, entry, null);
    }

    private static End sent(Permits.Permit permit, KeyChoice key, Sending work) {
        permit.bears(key.account());
        End end = work.run(key.name());
        tell(permit, end);
        return end;
    }

    private static void tell(Permits.Permit permit, End end) {
        Refusal refusal = end.refusal();
        if (refusal != null && end.failure() != null && end.failure().code().isOfProvider()) {
            permit.refused(refusal);
        } else if (end.failure() == null) {
            permit.answered();
        }
    }

    private void count(String provider, End end, long nanos) {
        Failure failure = end.failure();
        if (failure == null && end.measured() != null && !end.measured().usage().equals(Usage.NONE)) {
            metrics.answered(provider, end.measured());
        }
        if (end.refusal() != null) {
            metrics.refused(provider, end.refusal());
        }
        metrics.called(provider, failure == null ? null : failure.code(), nanos);
    }
}
