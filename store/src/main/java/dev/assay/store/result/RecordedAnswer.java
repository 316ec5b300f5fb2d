package dev.assay.store.result;

import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.journal.FinishedJudgeCall;
import java.util.List;

/** A request to a model and its answer in a campaign, from which a cassette is made. */
public sealed interface RecordedAnswer {

    /**
     * A branch's completed outcome.
     *
     * @param context the case's messages before the prompt
     */
    record OfBranch(List<Message> context, Outcome outcome) implements RecordedAnswer {

        public OfBranch {
            context = List.copyOf(context);
        }
    }

    /** A judge's completed call. */
    record OfJudge(FinishedJudgeCall call) implements RecordedAnswer {}
}
