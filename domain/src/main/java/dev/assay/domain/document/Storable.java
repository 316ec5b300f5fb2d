package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.JsonNumbers;

/** Finds what no field of a document may hold, because it could not be stored or walked through. */
public final class Storable {

    /** How deep objects and lists may be nested. */
    public static final int MAX_DEPTH = 100;

    private Storable() {}

    /** Whether {@code root} is nested at most {@value #MAX_DEPTH} levels deep; else reports where it is deeper. */
    public static boolean isShallow(JsonNode root, String path, Problems problems) {
        return isShallow(root, path, 0, problems);
    }

    private static boolean isShallow(JsonNode node, String path, int depth, Problems problems) {
        if (depth > MAX_DEPTH) {
            problems.add(path, "The document is nested more than " + MAX_DEPTH + " levels deep here; make it flatter.");
            return false;
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            JsonNode item = node.get(i);
            if (item.isContainerNode() && !isShallow(item, DocumentPath.item(path, i), depth + 1, problems)) {
                return false;
            }
        }
        return !node.isObject()
                || node.properties().stream()
                        .filter(field -> field.getValue().isContainerNode())
                        .allMatch(field -> isShallow(
                                field.getValue(), DocumentPath.field(path, field.getKey()), depth + 1, problems));
    }

    /**
     * Reports texts and names with U+0000 (PostgreSQL cannot store it) or with half a surrogate pair (no UTF-8 form), and
     * numbers that cannot be written out. Paths at which an error was found already are left alone.
     *
     * @param node a shallow tree
     */
    public static void check(JsonNode node, String path, Problems problems) {
        switch (node.getNodeType()) {
            case STRING -> checkText(node.textValue(), path, problems);
            case NUMBER -> checkNumber(node, path, problems);
            case ARRAY -> {
                for (int i = 0; i < node.size(); i++) {
                    check(node.get(i), DocumentPath.item(path, i), problems);
                }
            }
            case OBJECT ->
                node.properties().forEach(field -> {
                    String inner = DocumentPath.field(path, field.getKey());
                    checkText(field.getKey(), inner, problems);
                    check(field.getValue(), inner, problems);
                });
            case BOOLEAN, NULL, MISSING, BINARY, POJO -> {}
        }
    }

    private static void checkText(String text, String path, Problems problems) {
        if (problems.foundAt(path)) {
            return;
        }
        if (text.indexOf('\0') >= 0) {
            problems.add(path, "The text holds the character U+0000, which cannot be stored; remove it.");
        } else if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            problems.add(path, "The text holds half of a surrogate pair, which is no character; remove it.");
        }
    }

    private static void checkNumber(JsonNode number, String path, Problems problems) {
        if (!JsonNumbers.isReadable(number) && !problems.foundAt(path)) {
            problems.add(path, "The number is not finite or has too many digits; write another.");
        }
    }
}
