package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The format of an API: requests become JSON, and JSON becomes replies. Nothing here sends anything. */
sealed interface Wire permits OpenAiWire, ResponsesWire, AnthropicWire {

    /** The form in which an API is asked to let a model think. */
    enum ThinkingForm {
        /** No setting for thinking is sent. */
        NONE,
        /** As NONE, but what a model of OpenAI's responses thinks all the same comes encrypted, so that it can be sent back. */
        ENCRYPTED,
        /** OpenAI's effort of reasoning. */
        EFFORT,
        /** As EFFORT, with a summary of the thoughts, which OpenAI gives to verified organizations only. */
        SUMMARY,
        /** Anthropic's {@code thinking: {type: adaptive}} with {@code output_config.effort}, from Claude 4.6 on. */
        ADAPTIVE,
        /** Anthropic's {@code thinking: {type: enabled}} with a budget of tokens, up to Claude 4.6. */
        BUDGET
    }

    /**
     * A request, whether its answer is streamed or not.
     *
     * @param form in which the model is asked to think; NONE: it is not
     */
    record Asked(ModelChoice choice, ThinkingForm form, StreamingSupport.Way way, ModelRequest request) {

        /** The settings of the model. It throws where one is not known, or has a value of the wrong kind. */
        ModelParameters parameters() {
            return ModelParameters.of(choice);
        }
    }

    /**
     * An answer, whether it was streamed or not.
     *
     * @param finishReason why the model ended it; null: not said, or in words that are not known
     */
    record Reply(Message message, @Nullable String finishReason, Usage usage, Served served) {}

    /** An answer in the making. It is read from one document or from events, and throws where these are not what the API promises. */
    interface Reading {

        /** Takes the answer as one document. */
        void whole(JsonNode answer);

        /** Takes the next event of an answer that is streamed. */
        void event(JsonNode event);

        /** Whether an event, or a document that reports success, says that the answer failed. */
        default boolean isFailed(JsonNode said) {
            return false;
        }

        /** Whether the events have said that the answer is at its end. */
        boolean isComplete();

        /** What has been read. */
        Reply reply();
    }

    /** The path of requests below the provider's URL. */
    String path();

    /** The forms in which models of this API are asked to think, the newest first. */
    List<ThinkingForm> thinkingForms();

    /** The forms in which models of this API are asked that need not think, the one to try first before the others. */
    default List<ThinkingForm> plainForms() {
        return List.of(ThinkingForm.NONE);
    }

    /** The most output tokens that a request can be billed for, thinking included. */
    int outputTokenBound(Thinking thinking, int maxOutputTokens);

    /** Names of the parameters that this API does not have, so that they are left out. */
    List<String> unsupported();

    /**
     * The body of a request.
     *
     * @throws IllegalArgumentException when the conversation cannot be said in this API
     */
    ObjectNode request(Asked asked);

    /** An answer that has yet to be read; {@code listener} receives its pieces, unless it is null. */
    Reading reading(@Nullable AnswerListener listener);

    /**
     * Reads a whole answer.
     *
     * @throws IllegalArgumentException when it is not what the API promises
     */
    default Reply reply(JsonNode answer) {
        Reading reading = reading(null);
        reading.whole(answer);
        return reading.reply();
    }

    /** The word for the amount of thinking, in every API that has such words (docs/campaign-file.md). */
    static String effort(Thinking thinking) {
        return switch (thinking) {
            case OFF -> throw new IllegalArgumentException("A model that is not asked to think has no effort");
            case MINIMAL, LOW -> "low";
            case MEDIUM, HIGH, XHIGH, MAX -> thinking.word();
        };
    }

    static ObjectNode object() {
        return Json.mapper().createObjectNode();
    }

    /** Sets a field that has a value. */
    static void put(ObjectNode body, String name, @Nullable Object value) {
        if (value != null) {
            body.set(name, Json.mapper().valueToTree(value));
        }
    }

    /** The type of a form of answers, in every API of OpenAI. */
    static ObjectNode formatType(ResponseFormat format) {
        return object().put("type", format instanceof ResponseFormat.AnyJson ? "json_object" : "json_schema");
    }

    /** The blocks of a user's message, of which there must be one. */
    static List<Content> ofUser(Message message) {
        if (message.content().isEmpty()) {
            throw new IllegalArgumentException("a user message is empty");
        }
        return message.content();
    }

    static IllegalArgumentException misplaced(String what) {
        return new IllegalArgumentException("a user message holds " + what + ", which only an assistant message can");
    }

    /** The parts of a tool's schema that every API takes. Arguments are checked against the whole schema. */
    static ObjectNode schema(ToolSpec tool) {
        JsonNode whole = tool.parameters();
        ObjectNode schema = object().put("type", "object");
        JsonNode properties = whole.path("properties");
        schema.set("properties", properties.isObject() ? properties : object());
        ArrayNode required = schema.putArray("required");
        whole.path("required").forEach(name -> required.add(name.asText()));
        if (whole.path("$defs").isObject() && !whole.path("$defs").isEmpty()) {
            schema.set("$defs", whole.path("$defs"));
        }
        return schema;
    }

    /** The arguments of a call as they are sent back. */
    static String written(JsonNode arguments) {
        String text = arguments.isTextual() ? arguments.textValue() : arguments.toString();
        return text.isBlank() ? "{}" : text;
    }

    /** The items of {@code said}; none when it is missing or null. */
    static JsonNode list(JsonNode said) {
        if (!said.isArray() && !said.isMissingNode() && !said.isNull()) {
            throw new IllegalArgumentException("a list is none");
        }
        return said;
    }

    /** The text that {@code said} is; empty when it is missing or null. A number is its own text. */
    static String text(JsonNode said) {
        if (said.isContainerNode()) {
            throw new IllegalArgumentException("a text is an object or a list");
        }
        return said.isNull() ? "" : said.asText();
    }

    /** The number of tokens that {@code reported} is; null: it is none. */
    static @Nullable Long count(JsonNode reported) {
        return reported.isNumber()
                        && reported.canConvertToExactIntegral()
                        && reported.canConvertToInt()
                        && reported.intValue() >= 0
                ? (Long) reported.longValue()
                : null;
    }
}
