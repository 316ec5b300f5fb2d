package dev.assay.domain.similarity;

import java.util.List;
import java.util.Locale;

/**
 * ROUGE-1 (Lin 2004): the harmonic mean of precision and recall of words, in lower case, each counted at most as often as in either
 * text.
 */
public final class RougeN {

    private RougeN() {}

    /** The score, 0–1; 0 where either has no word. */
    public static double score(String candidate, String reference) {
        NGrams made = NGrams.of(tokens(candidate), 1);
        NGrams wanted = NGrams.of(tokens(reference), 1);
        int shared = made.shared(wanted);
        return shared == 0 ? 0 : 2.0 * shared / (made.total() + wanted.total());
    }

    private static List<String> tokens(String text) {
        return TreebankTokens.of(text.toLowerCase(Locale.ROOT));
    }
}
