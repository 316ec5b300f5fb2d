package dev.assay.domain.text;

/**
 * Characters with the Unicode property White_Space.
 *
 * <p>Java's own notions differ: {@link Character#isWhitespace} leaves out U+00A0, U+0085, U+2007 and U+202F and takes in
 * U+001C to U+001F; {@link String#isBlank} and {@link String#strip} follow it.
 */
public final class WhiteSpace {

    private WhiteSpace() {}

    /** Whether {@code c} has the property White_Space. All such characters are in the basic plane, so a char is enough. */
    public static boolean is(char c) {
        return switch (c) {
            case ' ', '\t', '\n', '\u000B', '\f', '\r', '\u0085', '\u00A0', '\u1680' -> true;
            case '\u2028', '\u2029', '\u202F', '\u205F', '\u3000' -> true;
            default -> c >= '\u2000' && c <= '\u200A';
        };
    }

    /** {@code text} without white space at both ends. */
    public static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && is(text.charAt(from))) {
            from++;
        }
        while (from < to && is(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /** Whether {@code text} is empty or nothing but white space. */
    public static boolean isBlank(String text) {
        return text.chars().allMatch(c -> is((char) c));
    }
}
