package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.domain.json.Json;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The error in a provider's answer. Understands the shapes of OpenAI and its likes, of a failed response, Anthropic,
 * Google, Mistral, Ollama and FastAPI; any other body is its own message.
 *
 * @param words the machine-readable code, type, status and parameter, in lower case; those that are there
 * @param retryDelay how long Google's details ask to wait; null: they do not say
 */
public record ErrorBody(
        String message, Set<String> words, @Nullable Duration retryDelay) {

    private static final Pattern SECONDS = Pattern.compile("(\\d{1,6})(\\.\\d+)?s");

    public ErrorBody {
        words = Set.copyOf(words);
    }

    static ErrorBody of(String text) {
        JsonNode json = parse(text);
        JsonNode document = json.isArray() ? json.path(0) : json;
        JsonNode error = error(document);
        Set<String> words = Stream.of("code", "type", "status", "param")
                .map(field -> error.path(field).asText("").toLowerCase(Locale.ROOT))
                .filter(word -> !word.isBlank())
                .collect(java.util.stream.Collectors.toUnmodifiableSet());
        return new ErrorBody(message(document, error, text), words, retryDelay(error.path("details")));
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

    private static @Nullable Duration retryDelay(JsonNode details) {
        for (JsonNode detail : details) {
            Matcher matcher = SECONDS.matcher(detail.path("retryDelay").asText(""));
            if (matcher.matches()) {
                long seconds = Long.parseLong(matcher.group(1));
                return Duration.ofSeconds(matcher.group(2) == null ? seconds : seconds + 1);
            }
        }
        return null;
    }
}
