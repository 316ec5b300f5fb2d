package dev.assay.domain.similarity;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of each sequence of some words in a text.
 *
 * @param counts by sequence
 * @param total all of them, repeated ones included
 */
record NGrams(Map<List<String>, Integer> counts, int total) {

    /** The sequences of {@code length} words; none where there are fewer words. */
    static NGrams of(List<String> words, int length) {
        Map<List<String>, Integer> counts = new HashMap<>();
        int total = Math.max(0, words.size() - length + 1);
        for (int i = 0; i < total; i++) {
            counts.merge(words.subList(i, i + length), 1, Integer::sum);
        }
        return new NGrams(counts, total);
    }

    /** The number of sequences in both, each at most as often as in either ("clipped"). */
    int shared(NGrams other) {
        return counts.entrySet().stream()
                .mapToInt(entry -> Math.min(entry.getValue(), other.counts.getOrDefault(entry.getKey(), 0)))
                .sum();
    }
}
