package dev.assay.web.outcome;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Served;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import dev.assay.store.journal.FinishedJudgeCall;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The input and reply of one judge, or of a model that a custom strategy asked.
 *
 * @param member number of the call in its trial, from 0
 * @param askedAs the name under which a custom strategy asked the model; null: a judge was asked
 * @param provider who was asked; null for a scripted judge
 * @param model which model; null for a scripted judge
 * @param loopId name of the judge's loop
 * @param status how the call ended
 * @param systemPrompt of the judge; empty for what a strategy asked
 * @param prompt what it was asked, after compaction; of a strategy, its messages as JSON
 * @param shown branches in the order in which their responses were shown
 * @param reply what it said; null when it failed
 * @param compaction what was cut so that it could read everything
 * @param warning what users should know of what it read and said, as sentences; null: nothing
 * @param usage tokens of the call; a number that was not reported is null
 * @param costUsd in US dollars; null where no price is known
 * @param latencyMs milliseconds from request to reply; null where a batch of the provider brought it
 * @param requested provider, model, thinking and parameters as the campaign states them; null: no model is asked, or an earlier build
 *     did not note it
 * @param effective the answered request as it was sent, without system prompt and messages; null: nothing was answered over a network
 * @param served what the answer says of its origin; null: as for effective
 * @param attempts how often it was tried
 * @param error why it failed; null when it did not
 * @param evaluator hash of the judge, for {@code GET /evaluators/}; null: a custom strategy asked, or an earlier build noted none
 */
@Schema(name = "JudgeCall")
public record JudgeCallView(
        int member,
        @Nullable String askedAs,
        @Nullable String provider,
        @Nullable String model,
        String loopId,
        OutcomeStatus status,
        String systemPrompt,
        String prompt,
        List<String> shown,
        @Nullable String reply,
        Compaction compaction,
        @Nullable String warning,
        Usage usage,
        @Nullable BigDecimal costUsd,
        @Nullable Long latencyMs,
        @Schema(implementation = Object.class) @Nullable JsonNode requested,
        @Schema(implementation = Object.class) @Nullable JsonNode effective,
        @Nullable Served served,
        int attempts,
        @Nullable OutcomeError error,
        @Nullable String evaluator) {

    public JudgeCallView {
        shown = List.copyOf(shown);
    }

    /** As clients see it. */
    public static JudgeCallView of(FinishedJudgeCall call, CampaignDefinition definition) {
        Optional<ModelChoice> judge =
                definition.evaluator(call.slot(), call.model()).flatMap(Agent::model);
        return new JudgeCallView(
                call.slot(),
                call.model(),
                judge.map(ModelChoice::provider).orElse(null),
                judge.map(ModelChoice::model).orElse(null),
                call.loopId(),
                call.status(),
                call.asked().systemPrompt(),
                call.asked().prompt(),
                BranchIds.of(call.answer().shown(), definition),
                call.answer().reply(),
                call.asked().compaction(),
                call.asked().warning(),
                call.usage(),
                call.costUsd(),
                call.measured().isTimed() ? (Long) call.measured().latency().toMillis() : null,
                call.provenance().requested(),
                call.provenance().effective(),
                call.provenance().served(),
                call.attempts(),
                OutcomeError.of(call.answer().failure()),
                call.evaluator());
    }
}
