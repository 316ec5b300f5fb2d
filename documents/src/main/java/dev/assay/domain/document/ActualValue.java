package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.text.Excerpt;
import java.util.regex.Pattern;

/** A description of a value that stands in a document where another was expected. */
public final class ActualValue {

    private static final int LENGTH = 60;
    /** Text that stands without quotes and is none, in YAML as in JSON. */
    private static final Pattern PLAIN = Pattern.compile("true|false|[-+]?\\d+(\\.\\d+)?([eE][-+]?\\d+)?");

    private ActualValue() {}

    /** Such as {@code the text "abc"} or {@code a list}. */
    public static String describe(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> "the text \"" + Excerpt.of(node.textValue(), LENGTH) + "\"";
            case NUMBER -> "the number " + Excerpt.of(node.asText(), LENGTH);
            case BOOLEAN -> node.asText();
            case ARRAY -> "a list";
            case OBJECT, POJO -> "an object";
            case NULL, MISSING -> "null";
            case BINARY -> "binary data";
        };
    }

    /** The advice where {@code node} should have been text. */
    public static String adviceForText(JsonNode node) {
        return node.isNumber() || node.isBoolean() ? "; put it in quotes" : "";
    }

    /** The advice where {@code node} should have been a number, {@code true} or {@code false}. */
    public static String adviceForPlain(JsonNode node) {
        return node.isTextual() && PLAIN.matcher(node.textValue()).matches() ? "; write it without quotes" : "";
    }
}
