package dev.assay.domain.label;

import dev.assay.domain.text.StorableText;
import org.jspecify.annotations.Nullable;

/** The rules of the texts of a label. */
public final class LabelRules {

    /** Longest name of a person or a check, in Unicode code points. */
    public static final int MAX_NAME = 128;

    /** Longest note, in Unicode code points. */
    public static final int MAX_NOTE = 10_000;

    private LabelRules() {}

    /** The problem with the name of a person or a check, as the end of a sentence; null: none. */
    public static @Nullable String nameProblem(String name) {
        if (name.isBlank()) {
            return "must not be blank";
        }
        if (name.codePointCount(0, name.length()) > MAX_NAME) {
            return "must have at most " + MAX_NAME + " characters";
        }
        return name.codePoints().anyMatch(LabelRules::breaksLine) || isUnstorable(name)
                ? "must be one line without control characters"
                : null;
    }

    /** The problem with a note, as the end of a sentence; null: none. */
    public static @Nullable String noteProblem(String note) {
        if (note.codePointCount(0, note.length()) > MAX_NOTE) {
            return "must have at most " + MAX_NOTE + " characters";
        }
        return isUnstorable(note)
                ? "holds the character U+0000 or half of a surrogate pair, which cannot be stored"
                : null;
    }

    /** Whether a text cannot be stored as it is. */
    static boolean isUnstorable(String text) {
        return !StorableText.of(text).equals(text);
    }

    private static boolean breaksLine(int codePoint) {
        return Character.isISOControl(codePoint) || codePoint == 0x2028 || codePoint == 0x2029;
    }
}
