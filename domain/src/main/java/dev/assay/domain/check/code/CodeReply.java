package dev.assay.domain.check.code;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.Json;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What came of running own code. */
public sealed interface CodeReply {

    /**
     * It returned.
     *
     * @param value as JSON
     * @param type what JSON has no value for, as in {@code NaN} and {@code undefined}; null: it is {@code value}
     */
    record Returned(JsonNode value, @Nullable String type) implements CodeReply {}

    /** It raised. */
    record Raised(String message) implements CodeReply {}

    /** Something kept it from running to its end: its syntax, a missing name, time, or the end of its process. */
    record NotRun(String message) implements CodeReply {}

    /** Kinds of errors that say something of the answer, not of the code. */
    Set<String> RAISED = Set.of("RAISED");

    /** Reads what users' programs print: one JSON value and nothing else. Null: it is none. */
    static @Nullable JsonNode json(String text) {
        try {
            JsonNode read = Json.mapper()
                    .reader()
                    .with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .readTree(text);
            return read == null || read.isMissingNode() ? null : read;
        } catch (JsonProcessingException _) {
            return null;
        }
    }

    /** The reply of a program that has ended: one JSON value, or a text. */
    static CodeReply ofPrinted(String output) {
        JsonNode value = json(output);
        return new Returned(value == null ? TextNode.valueOf(output.strip()) : value, null);
    }

    /** The reply of a program whose output is a text. */
    static CodeReply ofText(String output) {
        return new Returned(
                TextNode.valueOf(output.endsWith("\n") ? output.substring(0, output.length() - 1) : output), null);
    }

    /** Reads a reply of the protocol. */
    static CodeReply read(JsonNode reply) {
        JsonNode error = reply.get("error");
        if (error != null && error.isObject()) {
            String message = error.path("message").asText("The code failed without a word");
            return RAISED.contains(error.path("kind").asText()) ? new Raised(message) : new NotRun(message);
        }
        JsonNode result = reply.get("result");
        return result == null
                ? new NotRun("The process of the code gave a reply with neither a result nor an error")
                : new Returned(result, reply.path("type").textValue());
    }
}
