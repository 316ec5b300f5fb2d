package dev.assay.web.trial;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.message.Message;
import dev.assay.store.result.OutcomeRow;
import dev.assay.web.outcome.OutcomeView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/**
 * An outcome with what was said.
 *
 * @param outcome the outcome as lists show it, its fields beside the ones below
 * @param loopId name of the agent loop
 * @param originalContextLength messages of the context before the branch added any
 * @param newMessages what the branch added, the prompt first
 */
@Schema(name = "Transcript")
record TranscriptView(
        @JsonUnwrapped OutcomeView outcome, String loopId, int originalContextLength, List<Message> newMessages) {

    TranscriptView {
        newMessages = List.copyOf(newMessages);
    }

    static TranscriptView of(OutcomeRow row) {
        return new TranscriptView(
                OutcomeView.of(row),
                row.outcome().loopId(),
                row.outcome().answer().originalContextLength(),
                row.outcome().newMessages());
    }
}
