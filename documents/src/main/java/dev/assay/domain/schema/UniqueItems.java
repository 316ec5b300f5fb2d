package dev.assay.domain.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.assay.domain.json.JsonNumbers;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds equal items of an array. The nodes themselves are no keys of a set. The array's author can give them all one hash code, and
 * each is then compared with each. Texts are ordered, so that a set of them stays fast.
 */
final class UniqueItems {

    private UniqueItems() {}

    /** Two equal items, as an array of them; empty: all differ. Numbers are equal when their values are (JSON Schema 4.2.2). */
    static Optional<ArrayNode> repeated(JsonNode array) {
        Set<String> seen = new HashSet<>();
        for (JsonNode item : array) {
            StringBuilder key = new StringBuilder();
            write(item, key);
            if (!seen.add(key.toString())) {
                return Optional.of(
                        JsonNodeFactory.instance.arrayNode().add(item).add(item));
            }
        }
        return Optional.empty();
    }

    private static void write(JsonNode node, StringBuilder key) {
        if (node.isObject()) {
            Map<String, JsonNode> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
            key.append('{').append(fields.size());
            fields.forEach((name, value) -> {
                text(name, key);
                write(value, key);
            });
        } else if (node.isArray()) {
            key.append('[').append(node.size());
            node.forEach(item -> write(item, key));
        } else if (node.isTextual()) {
            text(node.textValue(), key);
        } else if (node.isNumber()) {
            key.append('#').append(JsonNumbers.plain(node.decimalValue())).append(';');
        } else {
            key.append(node.asText()).append(';');
        }
    }

    /** With its length, so that no text looks like the end of one and the beginning of another. */
    private static void text(String text, StringBuilder key) {
        key.append('"').append(text.length()).append('"').append(text);
    }
}
