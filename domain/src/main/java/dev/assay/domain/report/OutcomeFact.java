package dev.assay.domain.report;

import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * What the summary needs of one outcome: a few columns, no texts.
 *
 * @param caseIndex 0-based
 * @param trial from 1
 * @param branchIndex 0-based
 * @param status how it ended
 * @param passed whether the trial passes on the branch; null: no evidence
 * @param usage tokens
 * @param costUsd null where no price is known
 * @param latencyMs milliseconds of the attempt that ended the cell, at least 0
 */
public record OutcomeFact(
        int caseIndex,
        int trial,
        int branchIndex,
        OutcomeStatus status,
        @Nullable Boolean passed,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs) {

    TrialVerdict verdict() {
        return TrialVerdict.ofStored(status, passed);
    }
}
