package dev.assay.domain.similarity;

import java.util.List;
import java.util.regex.Pattern;

/**
 * GLEU (Wu et al. 2016, arXiv:1609.08144): the smaller of precision and recall of all sequences of 1 to 4 words together. Texts are
 * compared in lower case and without full stops at the end of words.
 */
public final class Gleu {

    private static final int LONGEST = 4;
    private static final Pattern FULL_STOPS = Pattern.compile("(?<!\\.)\\.+$");

    private Gleu() {}

    /**
     * The score, 0–1, by the reference that gives the highest; 0 for a blank candidate.
     *
     * @param references what is as good, at least one
     */
    public static double score(String candidate, List<String> references) {
        List<String> words = words(candidate);
        return references.stream()
                .mapToDouble(reference -> score(words, words(reference)))
                .max()
                .orElse(0);
    }

    private static double score(List<String> candidate, List<String> reference) {
        int shared = 0;
        int made = 0;
        int wanted = 0;
        for (int length = 1; length <= LONGEST; length++) {
            NGrams ofCandidate = NGrams.of(candidate, length);
            NGrams ofReference = NGrams.of(reference, length);
            shared += ofCandidate.shared(ofReference);
            made += ofCandidate.total();
            wanted += ofReference.total();
        }
        return shared == 0 ? 0 : (double) shared / Math.max(made, wanted);
    }

    private static List<String> words(String text) {
        return Words.lowerCase(text).stream()
                .map(word -> FULL_STOPS.matcher(word).replaceFirst(""))
                .toList();
    }
}
