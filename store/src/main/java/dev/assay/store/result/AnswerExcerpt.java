package dev.assay.store.result;

import dev.assay.domain.outcome.OutcomeStatus;
import io.micronaut.core.annotation.Introspected;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The product of one branch in one trial, as a list of cases shows it.
 *
 * @param place of its cell in the matrix, from 0
 * @param status how it ended
 * @param passed whether the trial passes on this branch; null: no evidence
 * @param passedBefore of a scoring: whether it passed in the campaign whose answers are scored. Null: no evidence there, or no scoring
 * @param answer the first 600 characters of the answer; empty when there is none
 * @param cut whether the answer is longer
 * @param reason the first 300 characters of why it did not pass: the error, else the first check that failed or is unscored. Null:
 *     nothing says why
 * @param score how well the trial went, 0–1; null: not known
 * @param costUsd in US dollars; null where no price is known
 * @param latencyMs milliseconds from the first request to the last answer of the attempt that ended the cell; null: a batch of the
 *     provider brought it
 */
@Introspected
public record AnswerExcerpt(
        long place,
        OutcomeStatus status,
        @Nullable Boolean passed,
        @Nullable Boolean passedBefore,
        String answer,
        boolean cut,
        @Nullable String reason,
        @Nullable Double score,
        @Nullable BigDecimal costUsd,
        @Nullable Long latencyMs) {

    /** More bytes than one takes. */
    public static final long OCTETS = 4 * (600 + 300);
}
