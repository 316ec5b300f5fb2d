package dev.assay.store.result;

import dev.assay.domain.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One outcome with everything that was said.
 *
 * @param row the outcome as lists show it
 * @param loopId name of the agent loop
 * @param originalContextLength messages of the context before the branch added any
 * @param context the case's messages before the prompt
 * @param newMessages what the branch added, the prompt first
 * @param selection the strategy's decision for the trial; null: none yet
 * @param judgeCalls what judges read and said in the trial, in order
 */
public record OutcomeDetail(
        OutcomeRow row,
        String loopId,
        int originalContextLength,
        List<Message> context,
        List<Message> newMessages,
        @Nullable TrialSelection selection,
        List<JudgeCallRow> judgeCalls) {

    public OutcomeDetail {
        context = List.copyOf(context);
        newMessages = List.copyOf(newMessages);
        judgeCalls = List.copyOf(judgeCalls);
    }
}
