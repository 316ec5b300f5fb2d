package dev.assay.domain.document;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Readers of texts that stand in lists, and the rule of texts on one line. */
public final class TextRules {

    private TextRules() {}

    /** The problem with a text that must stand on one line, as the end of a sentence; null: none. */
    static @Nullable String lineProblem(String text, int max) {
        if (text.codePointCount(0, text.length()) > max) {
            return "must have at most " + max + " characters; shorten it";
        }
        return text.codePoints().anyMatch(Character::isISOControl)
                ? "must not hold control characters such as line breaks; remove them"
                : null;
    }

    /** Reads an item that is a text on one line, not blank, at most {@code max} characters. */
    public static FieldReader.ItemReader<String> lineItem(int max) {
        return (node, path, problems) -> {
            String text = textItem(node, path, problems);
            String wrong =
                    text == null ? null : text.isBlank() ? "must not be blank; remove it" : lineProblem(text, max);
            if (wrong != null) {
                problems.add(path, "`" + path + "` " + wrong + ".");
            }
            return text;
        };
    }

    /** Reads an item that is a text, not blank; null: it is no text, which was reported. */
    public static @Nullable String fullTextItem(JsonNode node, String path, Problems problems) {
        String text = textItem(node, path, problems);
        if (text != null && text.isBlank()) {
            problems.add(path, "`" + path + "` must not be blank; write a text.");
        }
        return text;
    }

    /** Reads an item that is any text; null: it is something else, which was reported. */
    public static @Nullable String textItem(JsonNode node, String path, Problems problems) {
        if (node.isTextual()) {
            return node.textValue();
        }
        String found = ActualValue.describe(node) + ActualValue.adviceForText(node);
        problems.add(path, "`" + path + "` must be text, but is " + found + ".");
        return null;
    }
}
