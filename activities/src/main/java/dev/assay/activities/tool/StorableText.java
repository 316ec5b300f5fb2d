package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

/** What a server says, without what PostgreSQL cannot store: U+0000 and half a surrogate pair become U+FFFD. */
final class StorableText {

    private static final int REPLACEMENT = 0xFFFD;

    private StorableText() {}

    static String of(String text) {
        return text.codePoints()
                .map(character -> isStorable(character) ? character : REPLACEMENT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static boolean isStorable(int character) {
        return character != 0 && Character.getType(character) != Character.SURROGATE;
    }

    /** The same tree; names and texts in it are storable. */
    static JsonNode of(JsonNode tree) {
        if (tree.isObject()) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            tree.properties().forEach(field -> object.set(of(field.getKey()), of(field.getValue())));
            return object;
        }
        if (tree.isArray()) {
            ArrayNode array = JsonNodeFactory.instance.arrayNode();
            tree.forEach(item -> array.add(of(item)));
            return array;
        }
        return tree.isTextual() ? TextNode.valueOf(of(tree.textValue())) : tree;
    }
}
