package dev.assay.domain.judge;

import dev.assay.domain.message.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to show what a judge would read. {@link JudgePreviewReader} reads it from what a user wrote.
 *
 * @param priorContext the earlier conversation as text, used as it is; null: none, or {@code context} holds it
 * @param context the earlier conversation as messages; null: none, or {@code priorContext} holds it
 * @param query what the responses answer
 * @param responses what is compared, in the order in which it is shown, at least one
 * @param maxContextTokens window of the judge, at least 0; null: nothing is cut
 * @param systemPrompt what the judge is told; null: the built-in prompt
 * @param form how the responses are shown
 */
public record JudgePreviewRequest(
        @Nullable String priorContext,
        @Nullable List<Message> context,
        String query,
        List<String> responses,
        @Nullable Integer maxContextTokens,
        @Nullable String systemPrompt,
        JudgeForm form) {

    public JudgePreviewRequest {
        context = context == null ? null : List.copyOf(context);
        responses = List.copyOf(responses);
        if (responses.isEmpty()) {
            throw new IllegalArgumentException("Judge preview must have at least one response");
        }
        if (maxContextTokens != null && maxContextTokens < 0) {
            throw new IllegalArgumentException("maxContextTokens must not be negative");
        }
    }

    /** The conversation that the judge is told of. */
    Conversation conversation() {
        if (priorContext != null && !priorContext.isEmpty()) {
            return new Conversation(priorContext, query);
        }
        return new Conversation(context == null ? "" : Transcript.format(context), query);
    }
}
