package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentLimits;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;

/** Puts in the place of each {@code $ref} what it names in the same document. */
final class References {

    /** The size to which references may grow a document, in values. */
    private static final int MAX_NODES = 1_000_000;

    private final JsonNode root;
    private final ImportReport report;
    private int nodes;

    private References(JsonNode root, ImportReport report) {
        this.root = root;
        this.report = report;
    }

    /** {@code root} without references; what cannot be found is reported and left as it is. */
    static JsonNode resolve(JsonNode root, ImportReport report) {
        return new References(root, report).copy(root, "", 0);
    }

    private JsonNode copy(JsonNode node, String path, int depth) {
        if (!node.isContainerNode()) {
            return node;
        }
        if (depth > DocumentLimits.MAX_DEPTH || ++nodes > MAX_NODES) {
            report.error(path, "References make the document too large or too deep here; one may name itself.");
            return JsonNodeFactory.instance.nullNode();
        }
        JsonNode reference = node.path("$ref");
        if (reference.isTextual()) {
            return named(reference.textValue(), node, path, depth);
        }
        if (node.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode(node.size());
            for (int i = 0; i < node.size(); i++) {
                list.add(copy(node.get(i), DocumentPath.item(path, i), depth + 1));
            }
            return list;
        }
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        node.properties()
                .forEach(field -> object.set(
                        field.getKey(), copy(field.getValue(), DocumentPath.field(path, field.getKey()), depth + 1)));
        return object;
    }

    private JsonNode named(String reference, JsonNode node, String path, int depth) {
        if (!reference.startsWith("#/")) {
            report.error(path, "`$ref` must name a place in this file, such as #/assertionTemplates/polite.");
            return JsonNodeFactory.instance.nullNode();
        }
        JsonNode found = root.at(JsonPointer.compile(reference.substring(1)));
        if (found.isMissingNode()) {
            report.error(path, "`$ref` names nothing in this file; write what it stands for.");
            return node;
        }
        return copy(found, path, depth + 1);
    }
}
