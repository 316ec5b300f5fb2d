package dev.assay.domain.document;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.text.Excerpt;

/** The place of a value in a document, written as in {@code branches[1].model}. The document itself is the empty path. */
public final class DocumentPath {

    /** The part of a name that a path shows, in UTF-16 code units. */
    private static final int MAX_NAME = 200;

    private DocumentPath() {}

    /**
     * The field {@code name} of the object at {@code parent}. An unusual name is written as in {@code metadata["a b"]}. Of a name
     * of more than {@value #MAX_NAME} characters only the beginning is written.
     */
    public static String field(String parent, String name) {
        if (isPlain(name)) {
            return parent.isEmpty() ? name : parent + "." + name;
        }
        String shown = name.length() > MAX_NAME ? Excerpt.of(name, MAX_NAME) : name;
        return parent + "[" + TextNode.valueOf(shown) + "]";
    }

    /** Item number {@code index}, from 0, of the list at {@code parent}. */
    public static String item(String parent, int index) {
        return parent + "[" + index + "]";
    }

    private static boolean isPlain(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME || !isStart(name.codePointAt(0))) {
            return false;
        }
        for (int i = 0; i < name.length(); i += Character.charCount(name.codePointAt(i))) {
            int codePoint = name.codePointAt(i);
            if (!isStart(codePoint) && codePoint != '-' && !isDigit(codePoint)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isStart(int codePoint) {
        return Character.isLetter(codePoint) || codePoint == '_' || codePoint == '$';
    }

    private static boolean isDigit(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
            default -> false;
        };
    }
}
