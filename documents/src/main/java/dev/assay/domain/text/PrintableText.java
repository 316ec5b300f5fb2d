package dev.assay.domain.text;

/**
 * Texts of others as a terminal or a log may get them. A terminal obeys control characters: they move its cursor, set its title and
 * fill its clipboard. Those of the direction of writing show another text than there is. Each but tab and line feed becomes its
 * escape in JSON, so that JSON stays exact.
 */
public final class PrintableText {

    private PrintableText() {}

    /** {@code text} without control characters: C0 but tab and line feed, DEL, C1, and those of the direction of writing. */
    public static String of(String text) {
        int first = 0;
        while (first < text.length() && !isControl(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (isControl(unit)) {
                printable.append("\\u%04x".formatted((int) unit));
            } else {
                printable.append(unit);
            }
        }
        return printable.toString();
    }

    private static boolean isControl(char unit) {
        boolean turns = (unit >= '\u202A' && unit <= '\u202E') || (unit >= '\u2066' && unit <= '\u2069');
        return turns || (Character.isISOControl(unit) && unit != '\t' && unit != '\n');
    }
}
