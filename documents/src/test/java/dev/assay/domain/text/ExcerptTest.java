package dev.assay.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExcerptTest {

    @Test
    void shouldKeepATextWhenItIsShort() {
        assertThat(Excerpt.of("a".repeat(200))).isEqualTo("a".repeat(200));
        assertThat(Excerpt.of("")).isEmpty();
    }

    @Test
    void shouldNeverSplitACodePointWhenItCuts() {
        for (int prefix = 0; prefix < 4; prefix++) {
            String excerpt = Excerpt.of("a".repeat(prefix) + "😀".repeat(200));

            assertThat(excerpt).endsWith("😀…").hasSizeLessThanOrEqualTo(200);
            assertThat(excerpt.codePoints().filter(c -> c >= 0xD800 && c <= 0xDFFF))
                    .isEmpty();
        }
    }

    @Test
    void shouldStandOnOneLineWhenTheTextHasSeveral() {
        assertThat(Excerpt.of("  a\r\n\tb\0c \ud83d  ")).isEqualTo("a b c \uFFFD");
    }

    @Test
    void shouldCutByCodePointsWhenATextIsTooLong() {
        String text = "a😀 \nb";

        assertThat(Excerpt.first(text, 2)).isEqualTo("a😀");
        assertThat(Excerpt.first(text, 5)).isEqualTo(text);
        assertThat(Excerpt.shortened(text, 5)).isEqualTo(text);
        assertThat(Excerpt.shortened(text, 3)).isEqualTo("a😀…");
    }

    @ParameterizedTest
    @CsvSource({
        "straße, STRASSE, true",
        "STRAẞE, strasse, true",
        "İstanbul, istanbul, true",
        "DIYARBAKIR, diyarbakır, true",
        "ΟΔΟΣ, οδος, true",
        "οδοσ, ΟΔΟΣ, true",
        "ÉCOLE, école, true",
        "ﬁn, FIN, true",
        "Paris, Rome, false"
    })
    void shouldFoldCaseWhenTwoTextsDifferOnlyInIt(String a, String b, boolean same) {
        assertThat(CaseFolding.fold(a).equals(CaseFolding.fold(b))).isEqualTo(same);
    }

    @Test
    void shouldStripEveryWhiteSpaceWhenItStandsAtTheEnds() {
        assertThat(WhiteSpace.trim("\u00a0\u2003\t a\u00a0b \u0085\u3000\n")).isEqualTo("a\u00a0b");
        assertThat(WhiteSpace.trim(" \n ")).isEmpty();
        assertThat(WhiteSpace.trim("\u200ba")).isEqualTo("\u200ba");
    }
}
