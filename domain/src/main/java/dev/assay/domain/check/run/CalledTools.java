package dev.assay.domain.check.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.json.Json;
import dev.assay.domain.trace.TraceEvent;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of the tools that an answer called. */
final class CalledTools {

    private static final Set<String> TELLING = Set.of("message", "tool_use", "tool_result");

    private CalledTools() {}

    /**
     * The names, each once, in order. They are those of the trace, else those of calls that the response holds as JSON in the form
     * of OpenAI, Anthropic or Google. Null: a program answered whose trace does not tell.
     */
    static @Nullable Set<String> of(CheckInput input) {
        Set<String> names = new LinkedHashSet<>();
        List<TraceEvent> trace = input.trace();
        trace.forEach(event ->
                add(names, event.payload().path("tool_name"), type(event).equals("tool_use")));
        if (names.isEmpty()) {
            written(names, input.response());
        }
        boolean tells =
                input.evidence().stdout() == null || trace.stream().anyMatch(event -> TELLING.contains(type(event)));
        return names.isEmpty() && !tells ? null : names;
    }

    private static String type(TraceEvent event) {
        return event.payload().path("type").asText();
    }

    private static void written(Set<String> names, String response) {
        if (response.length() > 1_000_000) {
            return;
        }
        JsonNode whole = json(response);
        if (whole != null) {
            collect(names, whole);
            return;
        }
        response.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("{") || line.startsWith("["))
                .map(CalledTools::json)
                .forEach(line -> {
                    if (line != null) {
                        collect(names, line);
                    }
                });
    }

    private static @Nullable JsonNode json(String text) {
        try {
            return Json.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private static void collect(Set<String> names, JsonNode written) {
        if (written.isArray()) {
            written.forEach(call -> call(names, call, true));
        } else if (written.path("tool_calls").isArray()) {
            written.get("tool_calls").forEach(call -> call(names, call, true));
        } else if (written.path("toolCall").isObject()) {
            written.get("toolCall").path("functionCalls").forEach(call -> add(names, call.path("name"), true));
        } else {
            call(names, written, written.path("type").asText().equals("tool_use"));
        }
    }

    /** @param isCall whether the object itself is a call; else only one that stands inside of it counts */
    private static void call(Set<String> names, JsonNode node, boolean isCall) {
        add(names, node.path("functionCall").path("name"), true);
        add(names, node.path("function").path("name"), isCall);
        add(names, node.path("name"), isCall);
    }

    private static void add(Set<String> names, JsonNode name, boolean counts) {
        if (counts && name.isTextual()) {
            names.add(name.textValue());
        }
    }
}
