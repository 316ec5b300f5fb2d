package dev.assay.domain.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WhiteSpaceTest {

    private static final Pattern PROPERTY = Pattern.compile("\\p{IsWhite_Space}");

    @Test
    void shouldAgreeWithTheUnicodePropertyWhenAskedOfEveryChar() {
        for (int c = 0; c <= Character.MAX_VALUE; c++) {
            assertThat(WhiteSpace.is((char) c))
                    .as("U+%04X", c)
                    .isEqualTo(PROPERTY.matcher(String.valueOf((char) c)).matches());
        }
    }

    @Test
    void shouldNeedOnlyTheBasicPlaneWhenUnicodeIsAsItIs() {
        for (int codePoint = Character.MIN_SUPPLEMENTARY_CODE_POINT;
                codePoint <= Character.MAX_CODE_POINT;
                codePoint++) {
            if (PROPERTY.matcher(Character.toString(codePoint)).matches()) {
                assertThat(codePoint).as("white space beyond the basic plane").isZero();
            }
        }
    }

    @Test
    void shouldTrimBothEndsWhenTheyHoldWhiteSpaceThatJavaDoesNotStrip() {
        assertThat(WhiteSpace.trim("\u00A0\u0085\u2007 a\u00A0b \u202F\u3000")).isEqualTo("a\u00A0b");
        assertThat(WhiteSpace.trim("\u001Ca\u200B\uFEFF")).isEqualTo("\u001Ca\u200B\uFEFF");
        assertThat(WhiteSpace.trim("\u0085\t")).isEmpty();
    }

    @Test
    void shouldBeBlankWhenNothingButWhiteSpace() {
        assertThat(WhiteSpace.isBlank("")).isTrue();
        assertThat(WhiteSpace.isBlank("\u202F\n\u2029")).isTrue();
        assertThat(WhiteSpace.isBlank("\u202F\u200B")).isFalse();
        assertThat(WhiteSpace.isBlank("\uD83D\uDE00")).isFalse();
    }
}
