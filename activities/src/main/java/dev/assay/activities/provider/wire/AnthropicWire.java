package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.wire.StreamingSupport.Way;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.tool.ToolSpec;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Anthropic's messages. */
final class AnthropicWire implements Wire {

    @Override
    public String path() {
        return "/messages";
    }

    @Override
    public List<ThinkingForm> thinkingForms() {
        return List.of(ThinkingForm.ADAPTIVE, ThinkingForm.BUDGET);
    }

    /**
     * Tokens to think with (docs/campaign-file.md); the API takes no fewer than 1,024. The largest budget leaves room for an answer of the
     * default size below 32,000 tokens. No model that thinks has a smaller output limit.
     */
    private static int budget(Thinking thinking) {
        return switch (thinking) {
            case OFF -> 0;
            case MINIMAL, LOW -> 1_024;
            case MEDIUM -> 2_048;
            case HIGH -> 8_192;
            case XHIGH -> 16_384;
            case MAX -> 24_576;
        };
    }

    /** The API wants {@code max_tokens} above the budget; where it is not, the budget comes on top of it. */
    @Override
    public int outputTokenBound(Thinking thinking, int maxOutputTokens) {
        int budget = budget(thinking);
        return maxOutputTokens > budget ? maxOutputTokens : Math.addExact(budget, maxOutputTokens);
    }

    @Override
    public List<String> unsupported() {
        return List.of("frequencyPenalty", "presencePenalty", "seed");
    }

    @Override
    public ObjectNode request(Asked asked) {
        ModelParameters wanted = asked.parameters();
        ModelRequest request = asked.request();
        Thinking thinking = asked.form() == ThinkingForm.NONE
                ? Thinking.OFF
                : asked.choice().thinking();
        ObjectNode body = Wire.object().put("model", asked.choice().model());
        String system = request.systemPrompt();
        if (system != null && !system.isBlank()) {
            text(body.putArray("system"), system);
        }
        messages(body.putArray("messages"), request.messages());
        body.put("max_tokens", outputTokenBound(thinking, request.maxOutputTokens()));
        Wire.put(body, "temperature", wanted.temperature());
        Wire.put(body, "top_p", wanted.topP());
        Wire.put(body, "stop_sequences", wanted.stop().isEmpty() ? null : wanted.stop());
        think(body, asked.form(), thinking);
        if (wanted.responseFormat() != null) {
            body.withObjectProperty("output_config").set("format", format(wanted.responseFormat()));
        }
        for (ToolSpec tool : request.tools()) {
            body.withArray("tools")
                    .addObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .set("input_schema", Wire.schema(tool));
        }
        return body.put("stream", asked.way() != Way.WHOLE);
    }

    /** Without a setting of the display, newer models do not show their thoughts. */
    private static void think(ObjectNode body, ThinkingForm form, Thinking thinking) {
        if (form == ThinkingForm.ADAPTIVE) {
            body.putObject("thinking").put("type", "adaptive").put("display", "summarized");
            body.putObject("output_config").put("effort", Wire.effort(thinking));
        } else if (form == ThinkingForm.BUDGET) {
            body.putObject("thinking").put("type", "enabled").put("budget_tokens", budget(thinking));
        }
    }

    /** The API knows no names of schemas, and holds a model to each. */
    private static ObjectNode format(ResponseFormat format) {
        return switch (format) {
            case ResponseFormat.AnyJson() ->
                throw new IllegalArgumentException(
                        "`responseFormat: json` is not known here; write `responseFormat: {schema: …}`");
            case ResponseFormat.BySchema(String _, JsonNode schema, boolean _) ->
                Wire.object().put("type", "json_schema").set("schema", schema);
        };
    }

    /** The results of the calls of one message are one message. */
    private static void messages(ArrayNode messages, List<Message> conversation) {
        ArrayNode blocks = messages;
        Role before = null;
        for (Message message : conversation) {
            Role role = message.role();
            if (role != Role.TOOL || before != Role.TOOL) {
                blocks = messages.addObject()
                        .put("role", role == Role.ASSISTANT ? "assistant" : "user")
                        .putArray("content");
            }
            switch (role) {
                case USER -> user(blocks, message);
                case ASSISTANT -> assistant(blocks, message);
                case TOOL -> result(blocks, message);
            }
            before = role;
        }
    }

    private static void text(ArrayNode blocks, String text) {
        blocks.addObject().put("type", "text").put("text", text);
    }

    private static void user(ArrayNode blocks, Message message) {
        for (Content content : Wire.ofUser(message)) {
            switch (content) {
                case Content.Text(String text) -> text(blocks, text);
                case Content.Image(String mediaType, String data) ->
                    blocks.addObject()
                            .put("type", "image")
                            .putObject("source")
                            .put("type", "base64")
                            .put("media_type", mediaType)
                            .put("data", data);
                case Content.Thinking _ -> throw Wire.misplaced("a thought");
                case Content.ToolCall _ -> throw Wire.misplaced("a tool call");
            }
        }
    }

