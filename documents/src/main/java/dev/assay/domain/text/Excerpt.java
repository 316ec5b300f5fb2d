package dev.assay.domain.text;

/** A text that is too long, cut: on one line for messages, or as it is. A code point is never split. */
public final class Excerpt {

    /** The part of a text that a message shows, in UTF-16 code units. */
    public static final int LENGTH = 200;

    private Excerpt() {}

    /** The first {@value #LENGTH} code units of {@code text}, as {@link #of(String, int)} cuts them. */
    public static String of(String text) {
        return of(text, LENGTH);
    }

    /**
     * The beginning of {@code text} on one line. Runs of white space and control characters become one space, and halves of
     * surrogate pairs become U+FFFD. A text that is longer ends in {@code …}.
     *
     * @param max length of the result at most, in UTF-16 code units, at least 2; a code point is never split
     */
    public static String of(String text, int max) {
        StringBuilder line = new StringBuilder(Math.min(text.length(), max));
        boolean space = false;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            i += Character.charCount(codePoint);
            if (isSpace(codePoint)) {
                space = !line.isEmpty();
                continue;
            }
            if (space) {
                line.append(' ');
                space = false;
            }
            line.appendCodePoint(isHalf(codePoint) ? 0xFFFD : codePoint);
            if (line.length() > max) {
                return cut(line, max);
            }
        }
        return line.toString();
    }

    /** The first {@code most} code points of {@code text}, as they are. */
    public static String first(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }

    /** {@code text} as it is, of at most {@code most} code points; one that is longer ends in {@code …}. */
    public static String shortened(String text, int most) {
        return text.codePointCount(0, text.length()) <= most ? text : first(text, most - 1) + "…";
    }

    private static String cut(StringBuilder line, int max) {
        int end = max - 1;
        if (Character.isLowSurrogate(line.charAt(end))) {
            end--;
        }
        return line.substring(0, end) + "…";
    }

    private static boolean isSpace(int codePoint) {
        return Character.isWhitespace(codePoint) || Character.isISOControl(codePoint);
    }

    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
