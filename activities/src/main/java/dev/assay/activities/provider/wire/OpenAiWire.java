package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
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
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** OpenAI's chat completions, and the many servers that speak them. */
final class OpenAiWire implements Wire {

    private final boolean isMistral;
    private final boolean isOpenAiHost;

    OpenAiWire(ProviderSettings settings) {
        this.isMistral = settings.type() == ProviderType.MISTRAL;
        this.isOpenAiHost =
                settings.baseUrl().getHost().toLowerCase(Locale.ROOT).endsWith(".openai.com");
    }

    @Override
    public String path() {
        return "/chat/completions";
    }

    @Override
    public List<ThinkingForm> thinkingForms() {
        return List.of(ThinkingForm.EFFORT);
    }

    @Override
    public int outputTokenBound(Thinking thinking, int maxOutputTokens) {
        return maxOutputTokens;
    }

    @Override
    public List<String> unsupported() {
        return List.of();
    }

    @Override
    public ObjectNode request(Asked asked) {
        ModelParameters wanted = asked.parameters();
        ModelRequest request = asked.request();
        ObjectNode body = Wire.object().put("model", asked.choice().model());
        messages(body.putArray("messages"), request);
        Wire.put(body, "temperature", wanted.temperature());
        Wire.put(body, "top_p", wanted.topP());
        Wire.put(body, "frequency_penalty", wanted.frequencyPenalty());
        Wire.put(body, "presence_penalty", wanted.presencePenalty());
        Wire.put(body, "stop", wanted.stop().isEmpty() ? null : wanted.stop());
        // OpenAI's reasoning models refuse max_tokens; compatible servers often know nothing else.
        body.put(isOpenAiHost ? "max_completion_tokens" : "max_tokens", request.maxOutputTokens());
        Wire.put(body, isMistral ? "random_seed" : "seed", wanted.seed());
        if (asked.form() == ThinkingForm.EFFORT) {
            body.put("reasoning_effort", Wire.effort(asked.choice().thinking()));
        }
        Wire.put(body, "response_format", format(wanted.responseFormat()));
        for (ToolSpec tool : request.tools()) {
            body.withArray("tools").addObject().put("type", "function").set("function", function(tool));
        }
        body.put("stream", asked.way() != Way.WHOLE);
        if (asked.way() == Way.WITH_USAGE) {
            body.putObject("stream_options").put("include_usage", true);
        }
        return body;
    }

    private static @Nullable ObjectNode format(@Nullable ResponseFormat format) {
        if (format == null) {
            return null;
        }
        ObjectNode sent = Wire.formatType(format);
        return format instanceof ResponseFormat.BySchema ? sent.set("json_schema", format.written()) : sent;
    }

    private static ObjectNode function(ToolSpec tool) {
        ObjectNode schema = Wire.schema(tool);
        if (tool.parameters().path("description").isTextual()) {
            schema.set("description", tool.parameters().path("description"));
        }
        return Wire.object()
                .put("name", tool.name())
                .put("description", tool.description())
                .set("parameters", schema);
    }

    private static void messages(ArrayNode messages, ModelRequest request) {
        String system = request.systemPrompt();
        if (system != null && !system.isBlank()) {
            messages.addObject().put("role", "system").put("content", system);
        }
        for (Message message : request.messages()) {
            switch (message.role()) {
                case USER -> user(messages.addObject().put("role", "user"), message);
                case ASSISTANT -> assistant(messages.addObject().put("role", "assistant"), message);
                case TOOL ->
                    messages.addObject()
                            .put("role", "tool")
                            .put(
                                    "tool_call_id",
                                    Objects.requireNonNull(message.toolResult()).callId())
                            .put("content", message.text());
            }
        }
    }

    private static void user(ObjectNode sent, Message message) {
        String prompt = message.plainPrompt();
        if (prompt != null) {
            sent.put("content", prompt);
            return;
        }
        ArrayNode blocks = sent.putArray("content");
        for (Content content : Wire.ofUser(message)) {
            ObjectNode block = blocks.addObject();
            switch (content) {
                case Content.Text(String text) -> block.put("type", "text").put("text", text);
                case Content.Image(String mediaType, String data) ->
                    block.put("type", "image_url")
                            .putObject("image_url")
                            .put("url", "data:" + mediaType + ";base64," + data)
                            .put("detail", "low");
                case Content.Thinking _ -> throw Wire.misplaced("a thought");
                case Content.ToolCall _ -> throw Wire.misplaced("a tool call");
            }
        }
    }

