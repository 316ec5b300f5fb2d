package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.assay.domain.json.Json;

/** The reader of what a compute process says: nothing is added, or of another type. What is left out is null. */
final class Strict {

    private static final ObjectReader READER = Json.mapper()
            .reader()
            .with(
                    DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                    DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                    DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS);

    private Strict() {}

    static <T> T read(JsonNode said, Class<T> type) throws JsonProcessingException {
        T value = READER.treeToValue(said, type);
        if (value == null) {
            throw new IllegalArgumentException("null is no " + type.getSimpleName());
        }
        return value;
    }

    static String text(JsonNode said) {
        if (!said.isTextual()) {
            throw new IllegalArgumentException("A text was expected");
        }
        return said.textValue();
    }
}
