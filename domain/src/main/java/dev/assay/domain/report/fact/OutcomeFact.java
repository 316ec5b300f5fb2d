package dev.assay.domain.report.fact;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of one outcome that the summary needs: a few columns, no texts. For many outcomes, {@link CellGroup} and sums take less
 * memory.
 *
 * @param caseIndex 0-based
 * @param trial from 1
 * @param branchIndex 0-based
 * @param passed whether the trial passes on the branch; null: no evidence
 * @param usage tokens
 * @param costUsd null where no price is known
 * @param latencyMs milliseconds of the attempt that ended the cell, at least 0
 * @param hasText whether there is a text to choose
 * @param score how well the trial went, 0–1; null: not known
 * @param error the code of the error in which it ended; null: none
 */
public record OutcomeFact(
        int caseIndex,
        int trial,
        int branchIndex,
        OutcomeStatus status,
        @Nullable Boolean passed,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs,
        boolean hasText,
        @Nullable Double score,
        @Nullable ErrorCode error) {

    /** An outcome that scores 1 where the trial passes, and else 0. */
    public OutcomeFact(
            int caseIndex,
            int trial,
            int branchIndex,
            OutcomeStatus status,
            @Nullable Boolean passed,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs,
            boolean hasText) {
        this(
                caseIndex,
                trial,
                branchIndex,
                status,
                passed,
                usage,
                costUsd,
                latencyMs,
                hasText,
                passed == null ? null : (Double) (passed ? 1.0 : 0.0),
                null);
    }

    /** An outcome with a text. */
    public OutcomeFact(
            int caseIndex,
            int trial,
            int branchIndex,
            OutcomeStatus status,
            @Nullable Boolean passed,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs) {
        this(caseIndex, trial, branchIndex, status, passed, usage, costUsd, latencyMs, true);
    }

    /** The group of outcomes that ended as this one. */
    public CellGroup cell() {
        return new CellGroup(
                branchIndex,
                trial,
                status,
                error,
                passed,
                hasText,
                List.of(caseIndex),
                List.of(latencyMs),
                Spend.of(usage, costUsd));
    }
}
