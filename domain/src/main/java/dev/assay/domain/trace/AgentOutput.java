package dev.assay.domain.trace;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.StorableJson;
import dev.assay.domain.text.StorableText;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a program's standard output.
 *
 * @param trace what happened, in order
 * @param text its answer; empty: it gave none
 * @param usage tokens that it used, as far as it says
 * @param costUsd what it cost in US dollars; null: not known
 */
public record AgentOutput(
        List<TraceEvent> trace,
        String text,
        Usage usage,
        @Nullable BigDecimal costUsd) {

    public AgentOutput {
        trace = List.copyOf(trace);
    }

    /** Reads {@code stdout}. No output is an error: a line without a known meaning is kept as it is. */
    public static AgentOutput read(OutputFormat format, String stdout) {
        String storable = StorableText.of(stdout);
        TraceLog log = new TraceLog();
        AgentLines lines = switch (format) {
            case TEXT, JSONL -> new PlainLines(log, storable);
            case CLAUDE -> new ClaudeLines(log);
            case CODEX -> new CodexLines(log);
            case GEMINI -> new GeminiLines(log);
        };
        storable.lines().filter(line -> !line.isBlank()).forEach(line -> {
            ObjectNode json = format == OutputFormat.TEXT ? null : object(line);
            if (json == null) {
                log.rawLine(line);
            } else {
                lines.line(json);
            }
        });
        return new AgentOutput(log.events(), StorableText.of(lines.text()), lines.usage(), lines.costUsd());
    }

    /**
     * The trace of {@code stdout}, of requests to models, and of an end that the program did not choose.
     *
     * @param modelTurns the turns of a {@link ModelUse}; null: there are none
     */
    public static List<TraceEvent> trace(
            OutputFormat format, String stdout, @Nullable String modelTurns, @Nullable String error, boolean timedOut) {
        TraceLog log = new TraceLog(read(format, stdout).trace());
        if (modelTurns != null) {
            modelTurns.lines().forEach(line -> log.modelTurn((ObjectNode) Json.tree(line)));
        }
        if (timedOut) {
            log.timeout(error == null ? "" : error);
        } else if (error != null) {
            log.error(error);
        }
        return log.events();
    }

    private static @Nullable ObjectNode object(String line) {
        String start = line.stripLeading();
        if (!start.startsWith("{")) {
            return null;
        }
        try {
            JsonNode tree = Json.mapper().readTree(line);
            return tree.isObject() ? (ObjectNode) StorableJson.of(tree) : null;
        } catch (JsonProcessingException _) {
            // Programs print other lines too, and the last one may be cut.
            return null;
        }
    }
}
