package dev.assay.domain.delivery;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.text.Excerpt;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One line of a result file.
 *
 * @param customId names its item; null: the line names none, or cannot be read
 * @param end what became of the item, never {@link LineEnd#MISSING}
 * @param status the HTTP status that it names; null: none, as always with Anthropic
 * @param code the provider's word for an error, at most 100 characters; empty: none
 * @param words the provider's own sentence about an error on one line, at most 300 characters; empty: none
 * @param body the answer of an item that was answered, else the document of the error; missing where there is none
 */
public record DeliveredLine(
        @Nullable String customId, LineEnd end, @Nullable Integer status, String code, String words, JsonNode body) {

    /** A line that names no item. */
    public static final DeliveredLine UNREADABLE =
            new DeliveredLine(null, LineEnd.UNREADABLE, null, "", "", MissingNode.getInstance());

    private static final int CODE_CHARS = 100;
    private static final int WORDS_CHARS = 300;

    /** Two documents on a line are none: one of them lost its line feed. */
    private static final ObjectReader READER =
            Json.mapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /**
     * Reads a line.
     *
     * @param type of the provider: Anthropic has a format of its own, all others have OpenAI's
     */
    public static DeliveredLine of(ProviderType type, String text) {
        JsonNode line = document(text);
        if (!line.path("custom_id").isTextual()) {
            return UNREADABLE;
        }
        String customId = line.path("custom_id").textValue();
        return type == ProviderType.ANTHROPIC
                ? ofAnthropic(customId, line.path("result"))
                : ofOpenAi(customId, line.path("response"), line.path("error"));
    }

    private static JsonNode document(String text) {
        try {
            JsonNode document = READER.readTree(text);
            return document == null ? MissingNode.getInstance() : document;
        } catch (JsonProcessingException _) {
            return MissingNode.getInstance();
        }
    }

    private static DeliveredLine ofAnthropic(String customId, JsonNode result) {
        return switch (word(result.path("type"))) {
            case "succeeded" -> answered(customId, null, result.path("message"));
            case "expired" -> new DeliveredLine(customId, LineEnd.EXPIRED, null, "", "", result);
            case "canceled" -> new DeliveredLine(customId, LineEnd.CANCELED, null, "", "", result);
            case "errored" -> {
                JsonNode outer = result.path("error");
                JsonNode error = outer.has("error") ? outer.path("error") : outer;
                String type = word(error.path("type"));
                yield failed(customId, LineEnd.ofWord(type), null, type, error);
            }
            default -> unreadable(customId);
        };
    }

    /** An error of the batch stands over what the line says beside it. */
    private static DeliveredLine ofOpenAi(String customId, JsonNode response, JsonNode error) {
        String code = word(error.path("code"));
        if (code.equals("batch_expired") || code.equals("batch_cancelled")) {
            LineEnd end = code.equals("batch_expired") ? LineEnd.EXPIRED : LineEnd.CANCELED;
            return failed(customId, end, null, code, error);
        }
        if (response.path("status_code").isIntegralNumber()) {
            int status = response.path("status_code").canConvertToInt()
                    ? response.path("status_code").intValue()
                    : 0;
            LineEnd end = LineEnd.ofStatus(status);
            return end == LineEnd.ANSWERED
                    ? answered(customId, status, response.path("body"))
                    : failed(customId, end, status, code(response.path("body")), response.path("body"));
        }
        return error.isObject() ? failed(customId, LineEnd.RETRY, null, code, error) : unreadable(customId);
    }

    private static DeliveredLine answered(String customId, @Nullable Integer status, JsonNode body) {
        return body.isObject()
                ? new DeliveredLine(customId, LineEnd.ANSWERED, status, "", "", body)
                : unreadable(customId);
    }

    private static DeliveredLine failed(
            String customId, LineEnd end, @Nullable Integer status, String code, JsonNode body) {
        String words = word(error(body).path("message"));
        return new DeliveredLine(
                customId, end, status, Excerpt.of(code, CODE_CHARS), Excerpt.of(words, WORDS_CHARS), body);
    }

    private static String code(JsonNode body) {
        String code = word(error(body).path("code"));
        return code.isEmpty() ? word(error(body).path("type")) : code;
    }

    /** An error stands in a document of its own, or is the whole of it. */
    private static JsonNode error(JsonNode body) {
        return body.path("error").isObject() ? body.path("error") : body;
    }

    private static String word(JsonNode said) {
        return said.isTextual() || said.isNumber() ? said.asText() : "";
    }

    private static DeliveredLine unreadable(String customId) {
        return new DeliveredLine(customId, LineEnd.UNREADABLE, null, "", "", MissingNode.getInstance());
    }

    /** The same with other words of the provider, such as those without a key. */
    public DeliveredLine saying(String others) {
        return new DeliveredLine(customId, end, status, code, others, body);
    }

    /**
     * The HTTP status that a live call would have failed with. It is the one that the line names, else the one that Anthropic
     * documents for the error's type, and 500 for any other.
     */
    public int failedStatus() {
        if (status != null) {
            return status;
        }
        return switch (code) {
            case "invalid_request_error" -> 400;
            case "authentication_error" -> 401;
            case "billing_error" -> 402;
            case "permission_error" -> 403;
            case "not_found_error" -> 404;
            case "request_too_large" -> 413;
            case "rate_limit_error" -> 429;
            case "timeout_error" -> 504;
            case "overloaded_error" -> 529;
            default -> 500;
        };
    }

    /**
     * Whether the key was refused, or its account has no quota or money left, as {@link Refusal} decides it for live calls. Another key
     * may be answered then. An item of end {@link LineEnd#AUTH} for which this is false may not do what it was asked for, which is final.
     */
    public boolean refusesKey() {
        return switch (end) {
            case AUTH, REFUSED, RETRY -> {
                JsonNode error = error(body);
                Set<String> words = Stream.of(code, word(error.path("code")), word(error.path("type")))
                        .map(said -> said.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
                String message = word(error.path("message")).toLowerCase(Locale.ROOT);
                yield Refusal.ofKey(failedStatus(), words, message) != null;
            }
            case ANSWERED, EXPIRED, CANCELED, UNREADABLE, MISSING -> false;
        };
    }
}
