package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A trace that is being written: the one place that names the fields of its events. */
final class TraceLog {

    private final List<TraceEvent> events;

    TraceLog() {
        this(List.of());
    }

    /** @param before what it goes on from */
    TraceLog(List<TraceEvent> before) {
        this.events = new ArrayList<>(before);
    }

    List<TraceEvent> events() {
        return List.copyOf(events);
    }

    private ObjectNode add(String type) {
        ObjectNode payload = JsonNodeFactory.instance.objectNode().put("type", type);
        events.add(new TraceEvent(events.size(), payload));
        return payload;
    }

    void message(String role, String text) {
        add("message").put("role", role).put("text", text);
    }

    /** Adds a description of the session, which is no command. */
    void session(ObjectNode data) {
        add("message").put("role", "system").set("data", data);
    }

    void toolUse(String callId, String toolName, JsonNode input) {
        add("tool_use").put("call_id", callId).put("tool_name", toolName).set("input", input);
    }

    void toolResult(String callId, String output, boolean isError) {
        add("tool_result").put("call_id", callId).put("output", output).put("is_error", isError);
    }

    void usage(Usage usage, @Nullable BigDecimal costUsd) {
        ObjectNode payload = add("token_usage_line");
        if (usage.input() != null) {
            payload.put("input_tokens", usage.input());
        }
        if (usage.output() != null) {
            payload.put("output_tokens", usage.output());
        }
        if (costUsd != null) {
            payload.put("cost_usd", costUsd);
        }
    }

    void rawJson(ObjectNode data) {
        add("raw_json").set("data", data);
    }

    void rawLine(String line) {
        add("raw_line").put("line", line);
    }

    void modelTurn(ObjectNode turn) {
        add("model_turn").setAll(turn);
    }

    void error(String message) {
        add("error").put("message", message);
    }

    void timeout(String message) {
        add("timeout").put("message", message);
    }
}
