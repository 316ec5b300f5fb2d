package dev.assay.domain.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.usage.Usage;

/** Lines of {@code gemini --output-format stream-json}: a session, pieces of messages, tools, and one result. */
final class GeminiLines implements AgentLines {

    private final TraceLog log;
    private final StringBuilder text = new StringBuilder();
    private boolean goesOn;
    private Usage usage = Usage.UNKNOWN;

    GeminiLines(TraceLog log) {
        this.log = log;
    }

    @Override
    public void line(ObjectNode json) {
        switch (json.path("type").asText()) {
            case "init" -> log.session(json);
            case "message" -> message(json);
            case "tool_use" ->
                log.toolUse(
                        json.path("tool_id").asText(), json.path("tool_name").asText(), json.path("parameters"));
            case "tool_result" -> toolResult(json);
            case "error" -> log.error(json.path("message").asText());
            case "result" -> result(json);
            default -> log.rawJson(json);
        }
        goesOn &= json.path("type").asText().equals("message");
    }

    /** Adds a piece. Pieces that follow each other make up one answer; text after a tool begins the next one. */
    private void message(ObjectNode json) {
        String content = json.path("content").asText();
        String role = json.path("role").asText();
        log.message(role, content);
        if (role.equals("assistant")) {
            if (!goesOn || !json.path("delta").asBoolean()) {
                text.setLength(0);
            }
            text.append(content);
            goesOn = true;
        }
    }

    private void toolResult(ObjectNode json) {
        boolean isError = json.path("status").asText().equals("error");
        String output =
                json.path("output").asText(json.path("error").path("message").asText());
        log.toolResult(json.path("tool_id").asText(), output, isError);
    }

    private void result(ObjectNode json) {
        JsonNode stats = json.path("stats");
        Long input = AgentLines.count(stats, "input_tokens");
        Long output = AgentLines.count(stats, "output_tokens");
        Long total = AgentLines.count(stats, "total_tokens");
        Long sum = Usage.total(null, input, output);
        usage = new Usage(
                input,
                output,
                null,
                AgentLines.count(stats, "cached"),
                null,
                total == null || sum == null ? Usage.total(total, input, output) : (Long) Math.max(total, sum));
        log.usage(usage, null);
        if (json.path("status").asText().equals("error")) {
            log.error(json.path("error").path("message").asText());
        }
    }

    @Override
    public String text() {
        return text.toString();
    }

    @Override
    public Usage usage() {
        return usage;
    }
}
