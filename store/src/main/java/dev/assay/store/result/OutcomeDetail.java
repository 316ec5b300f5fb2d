package dev.assay.store.result;

import dev.assay.domain.message.Message;
import dev.assay.store.journal.FinishedJudgeCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One outcome with everything that was said.
 *
 * @param context the case's messages before the prompt
 * @param selection the strategy's decision for the trial; null: none yet
 * @param judgeCalls what judges read and said in the trial, in order
 */
public record OutcomeDetail(
        OutcomeRow row, List<Message> context, @Nullable TrialSelection selection, List<FinishedJudgeCall> judgeCalls) {

    public OutcomeDetail {
        context = List.copyOf(context);
        judgeCalls = List.copyOf(judgeCalls);
    }
}
