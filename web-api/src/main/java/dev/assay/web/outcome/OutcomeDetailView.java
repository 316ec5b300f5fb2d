package dev.assay.web.outcome;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.message.Message;
import dev.assay.store.result.OutcomeDetail;
import dev.assay.store.result.TrialSelection;
import io.swagger.v3.oas.annotations.media.Schema;
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
        List<JudgeCallView> judge) {

    public OutcomeDetailView {
        context = List.copyOf(context);
        newMessages = List.copyOf(newMessages);
        judge = List.copyOf(judge);
    }

    static OutcomeDetailView of(OutcomeDetail detail, CampaignDefinition definition) {
        TrialSelection selection = detail.selection();
        return new OutcomeDetailView(
                OutcomeView.of(detail.row()),
                detail.row().outcome().loopId(),
                detail.row().outcome().answer().originalContextLength(),
                detail.context(),
                detail.row().outcome().answer().newMessages(),
                selection == null ? null : SelectionView.of(selection.selection(), definition),
                detail.judgeCalls().stream()
                        .map(call -> JudgeCallView.of(call, definition))
                        .toList());
    }
}
