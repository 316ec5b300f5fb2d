package dev.assay.domain.promptfoo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EcmaPatternTest {

    /** What ECMAScript says of each pair was read off `new RegExp(p).test(t)`. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "b$~a\\nb~true",
                "a$~a\\n~false",
                "^b~a\\nb~false",
                "a.b~a\u0085b~true",
                "a.b~a\\nb~false",
                "a\\sb~a\uFEFFb~true",
                "a\\Sb~a\u00A0b~false",
                "[\\s]~\u3000~true",
                "[[]~[~true",
                "[a&&b]~&~true",
                "[^]~\\n~true",
                "x[]~x~false",
                "\\{\"a\": {2}~{\"a\":  ~true",
                "{\"a\"~{\"a\"~true",
                "a{,3}~a{,3}~true",
                "\\Aa~Aa~true",
                "\\e~e~true",
                "\\v~\013~true",
                "\\v~\\n~false",
                "(?<x>a)\\k<x>~aa~true",
                "(a)\\1~aa~true",
                "[\\b]~\b~true",
                "\\/\\-~/-~true",
                "\\u0041\\x42~AB~true",
                "\\Qa~Qa~true",
                "a|b~b~true",
                "\\d{4}~in 2024~true"
            })
    void shouldMatchWhatEcmaScriptMatches(String pattern, String text, boolean matches) {
        assertThat(Pattern.compile(EcmaPattern.translate(pattern))
                        .matcher(text.replace("\\n", "\n"))
                        .find())
                .isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(?i)a", "a++", "(?>a)", "(?<a_b>c)", "\\p{L}", "(", "[a", "a\\", "*", "[\\1]"})
    void shouldNameWhatHasNoCounterpart(String pattern) {
        assertThatThrownBy(() -> EcmaPattern.translate(pattern)).isInstanceOf(PatternSyntaxException.class);
    }

    @Test
    void shouldEndInAPatternOrATypedErrorWhateverIsWritten() {
        Random random = new Random(3);
        String letters = "\\[](){}^$.*+?|<>=!:-,0129abdkpsuvxQE&\n\u0000\uD800";
        for (int n = 0; n < 20_000; n++) {
            StringBuilder pattern = new StringBuilder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                pattern.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                Pattern.compile(EcmaPattern.translate(pattern.toString()));
            } catch (PatternSyntaxException e) {
                assertThat(e.getDescription()).isNotBlank();
            }
        }
    }
}
