package dev.assay.domain.campaign;

import dev.assay.domain.message.Message;
import dev.assay.domain.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the branches of an evaluation start from, and what the winner leaves to go on from.
 *
 * @param systemPrompt what agents are told before the conversation; null: nothing
 * @param messages the conversation, oldest first
 * @param tools what models may call
 */
public record BaseContext(@Nullable String systemPrompt, List<Message> messages, List<Tool> tools) {

    public BaseContext {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    /** What {@code winner} leaves after the conversation {@code messages}. */
    public static BaseContext of(Branch winner, List<Message> messages) {
        return new BaseContext(winner.systemPrompt(), messages, winner.tools().tools());
    }
}
