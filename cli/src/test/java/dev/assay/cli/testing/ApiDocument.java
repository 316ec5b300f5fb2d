package dev.assay.cli.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import dev.assay.domain.json.Json;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** An OpenAPI document, and what it promises of answers. */
public final class ApiDocument {

    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDialect(Dialects.getDraft202012());

    private final JsonNode document;
    private final JsonNode definitions;

    /** Reads the document, as JSON. */
    public ApiDocument(JsonNode document) {
        this.document = document;
        this.definitions = schema(document.at("/components/schemas"));
    }

    /** An address with a method. */
    public record Operation(String method, String path) {}

    /** Every address of the document with each of its methods, such as {@code GET /api/v1/campaigns/{id}}. */
    public List<Operation> operations() {
        return document.get("paths").properties().stream()
                .flatMap(path -> methods(path.getValue()).map(method -> new Operation(method, path.getKey())))
                .toList();
    }

    private static Stream<String> methods(JsonNode path) {
        return path.properties().stream().map(Map.Entry::getKey).map(method -> method.toUpperCase(Locale.ROOT));
    }

    /** What in {@code answer} is not as the document says of {@code operation}; empty: nothing. */
    public List<String> violations(Operation operation, HttpResponse<String> answer) {
        JsonNode responses = document.get("paths")
                .path(operation.path())
                .path(operation.method().toLowerCase(Locale.ROOT))
                .path("responses");
        String status = String.valueOf(answer.statusCode());
        String type = answer.headers().firstValue("Content-Type").orElse("").split(";", 2)[0];
        JsonNode schema = responses
                .path(responses.has(status) ? status : status.charAt(0) + "XX")
                .path("content")
                .path(type)
                .path("schema");
        if (answer.body().isEmpty()
                && responses.has(status)
                && !responses.path(status).has("content")) {
            return List.of();
        }
        if (schema.isMissingNode()) {
            return List.of("HTTP " + status + " with " + type + " is not documented");
        }
        JsonNode body = schema.path("type").asText().equals("string")
                ? TextNode.valueOf(answer.body())
                : Json.tree(answer.body());
        ObjectNode whole = (ObjectNode) schema(schema);
        whole.set("$defs", definitions);
        return SCHEMAS.getSchema(whole).validate(body).stream()
                .map(Error::toString)
                .toList();
    }

    /** The same, but with no field that is not documented. */
    private static JsonNode schema(JsonNode openApi) {
        JsonNode schema = Json.tree(Json.write(openApi).replace("#/components/schemas/", "#/$defs/"));
        translate(schema);
        return schema;
    }

    private static void translate(JsonNode node) {
        node.forEach(ApiDocument::translate);
        if (!(node instanceof ObjectNode object)) {
            return;
        }
        object.remove("example");
        boolean isObject = object.path("type").toString().contains("\"object\"");
        if (isObject && object.has("properties") && !object.has("allOf")) {
            object.put("additionalProperties", false);
        }
    }
}
