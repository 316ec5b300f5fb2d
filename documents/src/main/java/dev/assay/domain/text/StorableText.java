package dev.assay.domain.text;

/**
 * Texts as they can be stored and sent: PostgreSQL keeps no U+0000, and half of a surrogate pair has no form in UTF-8. Each of
 * them becomes U+FFFD.
 */
public final class StorableText {

    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    /** {@code text} itself where it is storable, else a copy of the same length in UTF-16 code units that is. */
    public static String of(String text) {
        int first = firstUnstorable(text, 0);
        if (first < 0) {
            return text;
        }
        char[] units = text.toCharArray();
        for (int i = first; i >= 0; i = firstUnstorable(text, i + 1)) {
            units[i] = REPLACEMENT;
        }
        return new String(units);
    }

    private static int firstUnstorable(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == 0) {
                return i;
            }
            if (Character.isSurrogate(unit)) {
                boolean isPair = Character.isHighSurrogate(unit)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!isPair) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
