package dev.assay.domain.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.text.StorableText;

/**
 * Trees as they can be stored. Texts and names follow {@link StorableText}, a number that cannot be written out becomes a text, and
 * deeper nesting than allowed becomes U+FFFD.
 */
public final class StorableJson {

    /** The deepest nesting of objects and lists. */
    public static final int MAX_DEPTH = 100;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonNode TOO_DEEP = TextNode.valueOf("\uFFFD");

    private StorableJson() {}

    /** {@code tree} itself where it is storable, else a copy that is. */
    public static JsonNode of(JsonNode tree) {
        return of(tree, 0);
    }

    private static JsonNode of(JsonNode node, int depth) {
        return switch (node.getNodeType()) {
            case STRING -> text(node);
            case NUMBER ->
                JsonNumbers.isReadable(node)
                        ? node
                        : TextNode.valueOf(node.numberValue().toString());
            case ARRAY -> depth == MAX_DEPTH ? TOO_DEEP : array(node, depth);
            case OBJECT -> depth == MAX_DEPTH ? TOO_DEEP : object(node, depth);
            case BOOLEAN, NULL, MISSING, BINARY, POJO -> node;
        };
    }

    private static JsonNode text(JsonNode node) {
        String storable = StorableText.of(node.textValue());
        return storable.equals(node.textValue()) ? node : TextNode.valueOf(storable);
    }

    private static JsonNode array(JsonNode array, int depth) {
        ArrayNode copy = NODES.arrayNode(array.size());
        boolean same = true;
        for (JsonNode item : array) {
            JsonNode storable = of(item, depth + 1);
            same &= storable.equals(item);
            copy.add(storable);
        }
        return same ? array : copy;
    }

    private static JsonNode object(JsonNode object, int depth) {
        ObjectNode copy = NODES.objectNode();
        boolean same = true;
        for (var field : object.properties()) {
            String name = StorableText.of(field.getKey());
            JsonNode storable = of(field.getValue(), depth + 1);
            same &= name.equals(field.getKey()) && storable.equals(field.getValue());
            copy.set(name, storable);
        }
        return same ? object : copy;
    }
}
