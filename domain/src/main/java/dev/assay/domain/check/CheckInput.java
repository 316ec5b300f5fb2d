package dev.assay.domain.check;

import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Measured;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a check sees of an outcome.
 *
 * @param response the text that is checked; empty when there is none
 * @param messages what was added to the conversation: the prompts and everything after them
 * @param finishReason why the model ended its last answer, in the provider's word; null where it does not say
 * @param measured usage, cost and latency of all answers
 */
public record CheckInput(
        String response, List<Message> messages, @Nullable String finishReason, Measured measured) {

    public CheckInput {
        messages = List.copyOf(messages);
    }

    /** A text of which nothing else is known. */
    public static CheckInput of(String response) {
        return new CheckInput(response, List.of(), null, Measured.NONE);
    }

    /** The tools that the model called, in order. */
    public List<Content.ToolCall> toolCalls() {
        return messages.stream()
                .flatMap(message -> message.toolCalls().stream())
                .toList();
    }
}
