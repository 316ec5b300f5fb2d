package dev.assay.domain.check.graded;

import dev.assay.domain.check.rule.CheckKind;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds of check that models decide, or measure for. */
public final class GradedKinds {

    /** Their words. */
    public static final Set<String> WORDS = all().map(CheckKind::word).collect(Collectors.toUnmodifiableSet());

    private GradedKinds() {}

    /** The kinds, in the order in which they are documented. */
    public static Stream<CheckKind> all() {
        return Stream.concat(QuestionRule.kinds(), Stream.of(SimilarRule.KIND));
    }

    /** Whether checks of type {@code word} compare embeddings, and ask nothing. */
    public static boolean comparesEmbeddings(String word) {
        return word.equals(SimilarRule.KIND.word());
    }
}
