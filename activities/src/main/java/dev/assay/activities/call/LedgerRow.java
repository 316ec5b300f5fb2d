package dev.assay.activities.call;

import dev.assay.activities.model.ModelException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.store.journal.JournalEntry.NoAttempt;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import java.math.BigDecimal;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request's row in the ledger. It is written before the request is sent, and settled after.
 *
 * @param budgets told when it is settled
 * @param unsent why the attempt does not count when the request is given up before it is sent; null: the attempt counts
 */
record LedgerRow(
        RunJournal journal,
        BudgetQueue budgets,
        Reserve entry,
        @Nullable NoAttempt unsent) {

    /** Asks to write it. When the thread is interrupted the row may be there already, so it is given up. */
    WriteResult write() throws InterruptedException {
        try {
            return journal.reserve(entry);
        } catch (InterruptedException e) {
            giveUp();
            throw e;
        }
    }

    /** The most that the request costs in US dollars; null: unknown. */
    @Nullable
    BigDecimal worstCase() {
        return entry.worstCaseUsd();
    }

    /** The failure of a request that the campaign's budget does not cover. */
    ModelException overBudget() {
        return new ModelException(
                ErrorCode.BUDGET_EXCEEDED,
                "The campaign's budget does not cover this request, which may cost up to " + worstCase() + " USD",
                null,
                null);
    }

    /** Settles the row of a request that was never sent. */
    void giveUp() {
        settled(journal.giveUp(settlement(
                BigDecimal.ZERO,
                null,
                new Failure(ErrorCode.CANCELLED, "The request was given up before it was sent"),
                unsent)));
    }

    /**
     * Settles the row of a request that has ended.
     *
     * @param tokens of the answer; null: there was none, or it does not say
     * @param failure why there was no answer; null: there was one
     */
    void settle(@Nullable BigDecimal cost, @Nullable Long tokens, @Nullable Failure failure) {
        settled(journal.settle(settlement(cost, tokens, failure, null)));
    }

    /** Settles the row of a request that was aborted with its attempt, which does not count. It counts in full: its cost is unknown. */
    void abort() {
        settled(journal.giveUp(settlement(
                worstCase(), null, new Failure(ErrorCode.CANCELLED, "The request was aborted"), NoAttempt.STOPPED)));
    }

    /** What it has not spent is there for others as soon as that is on record. */
    private void settled(CompletableFuture<WriteResult> recorded) {
        var _ = recorded.whenComplete((_, _) -> budgets.changed(entry.campaignId()));
    }

    private Settle settlement(
            @Nullable BigDecimal cost,
            @Nullable Long tokens,
            @Nullable Failure failure,
            @Nullable NoAttempt noAttempt) {
        return new Settle(entry.requestId(), entry.attempt(), entry.worstCaseUsd(), cost, tokens, failure, noAttempt);
    }
}
