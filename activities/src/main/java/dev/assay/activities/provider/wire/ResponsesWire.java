package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.wire.StreamingSupport.Way;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.tool.ToolSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** OpenAI's responses. Nothing is stored there: thoughts come encrypted, and go back with the calls that they led to. */
final class ResponsesWire implements Wire {

    static final String REASONING = "reasoning";

    @Override
    public String path() {
        return "/responses";
    }

    @Override
    public List<ThinkingForm> thinkingForms() {
        return List.of(ThinkingForm.SUMMARY, ThinkingForm.EFFORT);
    }

    /** Models that never think refuse to encrypt their thoughts. */
    @Override
    public List<ThinkingForm> plainForms() {
        return List.of(ThinkingForm.ENCRYPTED, ThinkingForm.NONE);
    }

    @Override
    public int outputTokenBound(Thinking thinking, int maxOutputTokens) {
        return maxOutputTokens;
    }

    @Override
    public List<String> unsupported() {
        return List.of("frequencyPenalty", "presencePenalty", "seed", "stop");
    }

    @Override
    public ObjectNode request(Asked asked) {
        ModelParameters wanted = asked.parameters();
        ModelRequest request = asked.request();
        ObjectNode body = Wire.object().put("model", asked.choice().model());
        String system = request.systemPrompt();
        if (system != null && !system.isBlank()) {
            body.put("instructions", system);
        }
        items(body.putArray("input"), request.messages());
        Wire.put(body, "temperature", wanted.temperature());
        Wire.put(body, "top_p", wanted.topP());
        body.put("max_output_tokens", request.maxOutputTokens());
        think(body, asked.form(), asked.choice().thinking());
        ResponseFormat format = wanted.responseFormat();
        if (format != null) {
            ObjectNode sent = body.putObject("text").putObject("format").setAll(Wire.formatType(format));
            if (format.written() instanceof ObjectNode schema) {
                sent.setAll(schema);
            }
        }
        for (ToolSpec tool : request.tools()) {
            // Left out, `strict` would be true: schemas would be changed, or refused.
            body.withArray("tools")
                    .addObject()
                    .put("type", "function")
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .put("strict", false)
                    .set("parameters", Wire.schema(tool));
        }
        return body.put("store", false).put("stream", asked.way() != Way.WHOLE);
    }

    private static void think(ObjectNode body, ThinkingForm form, Thinking thinking) {
        if (form == ThinkingForm.EFFORT || form == ThinkingForm.SUMMARY) {
            ObjectNode reasoning = body.putObject(REASONING).put("effort", Wire.effort(thinking));
            if (form == ThinkingForm.SUMMARY) {
                reasoning.put("summary", "auto");
            }
        }
        if (form != ThinkingForm.NONE) {
            body.putArray("include").add("reasoning.encrypted_content");
        }
    }

    /** Thoughts before the last message of a user are of no more use, and may be another model's. */
    private static void items(ArrayNode items, List<Message> conversation) {
        int question = conversation.stream().map(Message::role).toList().lastIndexOf(Role.USER);
        for (int i = 0; i < conversation.size(); i++) {
            Message message = conversation.get(i);
            switch (message.role()) {
                case USER -> user(items.addObject().put("role", "user"), message);
                case ASSISTANT -> assistant(items, message, i > question);
                case TOOL ->
                    items.addObject()
                            .put("type", "function_call_output")
                            .put(
                                    "call_id",
                                    Objects.requireNonNull(message.toolResult()).callId())
                            .put("output", message.text());
            }
        }
    }

    private static void user(ObjectNode sent, Message message) {
        String prompt = message.plainPrompt();
        if (prompt != null) {
            sent.put("content", prompt);
            return;
        }
        ArrayNode parts = sent.putArray("content");
        for (Content content : Wire.ofUser(message)) {
            ObjectNode part = parts.addObject();
            switch (content) {
                case Content.Text(String text) -> part.put("type", "input_text").put("text", text);
                case Content.Image(String mediaType, String data) ->
                    part.put("type", "input_image")
                            .put("image_url", "data:" + mediaType + ";base64," + data)
                            .put("detail", "low");
                case Content.Thinking _ -> throw Wire.misplaced("a thought");
                case Content.ToolCall _ -> throw Wire.misplaced("a tool call");
            }
        }
    }

    private static void assistant(ArrayNode items, Message message, boolean withThoughts) {
        for (Content block : message.content()) {
            switch (block) {
                case Content.Text(String text) -> said(items, text);
                case Content.Thinking(String _, String signature) -> {
                    ObjectNode item = withThoughts && signature != null ? item(signature) : null;
                    if (item != null) {
                        items.add(item);
                    }
                }
                case Content.ToolCall call ->
                    items.addObject()
                            .put("type", "function_call")
                            .put("call_id", call.id())
                            .put("name", call.name())
                            .put("arguments", Wire.written(call.arguments()));
                case Content.Image _ -> {}
            }
        }
        if (message.text().isEmpty() && message.toolCalls().isEmpty()) {
            said(items, "");
        }
    }

    private static void said(ArrayNode items, String text) {
        items.addObject().put("role", "assistant").put("content", text);
    }

    /** The signature of a thought that this API gave: the thought itself, as it is wanted back. Null: it cannot be sent back. */
    static @Nullable String signature(JsonNode item) {
        return Wire.text(item.path("encrypted_content")).isBlank() || !JsonNumbers.areReadable(item)
                ? null
                : Json.write(item);
    }

    /** The thought that {@code signature} is; null: it is the signature of another API. */
    static @Nullable ObjectNode item(String signature) {
        if (!signature.startsWith("{")) {
            return null;
        }
        try {
            return Json.mapper().readTree(signature) instanceof ObjectNode item
                            && item.path("type").asText().equals(REASONING)
                            && JsonNumbers.areReadable(item)
                    ? item
                    : null;
        } catch (JsonProcessingException _) {
            return null;
        }
    }

    @Override
    public Reading reading(@Nullable AnswerListener listener) {
        return new ResponseReading(listener);
    }
}
