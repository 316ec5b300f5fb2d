package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Lines of {@code claude -p --output-format stream-json --verbose}: system, assistant and user messages, then one result. */
final class ClaudeLines implements AgentLines {

    private final TraceLog log;
    private String text = "";
    private Usage usage = Usage.UNKNOWN;
    private @Nullable BigDecimal costUsd;

    ClaudeLines(TraceLog log) {
        this.log = log;
    }

    @Override
    public void line(ObjectNode json) {
        switch (json.path("type").asText()) {
            case "system" -> log.session(json);
            case "assistant" -> blocks("assistant", json.path("message").path("content"));
            case "user" -> blocks("user", json.path("message").path("content"));
            case "result" -> result(json);
            default -> log.rawJson(json);
        }
    }

    private void blocks(String role, JsonNode content) {
        if (content.isTextual()) {
            said(role, content.textValue());
        }
        for (JsonNode block : content) {
            switch (block.path("type").asText()) {
                case "text" -> said(role, block.path("text").asText());
                case "tool_use" ->
                    log.toolUse(block.path("id").asText(), block.path("name").asText(), block.path("input"));
                case "tool_result" ->
                    log.toolResult(
                            block.path("tool_use_id").asText(),
                            output(block.path("content")),
                            block.path("is_error").asBoolean());
                default -> log.message(role, "");
            }
        }
    }

    private void said(String role, String said) {
        log.message(role, said);
        if (role.equals("assistant")) {
            text = said;
        }
    }

    private static String output(JsonNode content) {
        if (content.isTextual()) {
            return content.textValue();
        }
        StringBuilder texts = new StringBuilder();
        content.forEach(block ->
                texts.append(block.path("text").isTextual() ? block.path("text").textValue() : Json.write(block)));
        return texts.toString();
    }

    private void result(ObjectNode json) {
        if (json.path("result").isTextual()) {
            text = json.path("result").textValue();
        }
        JsonNode tokens = json.path("usage");
        if (tokens.isObject()) {
            Long read = AgentLines.count(tokens, "cache_read_input_tokens");
            Long written = AgentLines.count(tokens, "cache_creation_input_tokens");
            Long uncached = AgentLines.count(tokens, "input_tokens");
            // Anthropic counts what is cached apart from the input.
            Long input =
                    uncached == null ? null : (Long) (uncached + AgentLines.orNone(read) + AgentLines.orNone(written));
            Long output = AgentLines.count(tokens, "output_tokens");
            usage = new Usage(input, output, null, read, written, Usage.total(null, input, output));
        }
        JsonNode cost = json.path("total_cost_usd");
        costUsd = cost.isNumber() && cost.decimalValue().signum() >= 0 ? cost.decimalValue() : null;
        log.usage(usage, costUsd);
        if (json.path("is_error").asBoolean()) {
            log.error(text.isEmpty() ? json.path("subtype").asText() : text);
        }
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public Usage usage() {
        return usage;
    }

    @Override
    public @Nullable BigDecimal costUsd() {
        return costUsd;
    }
}
