package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.json.Json;
import java.util.regex.Pattern;

/** The form in which a model is asked to answer: JSON. What it answers stays a text. */
public sealed interface ResponseFormat {

    /** The parameter that states it. */
    String PARAMETER = "responseFormat";

    /** What users write for any JSON. */
    String ANY_JSON = "json";

    /** The names of schemas that every API takes. */
    Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** Any JSON. */
    record AnyJson() implements ResponseFormat {}

    /**
     * JSON after a schema.
     *
     * @param name by which the provider knows the schema
     * @param schema a JSON Schema, an object
     * @param strict whether the provider holds the model to the schema; it may refuse a schema to which it cannot
     */
    record BySchema(String name, JsonNode schema, boolean strict) implements ResponseFormat {

        public BySchema {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "responseFormat is `json`, or has a name of 1 to 64 letters, digits, '_' or '-'");
            }
            if (!schema.isObject()) {
                throw new IllegalArgumentException("responseFormat has a schema, which is an object");
            }
        }
    }

    /**
     * Reads the parameter in the form in which {@link #written} gives it.
     *
     * @throws IllegalArgumentException when it has another form
     */
    static ResponseFormat of(JsonNode parameter) {
        return parameter.asText().equals(ANY_JSON)
                ? new AnyJson()
                : new BySchema(
                        parameter.path("name").asText(),
                        parameter.path("schema"),
                        parameter.path("strict").asBoolean());
    }

    /** The parameter, in the one form that each meaning has. */
    default JsonNode written() {
        return switch (this) {
            case AnyJson() -> TextNode.valueOf(ANY_JSON);
            case BySchema(String name, JsonNode schema, boolean strict) -> {
                ObjectNode written = Json.mapper().createObjectNode().put("name", name);
                yield written.<ObjectNode>set("schema", schema).put("strict", strict);
            }
        };
    }

    /** The same without the schema, which may be large and is on record with the campaign. */
    default JsonNode named() {
        return switch (this) {
            case AnyJson() -> written();
            case BySchema(String name, JsonNode _, boolean strict) ->
                Json.mapper().createObjectNode().put("name", name).put("strict", strict);
        };
    }
}
