package dev.assay.domain.similarity;

import static java.util.Comparator.comparingInt;

import java.util.List;

/**
 * BLEU (Papineni et al. 2002, doi:10.3115/1073083.1073135) of one text, in lower case: brevity penalty × the geometric mean of the
 * clipped precisions of sequences of 1 to 4 words. Lengths for which the candidate is too short are left out, and the others
 * count as much more. A precision of 0 counts as 10⁻⁷.
 */
public final class Bleu {

    private static final int LONGEST = 4;
    private static final double SMALLEST = 1e-7;

    private Bleu() {}

    /**
     * The score, 0–1; 0 for a blank candidate.
     *
     * @param references what is as good, at least one; the precision is that of the best one for each length
     */
    public static double score(String candidate, List<String> references) {
        List<String> words = Words.lowerCase(candidate);
        if (words.isEmpty()) {
            return 0;
        }
        List<List<String>> all = references.stream().map(Words::lowerCase).toList();
        int longest = Math.min(LONGEST, words.size());
        double logarithms = 0;
        for (int length = 1; length <= longest; length++) {
            logarithms += Math.log(Math.max(precision(words, all, length), SMALLEST));
        }
        return brevityPenalty(words.size(), closestLength(words.size(), all)) * Math.exp(logarithms / longest);
    }

    private static double precision(List<String> words, List<List<String>> references, int length) {
        NGrams candidate = NGrams.of(words, length);
        int shared = references.stream()
                .mapToInt(reference -> candidate.shared(NGrams.of(reference, length)))
                .max()
                .orElse(0);
        return (double) shared / candidate.total();
    }

    /** Of two that are as close, the shorter. */
    private static int closestLength(int length, List<List<String>> references) {
        return references.stream()
                .map(List::size)
                .min(comparingInt((Integer size) -> Math.abs(size - length)).thenComparingInt(size -> size))
                .orElseThrow();
    }

    private static double brevityPenalty(int candidate, int reference) {
        return candidate > reference ? 1 : Math.exp(1 - (double) reference / candidate);
    }
}
