package dev.assay.domain.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;

/**
 * The rule of checks of type {@code json}. The response must be one JSON document (RFC 8259) and nothing else: white space
 * around it is allowed, a Markdown fence or a word before it is not.
 */
final class JsonRule {

    private static final ObjectReader READER =
            Json.mapper().readerFor(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private JsonRule() {}

    static Finding find(Check.JsonDocument check, String response) {
        if (response.isBlank()) {
            return Finding.failed("Expected a JSON document, but the response is empty.");
        }
        JsonNode document;
        try {
            document = READER.readTree(response);
        } catch (StreamConstraintsException tooLarge) {
            return Finding.unscored("The JSON document is nested too deeply or has too long values to be checked.");
        } catch (JsonProcessingException e) {
            int column = e.getLocation().getColumnNr();
            String where = "line " + e.getLocation().getLineNr() + ", column " + column;
            return Finding.failed(
                    "Expected a JSON document, but found an error at " + where + " of: " + Excerpt.of(response));
        }
        if (!JsonNumbers.areReadable(document)) {
            return Finding.unscored("The JSON document holds a number with too many digits to be checked.");
        }
        JsonNode schema = check.schema();
        return schema == null
                ? Finding.passed("The response is a JSON document.")
                : validate(schema, document, response);
    }

    private static Finding validate(JsonNode schema, JsonNode document, String response) {
        return switch (ResponseSchema.apply(schema, document)) {
            case SchemaVerdict.Valid() ->
                Finding.passed("The response is a JSON document that is valid against the schema.");
            case SchemaVerdict.Invalid(String violation) ->
                Finding.failed("Expected a JSON document that is valid against the schema, but " + Excerpt.of(violation)
                        + " in: " + Excerpt.of(response));
            case SchemaVerdict.Undecided(String reason) ->
                Finding.unscored("The JSON Schema could not be applied: " + Excerpt.of(reason) + ".");
        };
    }
}
