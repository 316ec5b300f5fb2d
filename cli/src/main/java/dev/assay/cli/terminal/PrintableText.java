package dev.assay.cli.terminal;

/**
 * Text of others as a terminal may show it: what a model says must not move the cursor, hide what stands before it, or be taken for input.
 * Line feeds and tabs stay.
 */
public final class PrintableText {

    private static final int SYMBOLS_OF_CONTROLS = 0x2400;
    private static final char REPLACEMENT = '\uFFFD';

    private PrintableText() {}

    /** {@code text} with a symbol in the place of each control character, and of each one that changes the direction of writing. */
    public static String of(String text) {
        StringBuilder printable = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean returnsInPair = unit == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n';
            if (!returnsInPair) {
                printable.append(isHarmless(unit) ? unit : symbol(unit));
            }
        }
        return printable.toString();
    }

    private static boolean isHarmless(char unit) {
        boolean isControl = Character.isISOControl(unit) && unit != '\n' && unit != '\t';
        boolean turns = (unit >= '\u202A' && unit <= '\u202E') || (unit >= '\u2066' && unit <= '\u2069');
        return !isControl && !turns;
    }

    private static char symbol(char unit) {
        if (unit < ' ') {
            return (char) (SYMBOLS_OF_CONTROLS + unit);
        }
        return REPLACEMENT;
    }
}
