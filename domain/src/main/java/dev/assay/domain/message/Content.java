package dev.assay.domain.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** One block of a message. In JSON the block's {@code type} says which kind it is. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Content.Text.class, name = "text"),
    @JsonSubTypes.Type(value = Content.Thinking.class, name = "thinking"),
    @JsonSubTypes.Type(value = Content.Image.class, name = "image"),
    @JsonSubTypes.Type(value = Content.ToolCall.class, name = "tool_call"),
})
public sealed interface Content {

    /** Plain text. */
    record Text(String text) implements Content {}

    /**
     * A model's thought before its answer; never shown to a judge.
     *
     * @param text what of it can be read; empty: nothing
     * @param signature by which the provider knows its own thought: Anthropic's signature, or the whole item of OpenAI's responses
     *     as JSON. A signed thought is sent back with the calls of tools that it led to. Null: it is not sent back
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Thinking(String text, @Nullable String signature) implements Content {

        /** A thought that is not sent back. */
        public Thinking(String text) {
            this(text, null);
        }
    }

    /**
     * An image.
     *
     * @param mediaType such as {@code image/png}
     * @param data the bytes in base64
     */
    record Image(String mediaType, String data) implements Content {}

    /**
     * A model's request to run a tool.
     *
     * @param id names the call; the tool's result repeats it
     * @param arguments a JSON object
     */
    record ToolCall(String id, String name, JsonNode arguments) implements Content {}
}
