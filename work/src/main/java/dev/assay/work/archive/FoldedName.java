package dev.assay.work.archive;

import java.text.BreakIterator;
import java.text.Normalizer;
import java.util.Locale;

/**
 * Names as file systems compare them that know neither case nor Unicode forms: NFC, then {@code toLowerCase(Locale.ROOT)}. Segments
 * may be folded one by one, since {@code /} neither joins a character nor belongs to a word.
 */
final class FoldedName {

    private static final char CAPITAL_SIGMA = '\u03A3';
    private static final char SMALL_SIGMA = '\u03C3';
    private static final char FINAL_SIGMA = '\u03C2';

    private FoldedName() {}

    static String of(String segment) {
        String composed = Normalizer.isNormalized(segment, Normalizer.Form.NFC)
                ? segment
                : Normalizer.normalize(segment, Normalizer.Form.NFC);
        return withSmallSigmas(composed).toLowerCase(Locale.ROOT);
    }

    /**
     * {@code name} with the sigmas that {@code toLowerCase} would write. It looks for the end of the word anew for each of them, which
     * takes minutes for the names of an archive that is made for that.
     */
    private static String withSmallSigmas(String name) {
        if (name.indexOf(CAPITAL_SIGMA) < 0) {
            return name;
        }
        char[] small = name.toCharArray();
        BreakIterator words = BreakIterator.getWordInstance(Locale.ROOT);
        words.setText(name);
        int start = words.first();
        for (int end = words.next(); end != BreakIterator.DONE; start = end, end = words.next()) {
            replace(name, small, start, end);
        }
        return new String(small);
    }

    /** A sigma is final where it is the last letter with case of its word, and not the first. */
    private static void replace(String name, char[] small, int start, int end) {
        int last = end - 1;
        while (last > start && !isCased(name, last)) {
            last--;
        }
        boolean cased = false;
        for (int i = start; i < end; i++) {
            if (name.charAt(i) == CAPITAL_SIGMA) {
                small[i] = cased && i == last ? FINAL_SIGMA : SMALL_SIGMA;
            }
            cased |= isCased(name, i);
        }
    }

    /** Whether the character whose last or only unit stands at {@code place} has case. */
    private static boolean isCased(String name, int place) {
        int codePoint = name.codePointBefore(place + 1);
        return Character.isLowerCase(codePoint) || Character.isUpperCase(codePoint) || Character.isTitleCase(codePoint);
    }
}
