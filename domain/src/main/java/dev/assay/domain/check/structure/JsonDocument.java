package dev.assay.domain.check.structure;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;

/** A response that should be one JSON document (RFC 8259) and nothing else but white space around it. */
public sealed interface JsonDocument {

    /** The response is a JSON document. */
    record Read(JsonNode document) implements JsonDocument {}

    /** The response is no JSON document, or one that cannot be checked. */
    record Unreadable(Finding why) implements JsonDocument {}

    /** Reads {@code response}. */
    static JsonDocument of(String response) {
        if (response.isBlank()) {
            return new Unreadable(Finding.failed("Expected a JSON document, but the response is empty."));
        }
        try {
            JsonNode document = Strict.READER.readTree(response);
            return JsonNumbers.areReadable(document)
                    ? new Read(document)
                    : new Unreadable(
                            Finding.unscored("The JSON document holds a number with too many digits to be checked."));
        } catch (StreamConstraintsException tooLarge) {
            return new Unreadable(
                    Finding.unscored("The JSON document is nested too deeply or has too long values to be checked."));
        } catch (JsonProcessingException e) {
            int column = e.getLocation().getColumnNr();
            String where = "line " + e.getLocation().getLineNr() + ", column " + column;
            return new Unreadable(Finding.failed(
                    "Expected a JSON document, but found an error at " + where + " of: " + Excerpt.of(response)));
        }
    }

    /** The reader that lets nothing follow. */
    final class Strict {
        private static final ObjectReader READER =
                Json.mapper().readerFor(JsonNode.class).with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

        private Strict() {}
    }
}
