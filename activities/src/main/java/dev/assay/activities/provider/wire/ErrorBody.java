package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The error in a provider's answer. Understands the shapes of OpenAI and its likes, of a failed response, Anthropic,
 * Google, Mistral, Ollama and FastAPI; any other body is its own message.
 *
 * @param words the machine-readable code, type, status and parameter, in lower case; those that are there
 * @param error what has all this, with the message
 */
record ErrorBody(String message, Set<String> words, JsonNode error) {

    ErrorBody {
        words = Set.copyOf(words);
    }

    static ErrorBody of(String text) {
        JsonNode json = parse(text);
        JsonNode document = json.isArray() ? json.path(0) : json;
        JsonNode error = error(document);
        Set<String> words = Stream.of("code", "type", "status", "param")
                .map(field -> error.path(field).asText("").toLowerCase(Locale.ROOT))
                .filter(word -> !word.isBlank())
                .collect(Collectors.toUnmodifiableSet());
        String message = message(document, error, text);
        ObjectNode complete = error.isObject() ? (ObjectNode) error : JsonNodeFactory.instance.objectNode();
        return new ErrorBody(message, words, complete.put("message", message));
    }

    /** What in {@code document} has the code and the message of an error. */
    static JsonNode error(JsonNode document) {
        JsonNode ofResponse = document.path("response").path("error");
        if (document.path("error").isObject()) {
            return document.path("error");
        }
        return ofResponse.isObject() ? ofResponse : document;
    }

    private static JsonNode parse(String text) {
        try {
            JsonNode json = Json.mapper().readTree(text);
            return json == null ? MissingNode.getInstance() : json;
        } catch (JsonProcessingException e) {
            // Gateways and load balancers answer in HTML; then the text itself is the message.
            return MissingNode.getInstance();
        }
    }

    private static String message(JsonNode document, JsonNode error, String text) {
        for (JsonNode candidate : new JsonNode[] {
            error.path("message"), document.path("error"), document.path("detail"), document.path("message")
        }) {
            if (candidate.isTextual() && !candidate.textValue().isBlank()) {
                return candidate.textValue();
            }
        }
        return text;
    }
}
