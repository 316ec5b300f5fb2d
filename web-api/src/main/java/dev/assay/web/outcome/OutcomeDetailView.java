package dev.assay.web.outcome;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.evaluation.OutcomeStatus;
import dev.assay.domain.evaluation.Selection;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import dev.assay.store.result.JudgeCall;
import dev.assay.store.result.OutcomeDetail;
import dev.assay.store.result.OutcomeRow.OutcomeError;
import dev.assay.store.result.TrialSelection;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One outcome with everything that was said.
 *
 * @param outcome the outcome as lists show it, its fields beside the ones below
 * @param loopId name of the agent loop
 * @param originalContextLength messages of the context before the branch added any
 * @param context the case's messages before the prompt
 * @param newMessages what the branch added, the prompt first
 * @param selection the strategy's decision for the trial; null: none yet
 * @param judge what judges read and said in the trial; empty when no model judged it
 */
@Schema(name = "OutcomeDetail")
public record OutcomeDetailView(
        @JsonUnwrapped OutcomeView outcome,
        String loopId,
        int originalContextLength,
        List<Message> context,
        List<Message> newMessages,
        @Nullable SelectionView selection,
        List<JudgeView> judge) {

    public OutcomeDetailView {
        context = List.copyOf(context);
        newMessages = List.copyOf(newMessages);
        judge = List.copyOf(judge);
    }

    /**
     * The strategy's decision for a trial.
     *
     * @param selectedIndex 0-based, into the campaign's branches; null when no branch completed
     * @param selectedBranchId the same by name; null when no branch completed
     * @param strategy its type
     * @param reason why, for people
     * @param fallback whether the strategy could not decide and took its stated default
     * @param decided whether the selection counts as a win
     */
    @Schema(name = "Selection")
    public record SelectionView(
            @Nullable Integer selectedIndex,
            @Nullable String selectedBranchId,
            String strategy,
            String reason,
            boolean fallback,
            boolean decided) {

        /** As clients see it. */
        public static SelectionView of(Selection selection, List<Branch> branches) {
            Integer index = selection.selectedIndex();
            return new SelectionView(
                    index,
                    index == null ? null : branches.get(index).id(),
                    selection.strategy(),
                    selection.reason(),
                    selection.fallback(),
                    selection.decided());
        }
    }

    /**
     * What one judge read and said.
     *
     * @param loopId name of the judge's loop
     * @param status how the call ended
     * @param systemPrompt what the judge was told
     * @param prompt what it was asked, after compaction
     * @param shown branches in the order in which their responses were shown
     * @param reply what it said; null when it failed
     * @param compaction what was cut so that it could read everything
     * @param warning set when even the largest cut did not fit the budget; null else
     * @param usage tokens of the call
     * @param costUsd in US dollars; null where no price is known
     * @param latencyMs milliseconds from request to reply
     * @param attempts how often it was tried
     * @param error why it failed; null when it did not
     */
    @Schema(name = "JudgeCall")
    public record JudgeView(
            String loopId,
            OutcomeStatus status,
            String systemPrompt,
            String prompt,
            List<String> shown,
            @Nullable String reply,
            @Schema(type = "object") JsonNode compaction,
            @Nullable String warning,
            Usage usage,
            @Nullable BigDecimal costUsd,
            long latencyMs,
            int attempts,
            @Nullable OutcomeError error) {

        /** As clients see it. */
        public static JudgeView of(JudgeCall call, List<Branch> branches) {
            return new JudgeView(
                    call.loopId(),
                    call.status(),
                    call.systemPrompt(),
                    call.prompt(),
                    call.shown().stream().map(index -> branches.get(index).id()).toList(),
                    call.reply(),
                    call.compaction(),
                    call.warning(),
                    call.usage(),
                    call.costUsd(),
                    call.latencyMs(),
                    call.attempts(),
                    call.error());
        }
    }

    static OutcomeDetailView of(OutcomeDetail detail, List<Branch> branches) {
        TrialSelection selection = detail.selection();
        return new OutcomeDetailView(
                OutcomeView.of(detail.row()),
                detail.loopId(),
                detail.originalContextLength(),
                detail.context(),
                detail.newMessages(),
                selection == null ? null : SelectionView.of(selection.selection(), branches),
                detail.judgeCalls().stream()
                        .map(call -> JudgeView.of(call, branches))
                        .toList());
    }
}
