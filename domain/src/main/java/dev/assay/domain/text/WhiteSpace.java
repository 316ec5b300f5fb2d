package dev.assay.domain.text;

/** White space as Unicode's property White_Space has it, which Java's own methods do not. */
public final class WhiteSpace {

    private static final int NEXT_LINE = 0x85;

    private WhiteSpace() {}

    /** {@code text} without white space at both ends, no-break spaces included. */
    public static String strip(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isWhiteSpace(text.charAt(from))) {
            from++;
        }
        while (to > from && isWhiteSpace(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    /** All white space is in the basic plane, so a single UTF-16 code unit is enough. */
    private static boolean isWhiteSpace(char unit) {
        return (unit >= '\t' && unit <= '\r') || unit == NEXT_LINE || Character.isSpaceChar(unit);
    }
}
