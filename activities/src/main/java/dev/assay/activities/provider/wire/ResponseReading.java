package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.activities.model.AnswerListener;
import dev.assay.domain.agent.Served;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A response of OpenAI. Its last event holds the whole of it; the pieces before are only told. */
final class ResponseReading implements Wire.Reading {

    private final Draft told;
    private final Map<String, JsonNode> items = new LinkedHashMap<>();
    private JsonNode response = MissingNode.getInstance();
    private boolean hasPieces;

    ResponseReading(@Nullable AnswerListener listener) {
        this.told = new Draft(listener);
    }

    @Override
    public void whole(JsonNode answer) {
        response = answer;
    }

    @Override
    public void event(JsonNode event) {
        int place = event.path("output_index").asInt();
        switch (event.path("type").asText()) {
            case "response.output_item.added" -> begin(place, event.path("item"));
            case "response.output_text.delta" -> piece(place, Part.TEXT, event);
            case "response.reasoning_summary_text.delta", "response.reasoning_text.delta" ->
                piece(place, Part.THINKING, event);
            case "response.function_call_arguments.delta" -> piece(place, Part.TOOL_CALL, event);
            case "response.output_item.done" -> end(place, event.path("item"));
            case "response.completed", "response.incomplete" -> response = event.path("response");
            default -> {}
        }
    }

    /** A call says its name when it begins. */
    private void begin(int place, JsonNode item) {
        if (item.path("type").asText().equals("function_call")) {
            told.begin(place, Part.TOOL_CALL).named("", Wire.text(item.path("name")));
        }
    }

    /** Some servers do not number items, some give all of them one id; one of the same place and id is the same. */
    private void end(int place, JsonNode item) {
        items.put(place + " " + item.path("id").asText(), item);
    }

    private void piece(int place, Part part, JsonNode event) {
        hasPieces = true;
        told.piece(told.begin(place, part), Wire.text(event.path("delta")));
    }

    @Override
    public boolean isFailed(JsonNode said) {
        String type = said.path("type").asText();
        return type.equals("error")
                || type.equals("response.failed")
                || said.path("status").asText().equals("failed");
    }

    @Override
    public boolean isComplete() {
        return !response.isMissingNode();
    }

    @Override
    public Wire.Reply reply() {
        List<Content> content = new ArrayList<>();
        StringBuilder refusal = new StringBuilder();
        for (JsonNode item : output()) {
            switch (type(item)) {
                case "message" -> message(item, content, refusal);
                case ResponsesWire.REASONING -> thought(item, content);
                case "function_call" -> content.add(call(item));
                default -> {}
            }
        }
        Usage usage = OpenAiUsage.RESPONSES.ofAnswer(response.path("usage"));
        Served served = new Served(said("model"), null, said("service_tier"));
        if (!refusal.toString().isBlank()) {
            return new Wire.Reply(Message.assistant(refusal.toString()), "content_filter", usage, served);
        }
        Message message = new Message(Role.ASSISTANT, content, null);
        return new Wire.Reply(message, finishReason(message), usage, served);
    }

    /** Some servers leave the output of the last event empty: it was said item by item. */
    private Iterable<JsonNode> output() {
        JsonNode output = Wire.list(response.path("output"));
        if (!output.isEmpty()) {
            return output;
        }
        if (items.isEmpty() && (hasPieces || !output.isArray())) {
            throw new IllegalArgumentException("there is no output");
        }
        return items.values();
    }

    private static String type(JsonNode part) {
        if (!part.isObject()) {
            throw new IllegalArgumentException("a part of the output is no object");
        }
        return Wire.text(part.path("type"));
    }

    private static void message(JsonNode item, List<Content> content, StringBuilder refusal) {
        StringBuilder text = new StringBuilder();
        for (JsonNode part : Wire.list(item.path("content"))) {
            switch (type(part)) {
                case "output_text" -> text.append(Wire.text(part.path("text")));
                case "refusal" -> refusal.append(Wire.text(part.path("refusal")));
                default -> {}
            }
        }
        if (!text.isEmpty()) {
            content.add(new Content.Text(text.toString()));
        }
    }

    /** A thought may have no word that can be read. */
    private static void thought(JsonNode item, List<Content> content) {
        String summary = texts(item.path("summary"));
        String text = summary.isBlank() ? texts(item.path("content")) : summary;
        String signature = ResponsesWire.signature(item);
        if (signature != null || !text.isBlank()) {
            content.add(new Content.Thinking(text, signature));
        }
    }

    private static String texts(JsonNode parts) {
        return StreamSupport.stream(Wire.list(parts).spliterator(), false)
                .map(part -> Wire.text(part.path("text")))
                .collect(Collectors.joining("\n"));
    }

    private static Content.ToolCall call(JsonNode item) {
        String name = Wire.text(item.path("name"));
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a call names no tool");
        }
        return new Content.ToolCall(
                Wire.text(item.path("call_id")), name, Draft.arguments(Wire.text(item.path("arguments"))));
    }

    private @Nullable String said(String field) {
        String text = Wire.text(response.path(field));
        return text.isBlank() ? null : text;
    }

    private @Nullable String finishReason(Message message) {
        return switch (Wire.text(response.path("status"))) {
            case "completed" -> message.toolCalls().isEmpty() ? "stop" : "tool_execution";
            case "incomplete" ->
                switch (Wire.text(response.path("incomplete_details").path("reason"))) {
                    case "max_output_tokens" -> "length";
                    case "content_filter" -> "content_filter";
                    default -> null;
                };
            case "" -> null;
            default -> throw new IllegalArgumentException("the answer has not ended");
        };
    }
}
