package dev.assay.work.archive;

import java.text.Normalizer;
import java.util.Locale;

/**
 * Names as file systems compare them that know neither case nor Unicode forms: NFC, then {@code toLowerCase(Locale.ROOT)}. They
 * compare segment by segment, and so segments are folded one by one.
 */
final class FoldedName {

    private static final char CAPITAL_SIGMA = '\u03A3';

    private FoldedName() {}

    static String of(String segment) {
        return Normalizer.normalize(segment, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }

    /** The letters for each of which the JDK looks for the end of the word anew. One takes as long as a thousand others. */
    static int sigmas(String segment) {
        return (int) segment.chars().filter(unit -> unit == CAPITAL_SIGMA).count();
    }
}
