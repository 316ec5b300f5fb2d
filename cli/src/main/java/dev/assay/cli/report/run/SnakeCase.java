package dev.assay.cli.report.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;

/** Answers of the API as part of a summary, whose fields are in snake case. */
final class SnakeCase {

    private static final SnakeCaseStrategy WORDS = new SnakeCaseStrategy();

    private SnakeCase() {}

    /** The same with the names of all fields in snake case. */
    static JsonNode of(JsonNode value) {
        if (value.isObject()) {
            ObjectNode fields = Json.mapper().createObjectNode();
            value.properties().forEach(field -> fields.set(WORDS.translate(field.getKey()), of(field.getValue())));
            return fields;
        }
        if (value.isArray()) {
            ArrayNode items = Json.mapper().createArrayNode();
            value.forEach(item -> items.add(of(item)));
            return items;
        }
        return value;
    }
}
