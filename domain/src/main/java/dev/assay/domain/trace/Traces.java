package dev.assay.domain.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Traces: their derivation from a conversation, their text, and the commands in them. */
public final class Traces {

    /** Types of events that are commands of an agent. */
    private static final Set<String> COMMANDS = Set.of("tool_use", "raw_json");

    private Traces() {}

    /** The trace in a model's messages: its texts and calls, and the results of tools. Prompts are not part of it. */
    public static List<TraceEvent> of(List<Message> messages) {
        List<TraceEvent> trace = new ArrayList<>();
        for (Message message : messages) {
            if (message.role() == Role.ASSISTANT) {
                message.content().forEach(block -> add(trace, block));
            } else if (message.role() == Role.TOOL && message.toolResult() != null) {
                Message.ToolResult result = message.toolResult();
                append(
                        trace,
                        payload("tool_result")
                                .put("call_id", result.callId())
                                .put("output", message.text())
                                .put("is_error", result.isError()));
            }
        }
        return trace;
    }

    private static void add(List<TraceEvent> trace, Content block) {
        switch (block) {
            case Content.Text(String text) ->
                append(trace, payload("message").put("text", text).put("role", "assistant"));
            case Content.ToolCall call -> append(trace, toolUse(call));
            case Content.Thinking thinking -> {}
            case Content.Image image -> {}
        }
    }

    private static void append(List<TraceEvent> trace, ObjectNode payload) {
        trace.add(new TraceEvent(trace.size(), payload));
    }

    private static ObjectNode toolUse(Content.ToolCall call) {
        ObjectNode payload = payload("tool_use").put("call_id", call.id()).put("tool_name", call.name());
        payload.set("input", call.arguments());
        return payload;
    }

    private static ObjectNode payload(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type);
    }

    /** The trace as JSON Lines, without a line break at its end. */
    public static String jsonLines(List<TraceEvent> trace) {
        return trace.stream().map(Json::write).collect(Collectors.joining("\n"));
    }

    /** The events of {@link #jsonLines}; lines that are none are left out. */
    public static List<TraceEvent> read(String jsonLines) {
        return jsonLines.lines().flatMap(line -> event(line).stream()).toList();
    }

    private static Optional<TraceEvent> event(String line) {
        try {
            JsonNode event = Json.mapper().readTree(line);
            ObjectNode payload =
                    event.path("payload") instanceof ObjectNode there ? there : JsonNodeFactory.instance.objectNode();
            return event.isObject()
                    ? Optional.of(new TraceEvent(event.path("seq").asInt(), payload))
                    : Optional.empty();
        } catch (JsonProcessingException noEvent) {
            return Optional.empty();
        }
    }

    /** The number of commands that the agent ran. */
    public static int commands(List<TraceEvent> trace) {
        return (int) trace.stream()
                .filter(event -> COMMANDS.contains(event.payload().path("type").asText()))
                .count();
    }
}
