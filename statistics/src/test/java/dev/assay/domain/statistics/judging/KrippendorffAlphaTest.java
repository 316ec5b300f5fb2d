package dev.assay.domain.statistics.judging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.statistics.Quantiles;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KrippendorffAlphaTest {

    /**
     * Examples A, B and C of Krippendorff, Computing Krippendorff's Alpha-Reliability (2011): a row for each observer, a column
     * for each unit, a point where a value is missing.
     */
    @ParameterizedTest
    @CsvSource({
        "0.095, 10, 20, 0100000010 1110010000",
        "0.692, 12, 24, aabbdcccedda babbbccceddd",
        "0.743, 11, 40, 123321412... 1233224125.3 .3332342251. 12332441251.",
    })
    void shouldEqualThePublishedAlphaWhenValuesAreNominal(double alpha, int units, int values, String rows) {
        Agreement agreement = agreement(rows.split(" "));

        assertThat(agreement.alpha()).isCloseTo(alpha, within(0.0005));
        assertThat(agreement.units()).isEqualTo(units);
        assertThat(agreement.values()).isEqualTo(values);
        assertThat(agreement.low()).isLessThan(alpha);
        assertThat(agreement.high()).isGreaterThan(alpha).isLessThanOrEqualTo(1);
    }

    /** Perfect agreement of four cases is no proof of perfect judges. */
    @Test
    void shouldKeepAnIntervalWhenAllAgree() {
        Agreement agreement = agreement("aabb", "aabb", "aabb");

        assertThat(agreement.alpha()).isEqualTo(1);
        assertThat(agreement.low()).isBetween(-1.0, 0.9);
        assertThat(agreement.high()).isEqualTo(1);
    }

    @Test
    void shouldHaveNoIntervalWhenThereIsOneCase() {
        KrippendorffAlpha<String> alpha = new KrippendorffAlpha<>(KrippendorffAlpha.Distance.NOMINAL);
        alpha.add(7, List.of("a", "a"));
        alpha.add(7, List.of("b", "a"));

        assertThat(alpha.agreement(0.95).alpha()).isNotNull();
        assertThat(alpha.agreement(0.95).low()).isNull();
        assertThat(alpha.agreement(0.95).high()).isNull();
    }

    @ParameterizedTest
    @CsvSource({"aaaa aaaa", "ab.. ..ab", ". ."})
    void shouldBeUndefinedWhenNothingVariesOrNothingWasJudgedTwice(String rows) {
        Agreement agreement = agreement(rows.split(" "));

        assertThat(agreement.alpha()).isNull();
        assertThat(agreement.low()).isNull();
        assertThat(agreement.high()).isNull();
    }

    /** 19 of 20 intervals should cover 0, which is the alpha of judges who guess. */
    @Test
    void shouldCoverTheTruthAboutAsOftenAsItSaysWhenJudgesGuess() {
        Random random = new Random(7);
        int covered = 0;
        for (int campaign = 0; campaign < 400; campaign++) {
            KrippendorffAlpha<Integer> alpha = new KrippendorffAlpha<>(KrippendorffAlpha.Distance.NOMINAL);
            for (int unit = 0; unit < 100; unit++) {
                alpha.add(unit / 5, List.of(random.nextInt(3), random.nextInt(3), random.nextInt(3)));
            }
            Agreement agreement = alpha.agreement(Quantiles.LEVEL);
            covered += agreement.low() <= 0 && agreement.high() >= 0 ? 1 : 0;
        }
        assertThat(covered / 400.0).isBetween(0.92, 0.98);
    }

    private static Agreement agreement(String... rows) {
        KrippendorffAlpha<Character> alpha = new KrippendorffAlpha<>(KrippendorffAlpha.Distance.NOMINAL);
        IntStream.range(0, rows[0].length())
                .forEach(unit -> alpha.add(
                        unit,
                        List.of(rows).stream()
                                .map(row -> row.charAt(unit))
                                .filter(value -> value != '.')
                                .toList()));
        return alpha.agreement(Quantiles.LEVEL);
    }
}
