package dev.assay.domain.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scores of promptfoo 0.121.20 and of the papers' own examples. */
class SimilarityTest {

    private static final String CAT = "the cat sat on the mat";

    @Test
    void shouldScoreOneForTheSameTextInWhateverCase() {
        assertThat(Bleu.score("The cat  sat on the mat", List.of(CAT))).isEqualTo(1, within(1e-12));
        assertThat(Gleu.score("The cat sat\non the mat.", List.of(CAT))).isEqualTo(1);
        assertThat(RougeN.score("THE cat sat on the mat", CAT)).isEqualTo(1);
    }

    @Test
    void shouldScoreZeroWithoutAWord() {
        assertThat(Bleu.score(" \u00a0\n", List.of(CAT))).isZero();
        assertThat(Gleu.score("", List.of(CAT))).isZero();
        assertThat(RougeN.score("", CAT)).isZero();
        assertThat(RougeN.score(CAT, " ")).isZero();
    }

    @ParameterizedTest
    @CsvSource({"the cat, 0.16666666666666666", "the the the the the the the, 0.09090909090909091"})
    void shouldTakeTheSmallerOfPrecisionAndRecallForGleu(String candidate, double score) {
        assertThat(Gleu.score(candidate, List.of(CAT))).isEqualTo(score, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource({
        "a b c d e f g h, a b c x y z, 0.42857142857142855",
        "the cat sat, the cat sat on the mat, 0.6666666666666666",
        "I can't, i ca n't, 1.0",
    })
    void shouldWeighSharedWordsForRouge(String candidate, String reference, double score) {
        assertThat(RougeN.score(candidate, reference)).isEqualTo(score, within(1e-12));
    }

    @Test
    void shouldPenalizeACandidateThatIsShorterThanTheClosestReferenceForBleu() {
        assertThat(Bleu.score("the cat sat", List.of(CAT))).isEqualTo(Math.exp(-1), within(1e-12));
        assertThat(Bleu.score("the cat sat", List.of(CAT, "the cat sat down")))
                .isEqualTo(Math.exp(-1 / 3.0), within(1e-12));
    }

    @Test
    void shouldClipWhatACandidateRepeatsForBleu() {
        double unigrams = 2 / 7.0;
        assertThat(Bleu.score("the the the the the the the", List.of(CAT)))
                .isEqualTo(Math.exp((Math.log(unigrams) + 3 * Math.log(1e-7)) / 4), within(1e-15));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "He said \"no\", didn't he? | he said `` no '' , did n't he ?",
                "We cannot go (yet). | we can not go ( yet ) .",
                "U.S. 3:4 a:b, 1,000 -- ok... | u.s. 3:4 a : b , 1,000 -- ok ...",
                "it's 5% & 'tis $3 | it 's 5 % & 't is $ 3",
            })
    void shouldCutTextAsTheTreebankDoes(String text, String tokens) {
        assertThat(String.join(" ", TreebankTokens.of(text.toLowerCase(java.util.Locale.ROOT))))
                .isEqualTo(tokens);
    }
}
