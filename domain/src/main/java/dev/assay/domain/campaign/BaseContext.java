package dev.assay.domain.campaign;

import dev.assay.domain.message.Message;
import dev.assay.domain.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The context from which the branches of an evaluation start, and which the winner leaves to a continuation.
 *
 * @param systemPrompt of the agents, before the conversation; null: none
 * @param messages the conversation, oldest first
 * @param tools what models may call
 */
public record BaseContext(@Nullable String systemPrompt, List<Message> messages, List<Tool> tools) {

    public BaseContext {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    /** The context that {@code winner} leaves after the conversation {@code messages}. */
    public static BaseContext of(Branch winner, List<Message> messages) {
        return new BaseContext(winner.systemPrompt(), messages, winner.tools().tools());
    }
}
