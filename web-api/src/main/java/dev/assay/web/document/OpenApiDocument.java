package dev.assay.web.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes one document of OpenAPI 3.1 from the build's document of 3.0, which refers to the JSON Schemas of the files that clients
 * send. In 3.1 a schema is one of JSON Schema 2020-12. So these become components like all others, and {@code nullable} a type.
 *
 * <p>Tools that read OpenAPI know less than JSON Schema, so the document uses only what they know. References go to components
 * only, and one into the inside of a schema becomes a copy. A value has one type beside null. Rules on which fields go together are
 * left out: the schemas at {@code /schemas} have them.
 */
final class OpenApiDocument {

    private static final String COMPONENTS = "#/components/schemas/";
    private static final String JSON = "application/json";
    private static final String DEFINITIONS = "/$defs/";

    /** Names of components, by the schemas that become these. */
    private static final Map<String, String> FILES = new TreeMap<>(Map.of(
            "campaign.json", "CampaignFile",
            "evaluation.json", "EvaluationFile",
            "hypothesis-evaluation.json", "HypothesisFile",
            "scoring.json", "ScoringFile"));

    private final ObjectNode document;
    private final Map<String, ObjectNode> files;

    private OpenApiDocument(ObjectNode document, Map<String, ObjectNode> files) {
        this.document = document;
        this.files = files;
    }

    /** The names of the schemas that the document refers to. */
    static List<String> files() {
        return List.copyOf(FILES.keySet());
    }

    /**
     * The document of 3.1.
     *
     * @param document of 3.0; it is changed
     * @param files the schemas by their names
     */
    static ObjectNode of(ObjectNode document, Map<String, ObjectNode> files) {
        return new OpenApiDocument(document, files).make();
    }

    private ObjectNode make() {
        document.put("openapi", "3.1.0");
        identify(document.at("/info/license"));
        translate(document);
        document.path("paths")
                .forEach(path -> path.forEach(operation -> {
                    first(operation.at("/requestBody/content"), JSON::equals);
                    first(operation.path("responses"), status -> status.startsWith("2"));
                }));
        ObjectNode schemas = document.withObject("/components/schemas");
        FILES.forEach((file, name) -> {
            ObjectNode schema = file(file).deepCopy();
            schema.remove(List.of("$schema", "$id", "$defs"));
            schemas.set(name, schema);
            file(file)
                    .path("$defs")
                    .properties()
                    .forEach(entry -> schemas.set(
                            inFile(entry.getKey(), name), entry.getValue().deepCopy()));
            schemas.properties().stream()
                    .filter(entry -> entry.getKey().endsWith(name))
                    .forEach(entry -> {
                        PlainSchema.simplify(entry.getValue());
                        refer(entry.getValue(), file);
                    });
        });
        refer(document, "");
        PlainSchema.freeObjects(schemas);
        return document;
    }

    /** In 3.1 a license has its SPDX word as identifier. Its name is the same word, which generators write into their packages. */
    private static void identify(JsonNode license) {
        if (license instanceof ObjectNode known) {
            known.set("identifier", known.get("name"));
        }
    }

    private ObjectNode file(String name) {
        ObjectNode file = files.get(name);
        if (file == null) {
            throw new IllegalStateException("There is no schema " + name);
        }
        return file;
    }

    /** A name that begins with the definition's name: generators put the names of fields behind that of their schema. */
    private static String inFile(String definition, @Nullable String file) {
        return Character.toUpperCase(definition.charAt(0)) + definition.substring(1) + "In" + file;
    }

    /**
     * Moves names to the front: generated clients write bodies in the first type that is named, and accept the first type of the
     * first answer.
     */
    private static void first(JsonNode node, Predicate<String> goesFirst) {
        if (node instanceof ObjectNode object) {
            ObjectNode before = object.deepCopy();
            object.removeAll();
            before.properties().stream()
                    .sorted(Comparator.comparing(entry -> !goesFirst.test(entry.getKey())))
                    .forEach(entry -> object.set(entry.getKey(), entry.getValue()));
        }
    }

    /** Translates {@code nullable}: in JSON Schema null is a type. */
    private static void translate(JsonNode node) {
        node.forEach(OpenApiDocument::translate);
        if (!(node instanceof ObjectNode schema) || !schema.path("nullable").asBoolean()) {
            return;
        }
        schema.remove("nullable");
        if (schema.has("type")) {
            JsonNode type = schema.get("type");
            schema.putArray("type").add(type).add("null");
            // Members that repeat the type would refuse null.
            if (schema.path("allOf") instanceof ArrayNode members) {
                members.removeIf(
                        member -> member.size() == 1 && member.path("type").equals(type));
                if (members.isEmpty()) {
                    schema.remove("allOf");
                }
            }
            if (schema.path("enum") instanceof ArrayNode values) {
                values.addNull();
            }
        } else if (schema.has("allOf")) {
            ArrayNode choices = schema.putArray("anyOf").addAll((ArrayNode) schema.remove("allOf"));
            choices.addObject().put("type", "null");
        }
    }

    /** Turns references into {@code file}, or into a file that they name, into references to components. */
    private void refer(JsonNode node, String file) {
        node.forEach(child -> refer(child, file));
        if (!(node instanceof ObjectNode object) || !object.path("$ref").isTextual()) {
            return;
        }
        String reference = object.get("$ref").asText();
        if (reference.startsWith(COMPONENTS)) {
            return;
        }
        int hash = reference.indexOf('#');
        String named = hash < 0 ? reference : reference.substring(0, hash);
        String target = named.isEmpty() ? file : named.substring(named.lastIndexOf('/') + 1);
        String pointer = hash < 0 ? "" : reference.substring(hash + 1);
        String inside = pointer.startsWith(DEFINITIONS) ? pointer.substring(DEFINITIONS.length()) : pointer;
        if (pointer.isEmpty()) {
            component(object, COMPONENTS + FILES.get(target));
        } else if (pointer.startsWith(DEFINITIONS) && inside.indexOf('/') < 0) {
            component(object, COMPONENTS + inFile(inside, FILES.get(target)));
        } else {
            ObjectNode copy = (ObjectNode) file(target).at(pointer).deepCopy();
            PlainSchema.simplify(copy);
            refer(copy, target);
            object.remove("$ref");
            copy.properties().forEach(entry -> object.putIfAbsent(entry.getKey(), entry.getValue()));
        }
    }

    /** Tools overlook what stands beside a reference. */
    private static void component(ObjectNode schema, String reference) {
        if (schema.size() == 1) {
            schema.put("$ref", reference);
        } else {
            schema.remove("$ref");
            schema.withArray("allOf").addObject().put("$ref", reference);
        }
    }
}
