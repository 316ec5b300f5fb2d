package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lines of {@code codex exec --json}: a thread, its turns, and items that start, change and complete. */
final class CodexLines implements AgentLines {

    private final TraceLog log;
    private final Set<String> started = new HashSet<>();
    private String text = "";
    private @Nullable Usage usage;

    CodexLines(TraceLog log) {
        this.log = log;
    }

    @Override
    public void line(ObjectNode json) {
        switch (json.path("type").asText()) {
            case "thread.started", "turn.started", "item.updated" -> log.session(json);
            case "item.started" -> item(json.path("item"), false);
            case "item.completed" -> item(json.path("item"), true);
            case "turn.completed" -> turnCompleted(json.path("usage"));
            case "turn.failed" -> log.error(json.path("error").path("message").asText());
            case "error" -> log.error(json.path("message").asText());
            default -> log.rawJson(json);
        }
    }

    private void item(JsonNode item, boolean completed) {
        String id = item.path("id").asText();
        // Builds of 2025 called it item_type.
        String type = item.path("type").asText(item.path("item_type").asText());
        switch (type) {
            case "agent_message", "assistant_message" -> {
                text = item.path("text").asText();
                log.message("assistant", text);
            }
            case "reasoning" -> log.message("reasoning", item.path("text").asText());
            case "error" -> log.error(item.path("message").asText());
            case "command_execution" ->
                call(
                        id,
                        "shell",
                        JsonNodeFactory.instance.objectNode().set("command", item.path("command")),
                        item,
                        completed);
            case "mcp_tool_call" -> call(id, item.path("tool").asText(), item.path("arguments"), item, completed);
            case "file_change" -> call(id, type, item.path("changes"), item, completed);
            case "web_search" -> call(id, type, item.path("query"), item, completed);
            default -> log.message("system", Json.write(item));
        }
    }

    /** Notes a call once: when it starts, or when it completes if its start was not reported. */
    private void call(String id, String tool, JsonNode input, JsonNode item, boolean completed) {
        if (started.add(id)) {
            log.toolUse(id, tool, input);
        }
        if (completed) {
            log.toolResult(
                    id,
                    item.path("aggregated_output").asText(),
                    item.path("status").asText().equals("failed"));
        }
    }

    private void turnCompleted(JsonNode tokens) {
        if (tokens.isObject()) {
            Long input = AgentLines.count(tokens, "input_tokens");
            Long output = AgentLines.count(tokens, "output_tokens");
            Usage turn = new Usage(
                    input,
                    output,
                    AgentLines.count(tokens, "reasoning_output_tokens"),
                    AgentLines.count(tokens, "cached_input_tokens"),
                    AgentLines.count(tokens, "cache_write_input_tokens"),
                    Usage.total(null, input, output));
            usage = usage == null ? turn : usage.plus(turn);
        }
        log.usage(usage(), null);
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Usage usage() {
        return usage == null ? Usage.UNKNOWN : usage;
    }
}