    private static void assistant(ObjectNode sent, Message message) {
        String text = message.text();
        List<Content.ToolCall> calls = message.toolCalls();
        if (!text.isEmpty() || calls.isEmpty()) {
            sent.put("content", text);
        }
        for (Content.ToolCall call : calls) {
            String arguments = Wire.written(call.arguments());
            sent.withArray("tool_calls")
                    .addObject()
                    .put("id", call.id())
                    .put("type", "function")
                    .putObject("function")
                    .put("name", call.name())
                    .put("arguments", arguments);
        }
    }

    @Override
    public Reading reading(@Nullable AnswerListener listener) {
        return new Completion(listener);
    }

    /** A chat completion. Its events have the fields of the whole answer, and {@code delta} in the place of {@code message}. */
    private static final class Completion implements Reading {

        private static final int THINKING = -2;
        private static final int TEXT = -1;

        private final Draft draft;
        private final StringBuilder refusal = new StringBuilder();
        private Served served = new Served(null, null, null);
        private JsonNode usage = MissingNode.getInstance();
        private String finishReason = "";
        private boolean isBegun;
        private int lastCall;

        Completion(@Nullable AnswerListener listener) {
            this.draft = new Draft(listener);
        }

        @Override
        public void whole(JsonNode answer) {
            read(answer, "message");
        }

        @Override
        public void event(JsonNode event) {
            read(event, "delta");
        }

        private void read(JsonNode document, String field) {
            served = new Served(
                    newer(served.model(), document.path("model")),
                    newer(served.fingerprint(), document.path("system_fingerprint")),
                    newer(served.serviceTier(), document.path("service_tier")));
            usage = document.hasNonNull("usage") ? document.path("usage") : usage;
            JsonNode choice = Wire.list(document.path("choices")).path(0);
            String reason = Wire.text(choice.path("finish_reason"));
            finishReason = reason.isEmpty() ? finishReason : reason;
            JsonNode said = choice.path(field);
            isBegun |= said.isObject();
            draft.piece(draft.begin(TEXT, Part.TEXT), Wire.text(said.path("content")));
            String thought = Wire.text(said.path("reasoning_content"));
            draft.piece(
                    draft.begin(THINKING, Part.THINKING),
                    thought.isEmpty() ? Wire.text(said.path("reasoning")) : thought);
            refusal.append(Wire.text(said.path("refusal")));
            int position = 0;
            for (JsonNode call : Wire.list(said.path("tool_calls"))) {
                call(call, position++);
            }
        }

        private static @Nullable String newer(@Nullable String known, JsonNode said) {
            return Wire.text(said).isBlank() ? known : said.asText();
        }

        private void call(JsonNode said, int position) {
            String id = Wire.text(said.path("id"));
            JsonNode function = said.path("function");
            lastCall = said.path("index").canConvertToInt() ? said.path("index").intValue() : unnumbered(id, position);
            if (!said.isObject() || lastCall < 0) {
                throw new IllegalArgumentException("a call of a tool is none");
            }
            Draft.Block call = draft.begin(lastCall, Part.TOOL_CALL);
            call.named(id, Wire.text(function.path("name")));
            draft.piece(call, Wire.text(function.path("arguments")));
        }

        /** Whole answers, and the events of some servers, do not number calls: a second one, or another id, begins another. */
        private int unnumbered(String id, int position) {
            Draft.Block last = draft.at(lastCall);
            boolean isSame = last == null
                    || (position == 0 && (id.isEmpty() || last.id().isEmpty() || id.contentEquals(last.id())));
            return isSame ? lastCall : lastCall + 1;
        }

        @Override
        public boolean isComplete() {
            return !finishReason.isEmpty();
        }

        @Override
        public Reply reply() {
            if (!isBegun) {
                throw new IllegalArgumentException("there is no message");
            }
            if (!refusal.toString().isBlank()) {
                return new Reply(Message.assistant(refusal.toString()), "content_filter", usage(), served);
            }
            String reason = switch (finishReason) {
                case "stop", "length", "content_filter" -> finishReason;
                case "tool_calls", "function_call" -> "tool_execution";
                default -> null;
            };
            return new Reply(draft.message(), reason, usage(), served);
        }

        private Usage usage() {
            return OpenAiUsage.COMPLETIONS.ofAnswer(usage);
        }
    }
}
