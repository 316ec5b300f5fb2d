package dev.assay.store.result;

import dev.assay.domain.evaluation.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What aggregation needs of one outcome: no text.
 *
 * @param ordinal number of the trial
 * @param branchIndex 0-based
 * @param caseIndex 0-based
 * @param trial which repetition, from 1
 * @param status how it ended
 * @param passed whether the trial passes on this branch; null: no evidence
 * @param won whether the branch won the trial by a decided selection
 * @param usage tokens
 * @param costUsd null where no price is known
 * @param latencyMs milliseconds
 * @param attempts how often the cell was tried
 * @param errorCode why it did not complete; null when it did
 */
public record OutcomeFact(
        int ordinal,
        int branchIndex,
        int caseIndex,
        int trial,
        OutcomeStatus status,
        @Nullable Boolean passed,
        boolean won,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs,
        int attempts,
        @Nullable String errorCode) {}
