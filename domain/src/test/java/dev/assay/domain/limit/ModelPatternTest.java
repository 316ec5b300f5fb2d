package dev.assay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelPatternTest {

    @ParameterizedTest
    @CsvSource({
        "gpt-*, gpt-, true",
        "gpt-*, xgpt-5, false",
        "ab*b, ab, false",
        "ab*b, abb, true",
        "a*bc*d, abcbcd, true",
        "a*bc*d, abd, false",
        "a*bc*c, abc, false",
        "a*b*b*c, abc, false",
        "*, gpt, true",
        "**, gpt, true",
        "*.5, gpt-x5, false",
        "o5, o5-mini, false"
    })
    void shouldMatchWholeNamesWhenStarsStandForAnyText(String pattern, String model, boolean matches) {
        assertThat(new ModelPattern(pattern).matches(model)).isEqualTo(matches);
    }

    @Test
    void shouldMatchAtOnceWhenAPatternHasManyStars() {
        String model = "a".repeat(10_000);
        ModelPattern pattern = new ModelPattern("*a".repeat(200) + "*b");

        assertTimeoutPreemptively(
                Duration.ofSeconds(5), () -> assertThat(pattern.matches(model)).isFalse());
    }
}