    /** Signed thoughts go back, and before all else; those of another API do not. */
    private static void assistant(ArrayNode blocks, Message message) {
        for (Content block : message.content()) {
            if (block instanceof Content.Thinking(String text, String signature)
                    && signature != null
                    && !text.isBlank()
                    && ResponsesWire.item(signature) == null) {
                blocks.addObject().put("type", "thinking").put("thinking", text).put("signature", signature);
            }
        }
        if (!message.text().isBlank()) {
            text(blocks, message.text());
        }
        for (Content.ToolCall call : message.toolCalls()) {
            blocks.addObject()
                    .put("type", "tool_use")
                    .put("id", call.id())
                    .put("name", call.name())
                    .set("input", input(call));
        }
    }

    private static JsonNode input(Content.ToolCall call) {
        JsonNode input = Draft.arguments(Wire.written(call.arguments()));
        if (!input.isObject()) {
            throw new IllegalArgumentException(
                    "a call of tool " + call.name() + " has arguments that are no JSON object");
        }
        return input;
    }

    private static void result(ArrayNode blocks, Message message) {
        Message.ToolResult result = Objects.requireNonNull(message.toolResult());
        ObjectNode block = blocks.addObject()
                .put("type", "tool_result")
                .put("tool_use_id", result.callId())
                .put("content", message.text());
        if (result.isError()) {
            block.put("is_error", true);
        }
    }

    @Override
    public Reading reading(@Nullable AnswerListener listener) {
        return new Answered(listener);
    }

    /** A message that answers. Its events begin blocks and go on with them; a whole one has them complete. */
    private static final class Answered implements Reading {

        private final Draft draft;
        private final ObjectNode usage = Wire.object();
        private @Nullable String model;
        private String stopReason = "";
        private boolean isBegun;
        private boolean isStopped;

        Answered(@Nullable AnswerListener listener) {
            this.draft = new Draft(listener);
        }

        @Override
        public void whole(JsonNode answer) {
            isBegun = answer.path("content").isArray();
            note(answer);
            int place = 0;
            for (JsonNode block : Wire.list(answer.path("content"))) {
                begin(place++, block);
            }
        }

        @Override
        public void event(JsonNode event) {
            int place = event.path("index").asInt();
            switch (event.path("type").asText()) {
                case "message_start" -> {
                    isBegun = true;
                    note(event.path("message"));
                    // It counts the output before there is any.
                    usage.remove(AnthropicUsage.OUTPUT);
                }
                case "content_block_start" -> begin(place, event.path("content_block"));
                case "content_block_delta" -> goOn(place, event.path("delta"));
                case "content_block_stop" -> end(place);
                case "message_delta" -> {
                    note(event);
                    note(event.path("delta"));
                }
                case "message_stop" -> isStopped = true;
                default -> {}
            }
        }

        /** Takes what is said about the answer; later words and numbers stand over earlier ones. */
        private void note(JsonNode said) {
            model = said.path("model").isTextual() ? said.path("model").textValue() : model;
            String reason = Wire.text(said.path("stop_reason"));
            stopReason = reason.isEmpty() ? stopReason : reason;
            said.path("usage").properties().stream()
                    .filter(number -> !number.getValue().isNull())
                    .forEach(number -> usage.set(number.getKey(), number.getValue()));
        }

        /** Blocks of other types are left out. */
        private void begin(int place, JsonNode begin) {
            if (!begin.isObject()) {
                throw new IllegalArgumentException("a block is no object");
            }
            switch (Wire.text(begin.path("type"))) {
                case "text" -> draft.begin(place, Part.TEXT);
                case "thinking" -> draft.begin(place, Part.THINKING);
                case "tool_use" -> {
                    Draft.Block call = draft.begin(place, Part.TOOL_CALL);
                    call.named(Wire.text(begin.path("id")), Wire.text(begin.path("name")));
                    JsonNode input = begin.path("input");
                    draft.piece(call, input.isEmpty() ? "" : input.toString());
                }
                default -> {}
            }
            goOn(place, begin);
        }

        private void goOn(int place, JsonNode delta) {
            Draft.Block block = draft.at(place);
            if (block != null) {
                String field = switch (block.part()) {
                    case TEXT -> "text";
                    case THINKING -> "thinking";
                    case TOOL_CALL -> "partial_json";
                };
                draft.piece(block, Wire.text(delta.path(field)));
                block.signature().append(Wire.text(delta.path("signature")));
            }
        }

        /** A call without arguments has no pieces, and is told all the same. */
        private void end(int place) {
            Draft.Block block = draft.at(place);
            if (block != null && block.part() == Part.TOOL_CALL && block.text().isEmpty()) {
                draft.piece(block, "{}");
            }
        }

        @Override
        public boolean isComplete() {
            return isStopped;
        }

        @Override
        public Reply reply() {
            if (!isBegun) {
                throw new IllegalArgumentException("there is no message");
            }
            String reason = switch (stopReason) {
                case "" -> null;
                case "end_turn", "stop_sequence" -> "stop";
                case "max_tokens" -> "length";
                case "tool_use" -> "tool_execution";
                default -> "other";
            };
            Served served = new Served(model, null, usage.path("service_tier").textValue());
            return new Reply(draft.message(), reason, new AnthropicUsage(usage).tokens(), served);
        }
    }
}
