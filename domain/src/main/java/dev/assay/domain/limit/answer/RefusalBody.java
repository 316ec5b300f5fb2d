package dev.assay.domain.limit.answer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The body of a refusal: whatever a provider, or something before it, sent. */
final class RefusalBody {

    private final JsonNode error;

    /** @param body the parsed JSON; a text where it is none */
    RefusalBody(JsonNode body) {
        JsonNode document = body.isArray() ? body.path(0) : body;
        error = document.path("error").isObject()
                ? document.path("error")
                : document.isObject() ? document : MissingNode.getInstance();
    }

    /** The JSON of a body; a text where it is none. */
    static JsonNode parsed(String body) {
        try {
            return Json.mapper().readTree(body);
        } catch (JsonProcessingException _) {
            // Gateways and load balancers answer in HTML.
            return TextNode.valueOf(body);
        }
    }

    /** Its words for people; empty: none. */
    String message() {
        JsonNode message = error.path("message");
        return message.isContainerNode() ? message.toString() : message.asText("");
    }

    String lowerMessage() {
        return message().toLowerCase(Locale.ROOT);
    }

    /** Its words for machines, in lower case. */
    Set<String> words() {
        return Stream.of("code", "type", "status", "param")
                .map(field -> error.path(field).asText("").toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Google's details that are objects. */
    List<JsonNode> details() {
        return objects(error.path("details"));
    }

    /** The quotas that are exhausted, as Google's details name them. */
    List<JsonNode> violations() {
        return details().stream()
                .flatMap(detail -> objects(detail.path("violations")).stream())
                .toList();
    }

    /** Whether a quota of a day is exhausted. */
    boolean isOfDay() {
        return violations().stream()
                .anyMatch(violation -> violation.path("quotaId").asText("").contains("PerDay"));
    }

    /** The headers of the provider behind, as OpenRouter passes them on. */
    AnswerHeaders innerHeaders() {
        Map<String, String> headers = new LinkedHashMap<>();
        error.path("metadata").path("headers").properties().forEach(header -> {
            if (header.getValue().isTextual()) {
                headers.put(header.getKey(), header.getValue().textValue());
            }
        });
        return new AnswerHeaders(headers);
    }

    private static List<JsonNode> objects(JsonNode list) {
        return list.isArray()
                ? StreamSupport.stream(list.spliterator(), false)
                        .filter(JsonNode::isObject)
                        .toList()
                : List.of();
    }
}
