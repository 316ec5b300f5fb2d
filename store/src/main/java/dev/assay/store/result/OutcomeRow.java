package dev.assay.store.result;

import dev.assay.domain.check.CheckResult;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An outcome as lists show it.
 *
 * @param ordinal number of the trial
 * @param branchIndex 0-based
 * @param caseId the suite author's id
 * @param branchId the campaign author's id
 * @param trial which repetition, from 1
 * @param status how it ended
 * @param passed whether the trial passes on this branch; null: no evidence
 * @param selected whether the strategy chose it; null: the trial has no selection yet
 * @param response the text that checks and judges read; empty when there is none
 * @param usage tokens of all attempts that answered
 * @param costUsd null where no price is known
 * @param latencyMs milliseconds from the first request to the last answer of the attempt that ended the cell
 * @param attempts how often the cell was tried
 * @param error why it did not complete; null when it did
 * @param checks what the checks said
 * @param warnings what the branch's loop warned of, as sentences
 * @param finishedAt when it was recorded
 */
public record OutcomeRow(
        int ordinal,
        int branchIndex,
        String caseId,
        String branchId,
        int trial,
        OutcomeStatus status,
        @Nullable Boolean passed,
        @Nullable Boolean selected,
        String response,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs,
        int attempts,
        @Nullable OutcomeError error,
        List<CheckResult> checks,
        List<String> warnings,
        Instant finishedAt) {

    public OutcomeRow {
        checks = List.copyOf(checks);
        warnings = List.copyOf(warnings);
    }

    /**
     * Why an outcome did not complete.
     *
     * @param code name of an {@link dev.assay.domain.error.ErrorCode}
     * @param message the same for people
     */
    public record OutcomeError(String code, String message) {}
}
