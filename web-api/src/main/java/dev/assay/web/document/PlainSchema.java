package dev.assay.web.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes a JSON Schema with the keywords that tools for OpenAPI know. */
final class PlainSchema {

    /** Keywords that say which fields go together. No field of a file has one of these names. */
    private static final List<String> RULES =
            List.of("if", "then", "else", "not", "contains", "minContains", "maxContains", "propertyNames");

    private static final List<String> CHOICES = List.of("allOf", "anyOf", "oneOf");

    private static final List<String> KNOWN_OBJECTS =
            List.of("properties", "additionalProperties", "allOf", "anyOf", "oneOf");

    private PlainSchema() {}

    /**
     * Leaves out rules on which fields go together, as that only one of several choices may hold, and the type where there are
     * several. Null and defaults go, too. Both mean the same as a field that is left out. Clients made from the document would send
     * them with each file, also where the field does not belong.
     */
    static void simplify(JsonNode node) {
        if (node instanceof ObjectNode schema) {
            schema.remove(RULES);
            CHOICES.forEach(choice -> keepTyped(schema, choice));
            sayDefault(schema);
            withoutNull(schema);
        }
        node.forEach(PlainSchema::simplify);
    }

    private static void sayDefault(ObjectNode schema) {
        JsonNode value = schema.remove("default");
        String description = schema.path("description").asText();
        if (value != null && !value.isNull() && !description.contains("eft out")) {
            schema.put("description", (description + " Left out: " + value + ".").strip());
        }
    }

    /** Clients in Python would send a field without a type as null. So what is an object first is described as nothing else. */
    private static void withoutNull(ObjectNode schema) {
        if (schema.path("type") instanceof ArrayNode types) {
            types.removeIf(type -> type.asText().equals("null"));
            if (types.size() == 1 || isObject(types.path(0))) {
                schema.set("type", types.get(0));
            } else {
                schema.remove("type");
            }
        }
        if (schema.path("enum") instanceof ArrayNode values) {
            values.removeIf(JsonNode::isNull);
        }
    }

    private static void keepTyped(ObjectNode schema, String choice) {
        if (!(schema.path(choice) instanceof ArrayNode members)) {
            return;
        }
        ArrayNode kept = schema.arrayNode();
        members.forEach(member -> {
            if (member.has("$ref")
                    || (member.has("type") && !member.path("type").asText().equals("null"))) {
                kept.add(member);
            }
        });
        schema.remove(choice);
        if (!kept.isEmpty()) {
            schema.set(choice.equals("oneOf") ? "anyOf" : choice, kept);
        }
    }

    /** Marks objects of unknown content as free: they may hold anything. */
    static void freeObjects(JsonNode node) {
        node.forEach(PlainSchema::freeObjects);
        if (node instanceof ObjectNode schema
                && isObject(schema.path("type"))
                && KNOWN_OBJECTS.stream().noneMatch(schema::has)) {
            schema.put("additionalProperties", true);
        }
    }

    /** Whether {@code type} is a type, and no field with that name, and lets a value be an object. */
    private static boolean isObject(JsonNode type) {
        if (type.isTextual()) {
            return type.asText().equals("object");
        }
        for (JsonNode one : type) {
            if (type.isArray() && one.asText().equals("object")) {
                return true;
            }
        }
        return false;
    }
}
