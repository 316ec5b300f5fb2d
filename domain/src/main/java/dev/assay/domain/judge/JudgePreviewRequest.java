package dev.assay.domain.judge;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to show what a judge would read. {@link JudgePreviewReader} reads it from what a user wrote.
 *
 * @param conversation that the responses answer, and the messages before
 * @param responses to compare, in the order in which they are shown, at least one
 * @param maxContextTokens window of the judge, at least 0; null: nothing is cut
 * @param systemPrompt of the judge; null: the built-in prompt
 */
public record JudgePreviewRequest(
        Conversation conversation,
        List<String> responses,
        @Nullable Integer maxContextTokens,
        @Nullable String systemPrompt,
        JudgeFormat format) {

    public JudgePreviewRequest {
        responses = List.copyOf(responses);
        if (responses.isEmpty()) {
            throw new IllegalArgumentException("Judge preview must have at least one response");
        }
        if (maxContextTokens != null && maxContextTokens < 0) {
            throw new IllegalArgumentException("maxContextTokens must not be negative");
        }
    }
}
