package dev.assay.domain.document;

import dev.assay.domain.text.Excerpt;
import org.jspecify.annotations.Nullable;

/**
 * The rule for ids that users give: 1–128 characters, not blank, without control characters, {@code /}, {@code \} and {@code ..}.
 * Ids become names of directories, columns and workflows.
 */
public final class IdRule {

    /** Longest id, in Unicode code points. */
    public static final int MAX_LENGTH = 128;

    /** Leaves room for a number at the end. */
    private static final int MADE_UP_LENGTH = MAX_LENGTH - 10;

    private IdRule() {}

    /** {@code name}, not blank, as an id: forbidden characters become hyphens, and a long name is cut. */
    public static String fit(String name) {
        String id = name.replaceAll("[\\p{Cntrl}/\\\\]", "-").replace("..", "--");
        return Excerpt.first(id, MADE_UP_LENGTH);
    }

    /** The problem with {@code id}, as the end of a sentence that begins with its field; null: none. */
    public static @Nullable String problem(String id) {
        if (id.isBlank()) {
            return "must not be blank";
        }
        if (id.codePointCount(0, id.length()) > MAX_LENGTH) {
            return "must have at most " + MAX_LENGTH + " characters";
        }
        if (id.codePoints().anyMatch(Character::isISOControl)) {
            return "must not hold control characters";
        }
        if (id.indexOf('/') >= 0 || id.indexOf('\\') >= 0 || id.contains("..") || id.equals(".")) {
            return "must not hold `/`, `\\` or `..`, nor be `.`";
        }
        return null;
    }
}
