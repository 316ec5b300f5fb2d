package dev.assay.domain.text;

import java.util.Locale;

/** Compares texts without regard to upper and lower case, in every script and whatever the machine's locale. */
public final class CaseFolding {

    private CaseFolding() {}

    /**
     * {@code text} in a form in which upper and lower case are the same. {@code ß}, {@code ẞ} and {@code SS} become {@code ss};
     * {@code İ}, {@code I} and {@code ı} become {@code i}; all three sigmas become one.
     */
    public static String fold(String text) {
        // Upper case joins what lower case keeps apart (ß and ss, ς and σ). Lower case comes first since ẞ has no
        // longer upper case. It goes character by character since String.toLowerCase looks at the end of words.
        return lower(lower(text).toUpperCase(Locale.ROOT));
    }

    private static String lower(String text) {
        StringBuilder lower = new StringBuilder(text.length());
        text.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
        return lower.toString();
    }
}
