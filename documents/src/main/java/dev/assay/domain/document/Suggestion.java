package dev.assay.domain.document;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.JaroWinklerSimilarity;

/** A guess at the known word that a user meant. */
public final class Suggestion {

    /** From here on two words look alike: {@code promt} and {@code prompt} have 0.96, {@code trial} and {@code tags} 0.64. */
    private static final double ALIKE = 0.85;

    /** Longer words are no slip of a known one, and comparing takes the product of the lengths. */
    private static final int MAX_LENGTH = 100;

    private static final JaroWinklerSimilarity SIMILARITY = new JaroWinklerSimilarity();

    private Suggestion() {}

    /**
     * The advice after an unknown word: {@code did you mean `prompt`?}, or all the words when none looks like it.
     *
     * @param plural what the words are, as in {@code providers}
     */
    public static String of(String word, Collection<String> known, String plural) {
        return alike(word, known).orElseGet(() -> "known " + plural + " are " + String.join(", ", known) + ".");
    }

    /** The end of a sentence that has named all the words already: a guess, if there is one. */
    static String after(String word, Collection<String> known) {
        return alike(word, known).map(guess -> "; " + guess).orElse(".");
    }

    private static Optional<String> alike(String word, Collection<String> known) {
        if (word.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        return known.stream()
                .filter(candidate -> similarity(word, candidate) >= ALIKE)
                .max(Comparator.comparingDouble(candidate -> similarity(word, candidate)))
                .map(candidate -> "did you mean `" + candidate + "`?");
    }

    private static double similarity(String word, String candidate) {
        return SIMILARITY.apply(plain(word), plain(candidate));
    }

    /** Whether two words differ in nothing but naming habits. */
    static boolean isSame(String word, String other) {
        return other.length() <= MAX_LENGTH && plain(word).equals(plain(other));
    }

    /** The word without the marks in which naming habits differ: {@code max_turns}, {@code max-turns} and {@code maxTurns} are one. */
    private static String plain(String word) {
        return word.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    }
}
