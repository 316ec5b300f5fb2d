package dev.assay.domain.message;

import dev.assay.domain.json.StorableJson;
import dev.assay.domain.text.StorableText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages as they can be stored, see {@link StorableText} and {@link StorableJson}. A model's message is made storable before
 * anything reads it.
 */
public final class StorableMessages {

    private StorableMessages() {}

    /** {@code message} itself where it is storable, else a copy that is. */
    public static Message of(Message message) {
        List<Content> content =
                message.content().stream().map(StorableMessages::of).toList();
        Message.ToolResult result = message.toolResult();
        Message storable = new Message(
                message.role(),
                content,
                result == null
                        ? null
                        : new Message.ToolResult(
                                StorableText.of(result.callId()), StorableText.of(result.name()), result.isError()));
        return storable.equals(message) ? message : storable;
    }

    private static Content of(Content block) {
        return switch (block) {
            case Content.Text(String text) -> new Content.Text(StorableText.of(text));
            case Content.Thinking(String text, String signature) ->
                new Content.Thinking(StorableText.of(text), orNull(signature));
            case Content.Image(String mediaType, String data) ->
                new Content.Image(StorableText.of(mediaType), StorableText.of(data));
            case Content.ToolCall(String id, String name, var arguments) ->
                new Content.ToolCall(StorableText.of(id), StorableText.of(name), StorableJson.of(arguments));
        };
    }

    private static @Nullable String orNull(@Nullable String text) {
        return text == null ? null : StorableText.of(text);
    }
}
