package dev.assay.domain.outcome;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.plan.Backoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The consequence of a failed attempt at a cell. */
public sealed interface AttemptEnd {

    /** The cell is tried again after the delay. */
    record Retry(Duration delay) implements AttemptEnd {}

    /** The cell has this outcome. */
    record Close(OutcomeStatus status) implements AttemptEnd {}

    /**
     * Decides once for branches and judges.
     *
     * @param attempt which attempt it was, from 1
     * @param maxAttempts attempts of a cell, at least 1
     * @param retryAfter what the provider asked for; null: nothing
     * @param cell any number that names the cell, for the spread of delays
     */
    static AttemptEnd of(Failure failure, int attempt, int maxAttempts, @Nullable Duration retryAfter, long cell) {
        if (failure.code() == ErrorCode.BUDGET_EXCEEDED) {
            return new Close(OutcomeStatus.BUDGET_SKIPPED);
        }
        if (failure.code() == ErrorCode.CELL_TIMED_OUT || failure.code() == ErrorCode.EVAL_CASE_TIMEOUT) {
            return new Close(OutcomeStatus.TIMED_OUT);
        }
        // A defect of ours may have been an accident; it costs no more attempts than a provider's failure.
        boolean mayPass = failure.code().retryable() || failure.code() == ErrorCode.INTERNAL;
        return mayPass && attempt < maxAttempts
                ? new Retry(Backoff.delay(attempt, retryAfter, cell))
                : new Close(OutcomeStatus.MODEL_ERROR);
    }
}
