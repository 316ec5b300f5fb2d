package dev.assay.web.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Served;
import dev.assay.domain.check.Metrics;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Reported;
import dev.assay.domain.usage.Usage;
import dev.assay.store.result.OutcomeRow;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The product of one branch in one trial.
 *
 * @param trial which repetition of the case, from 1
 * @param status how it ended
 * @param passed whether the trial passes on this branch; null: no evidence
 * @param selected whether the strategy chose it; false also while the trial has no selection
 * @param response the text that judges read, and checks where there is no {@code output}; empty when there is none
 * @param output what transforms made of the response for checks and graders, a text or any other JSON; null: they saw the response
 * @param usage tokens of all attempts that answered; a number that was not reported is null
 * @param costUsd in US dollars; null where no price is known
 * @param latencyMs milliseconds from the first request to the last answer of the attempt that ended the cell; null: a batch brought it
 * @param attempts how often the cell was tried
 * @param error why it did not complete; null when it did
 * @param score how well the trial went, 0–1: the mean of the checks' scores by their weights, 1 without checks where it passes. Of an
 *     import what the tool recorded; null: not known
 * @param metrics scores under the names that checks give them, 0–1
 * @param checks what each check said
 * @param warnings what the branch's loop warned of, as sentences
 * @param commandCount how many commands the agent ran: tools that a model called; null: a program answered, whose trace tells
 * @param requested provider, model, thinking and parameters as the campaign states them; null: no model is asked, or an earlier build
 *     recorded it
 * @param effective the last answered request as it was sent, without system prompt, messages and tools. Null: nothing was answered
 *     over a network, or an earlier build recorded it
 * @param served what the last answer says of its origin; null: as for effective
 * @param exitCode how the program ended; null: no program answered, or it did not end by itself
 * @param isolation how far the program was kept apart from its worker; null: no program answered, or an earlier build recorded it
 * @param reported usage and cost that the program itself printed, which count nowhere; null: it asked no models through the model proxy
 * @param finishReason why the model ended its last answer, in the provider's word; null where it does not say
 * @param finishedAt when it was recorded
 * @param source whether the branch was asked (LIVE), a stored answer was copied (REUSED), or another tool asked (IMPORTED)
 * @param origin what it is a copy of, named by where it was first recorded; null: it is no copy
 * @param answeredAt when the answer was first given
 * @param delivery LIVE, or BATCH: a batch of the provider brought the answer
 * @param batchId that batch; null: live
 * @param costAssumed whether its cost is half the live price, since no price of batches is configured
 * @param passedBefore of a scoring: whether the trial passed in the campaign whose answers are scored. Null: no evidence there, or no
 *     scoring
 * @param labels what people say of it, in force, the oldest first
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
        @Schema(implementation = Object.class) @Nullable JsonNode output,
        Usage usage,
        @Nullable BigDecimal costUsd,
        @Nullable Long latencyMs,
        int attempts,
        @Nullable OutcomeError error,
        @Nullable Double score,
        Map<String, Double> metrics,
        List<CheckResult> checks,
        List<String> warnings,
        @Nullable Integer commandCount,
        @Schema(implementation = Object.class) @Nullable JsonNode requested,
        @Schema(implementation = Object.class) @Nullable JsonNode effective,
        @Nullable Served served,
        @Nullable Integer exitCode,
        @Nullable String isolation,
        @Nullable Reported reported,
        @Nullable String finishReason,
        Instant finishedAt,
        AnswerSource source,
        @Nullable Draw origin,
        Instant answeredAt,
        Delivery delivery,
        @Nullable String batchId,
        boolean costAssumed,
        @Nullable Boolean passedBefore,
        List<LabelView> labels) {

    public OutcomeView {
        checks = List.copyOf(checks);
        warnings = List.copyOf(warnings);
        labels = List.copyOf(labels);
    }

    /** As clients see it. */
    public static OutcomeView of(OutcomeRow row) {
        Outcome outcome = row.outcome();
        return new OutcomeView(
                row.caseId(),
                row.branchId(),
                row.trial(),
                outcome.status(),
                row.passed(),
                Boolean.TRUE.equals(row.selected()),
                outcome.response(),
                outcome.answer().output(),
                outcome.usage(),
                outcome.costUsd(),
                outcome.measured().isTimed() ? (Long) outcome.latency().toMillis() : null,
                outcome.end().attempts(),
                OutcomeError.of(outcome.failure()),
                row.score(),
                Metrics.of(outcome.checks()),
                outcome.checks(),
                row.warnings(),
                row.commands(),
                outcome.answer().provenance().requested(),
                outcome.answer().provenance().effective(),
                outcome.answer().provenance().served(),
                outcome.exitCode(),
                outcome.isolation() == null ? null : outcome.isolation().word(),
                outcome.reported(),
                outcome.answer().finishReason(),
                row.finishedAt(),
                row.origin().source(),
                row.origin().draw(),
                row.origin().answeredAt(),
                row.delivered() == null ? Delivery.LIVE : Delivery.BATCH,
                row.delivered() == null ? null : row.delivered().batchId(),
                row.delivered() != null && row.delivered().costAssumed(),
                row.passedBefore(),
                row.labels().stream().map(LabelView::of).toList());
    }
}
