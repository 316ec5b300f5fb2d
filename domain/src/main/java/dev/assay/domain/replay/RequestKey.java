package dev.assay.domain.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.message.Message;
import dev.assay.domain.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The key of a question to a model, under which a recorded answer is found again for the same question only. */
public final class RequestKey {

    private RequestKey() {}

    /** The key of a question that offers no tools. */
    public static String of(ModelChoice choice, @Nullable String systemPrompt, List<Message> messages) {
        return of(choice, systemPrompt, messages, List.of());
    }

    /**
     * SHA-256, in hexadecimal, of model, thinking, parameters, system prompt, messages and tools.
     *
     * @param tools what is offered. Tools that the campaign does not declare itself do not count, as they are unknown before a
     *     server is asked
     */
    public static String of(
            ModelChoice choice, @Nullable String systemPrompt, List<Message> messages, List<ToolSpec> tools) {
        ObjectNode asked = Json.mapper().createObjectNode();
        asked.put("provider", choice.provider());
        asked.put("model", choice.model());
        asked.put("thinking", choice.thinking().word());
        asked.set("parameters", Json.mapper().valueToTree(choice.parameters()));
        asked.put("systemPrompt", systemPrompt);
        asked.set("messages", Json.mapper().valueToTree(messages));
        // Absent without tools, so that answers recorded before there were any are found.
        tools.stream()
                .filter(ToolSpec::declared)
                .forEach(tool -> asked.withArray("tools")
                        .addObject()
                        .put("name", tool.name())
                        .put("description", tool.description())
                        .set("parameters", tool.parameters()));
        return sha256(canonical(asked));
    }

    /** SHA-256 of {@code text} in UTF-8, in hexadecimal. */
    public static String sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /**
     * JSON with sorted keys and every number in its plain form. So neither the order nor the spelling of a document matters:
     * {@code 1}, {@code 1.0} and {@code 1e0} are the same.
     */
    public static String canonical(JsonNode json) {
        try {
            return Json.mapper().writeValueAsString(sorted(json));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("A JSON tree cannot be written as JSON", e);
        }
    }

    private static JsonNode sorted(JsonNode json) {
        if (json.isNumber()) {
            return JsonNumbers.node(json.decimalValue());
        }
        if (json.isArray()) {
            ArrayNode items = Json.mapper().createArrayNode();
            json.forEach(item -> items.add(sorted(item)));
            return items;
        }
        if (!json.isObject()) {
            return json;
        }
        ObjectNode fields = Json.mapper().createObjectNode();
        json.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(field -> fields.set(field.getKey(), sorted(field.getValue())));
        return fields;
    }
}
