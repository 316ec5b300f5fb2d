package dev.assay.web.evaluation;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.CampaignWarning;
import dev.assay.domain.gate.TrialScore;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Usage;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.outcome.OutcomeError;
import dev.assay.web.outcome.SelectionView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation as lists show it: without messages, and without what judges read and said.
 *
 * @param name for people
 * @param sessionId the conversation that it belongs to; its continuations have the same
 * @param continues the evaluation from whose selected context it goes on; null: it began the session
 * @param state how far it is; FAILED also when no branch completed
 * @param selectedIndex 0-based, into the branches; null while nothing is selected
 * @param selectedBranchId the same by name
 * @param selectedLoopId name of the loop that won
 * @param outcomes what each branch produced, in the order of the branches; a branch that is not done is not there yet
 * @param evaluationUsage tokens of the judges, or of the custom strategy, as far as they are known
 * @param evaluationUnknownUsage of their answers, those whose input, output or total was not reported
 * @param totalUsage evaluationUsage and the tokens of all branches, as far as they are known
 * @param unknownUsage answers whose input, output or total was not reported, and so is not in {@code totalUsage} in full
 * @param costUsd cost of all that, in US dollars; null where no price is known
 * @param latencyMs milliseconds from the start to the end; null while it goes on
 * @param selection the strategy's decision; null while there is none
 * @param error why nothing was selected; null otherwise
 * @param warnings what its author should know
 * @param createdAt when it was submitted
 * @param createdBy a token's name; local: a user of the server's machine; command: a command that brought its own server; null:
 *     not known
 * @param finishedAt when it ended; null while it goes on
 */
@Schema(name = "EvaluationListItem")
public record EvaluationListItem(
        String id,
        String name,
        String sessionId,
        @Nullable String continues,
        CampaignState state,
        @Nullable Integer selectedIndex,
        @Nullable String selectedBranchId,
        @Nullable String selectedLoopId,
        List<ListedOutcome> outcomes,
        Usage evaluationUsage,
        long evaluationUnknownUsage,
        Usage totalUsage,
        long unknownUsage,
        @Nullable BigDecimal costUsd,
        @Nullable Long latencyMs,
        @Nullable SelectionView selection,
        @Nullable OutcomeError error,
        List<CampaignWarning> warnings,
        Instant createdAt,
        @Nullable String createdBy,
        @Nullable Instant finishedAt) {

    public EvaluationListItem {
        outcomes = List.copyOf(outcomes);
        warnings = List.copyOf(warnings);
    }

    /**
     * The product of one branch.
     *
     * @param loopId name of its loop
     * @param status how it ended
     * @param selected whether it won
     * @param response its text that a judge reads; empty when there is none
     * @param usage tokens of all its turns; null where those of any are not known
     * @param costUsd in US dollars; null where no price is known
     * @param latencyMs milliseconds from the first request to the last answer
     * @param attempts how often it was tried
     * @param score the mean of the checks' scores by their weights, 0–1; without checks 1 where it completed; null: not known
     * @param error why it did not complete; null when it did
     */
    @Schema(name = "EvaluationListOutcome")
    public record ListedOutcome(
            String branchId,
            String loopId,
            OutcomeStatus status,
            boolean selected,
            String response,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs,
            int attempts,
            @Nullable Double score,
            @Nullable OutcomeError error) {

        static ListedOutcome of(OutcomeRow row, @Nullable Integer selectedIndex) {
            Outcome outcome = row.outcome();
            return new ListedOutcome(
                    row.branchId(),
                    outcome.loopId(),
                    outcome.status(),
                    Objects.equals(outcome.branchIndex(), selectedIndex),
                    outcome.response(),
                    outcome.usage(),
                    outcome.costUsd(),
                    outcome.latency().toMillis(),
                    outcome.end().attempts(),
                    TrialScore.of(outcome),
                    OutcomeError.of(outcome.failure()));
        }
    }
}
