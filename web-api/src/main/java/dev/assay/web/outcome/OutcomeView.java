package dev.assay.web.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Served;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import dev.assay.store.result.OutcomeRow;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one branch produced in one trial.
 *
 * @param caseId the case
 * @param branchId the branch
 * @param trial which repetition of the case, from 1
 * @param status how it ended
 * @param passed whether the trial passes on this branch; null: no evidence
 * @param selected whether the strategy chose it; false also while the trial has no selection
 * @param response the text that checks and judges read; empty when there is none
 * @param usage tokens of all attempts that answered
 * @param costUsd in US dollars; null where no price is known
 * @param latencyMs milliseconds from the first request to the last answer of the attempt that ended the cell
 * @param attempts how often the cell was tried
 * @param error why it did not complete; null when it did
 * @param checks what each check said
 * @param warnings what the branch's loop warned of, as sentences
 * @param requested provider, model, thinking and parameters as the campaign states them; null: no model is asked, or an earlier build
 *     recorded it
 * @param effective the last answered request as it was sent, without system prompt, messages and tools; null: nothing was answered over
 *     a network, or an earlier build recorded it
 * @param served what the last answer says of its origin; null: as for effective
 * @param finishedAt when it was recorded
 */
@Schema(name = "Outcome")
public record OutcomeView(
        @Schema(example = "france") String caseId,
        @Schema(example = "small") String branchId,
        int trial,
        OutcomeStatus status,
        @Nullable Boolean passed,
        boolean selected,
        String response,
        Usage usage,
        @Nullable BigDecimal costUsd,
        long latencyMs,
        int attempts,
        @Nullable OutcomeError error,
        List<CheckResult> checks,
        List<String> warnings,
        @Schema(implementation = Object.class) @Nullable JsonNode requested,
        @Schema(implementation = Object.class) @Nullable JsonNode effective,
        @Nullable Served served,
        Instant finishedAt) {

    public OutcomeView {
        checks = List.copyOf(checks);
        warnings = List.copyOf(warnings);
    }

    static OutcomeView of(OutcomeRow row) {
        Outcome outcome = row.outcome();
        return new OutcomeView(
                row.caseId(),
                row.branchId(),
                row.trial(),
                outcome.status(),
                row.passed(),
                Boolean.TRUE.equals(row.selected()),
                outcome.response(),
                outcome.usage(),
                outcome.costUsd(),
                outcome.latency().toMillis(),
                outcome.end().attempts(),
                OutcomeError.of(outcome.failure()),
                outcome.checks(),
                row.warnings(),
                outcome.answer().provenance().requested(),
                outcome.answer().provenance().effective(),
                outcome.answer().provenance().served(),
                row.finishedAt());
    }
}
