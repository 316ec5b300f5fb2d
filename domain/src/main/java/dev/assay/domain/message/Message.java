package dev.assay.domain.message;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One message of a conversation. In JSON {@code content} is a string when it is a single text, else a list of blocks.
 *
 * @param content the blocks, in order
 * @param toolResult which tool call a {@link Role#TOOL} message answers; null for every other role
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Message(
        Role role,

        @JsonSerialize(using = ContentJson.Serializer.class) @JsonDeserialize(using = ContentJson.Deserializer.class)
        List<Content> content,

        @Nullable ToolResult toolResult) {

    /**
     * The call that a tool message answers.
     *
     * @param callId id of the {@link Content.ToolCall}
     * @param isError whether the tool failed, timed out or does not exist
     */
    public record ToolResult(String callId, String name, boolean isError) {}

    public Message {
        content = List.copyOf(content);
        if ((role == Role.TOOL) != (toolResult != null)) {
            throw new IllegalArgumentException("A tool message, and no other, names the tool call that it answers");
        }
    }

    public static Message user(String text) {
        return new Message(Role.USER, List.of(new Content.Text(text)), null);
    }

    public static Message assistant(String text) {
        return new Message(Role.ASSISTANT, List.of(new Content.Text(text)), null);
    }

    /** The text of a user's message that holds nothing else; null: the message is another. */
    public @Nullable String plainPrompt() {
        return role == Role.USER && content.size() == 1 && content.getFirst() instanceof Content.Text(String text)
                ? text
                : null;
    }

    /** The tools that the message calls, in order. */
    public List<Content.ToolCall> toolCalls() {
        return content.stream()
                .filter(Content.ToolCall.class::isInstance)
                .map(Content.ToolCall.class::cast)
                .toList();
    }

    /** The text blocks joined with LF; everything that is not text is left out (docs/judging.md). */
    @JsonIgnore
    public String text() {
        return content.stream()
                .filter(Content.Text.class::isInstance)
                .map(block -> ((Content.Text) block).text())
                .collect(Collectors.joining("\n"));
    }
}
