package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProportionTest {

    @ParameterizedTest
    @CsvSource({
        // Clopper and Pearson (1934).
        "8, 10, 0.443905, 0.974789",
        "0, 20, 0.000000, 0.168433",
        "20, 20, 0.831567, 1.000000",
        "1, 1, 0.025000, 1.000000",
        "450, 1000, 0.418852, 0.481443",
    })
    void shouldGiveTheExactIntervalWhenEverythingIsKnown(int successes, int of, double low, double high) {
        Proportion rate = Proportion.of(successes, of);

        assertThat(rate.value()).isEqualTo((double) successes / of);
        assertThat(rate.low()).isCloseTo(low, within(1e-5)).isBetween(0.0, 1.0);
        assertThat(rate.high()).isCloseTo(high, within(1e-5)).isBetween(0.0, 1.0);
    }

    @Test
    void shouldCoverBothWaysWhenSomeAreUnknown() {
        Proportion rate = Proportion.of(8, 2, 20);

        assertThat(rate.value()).isEqualTo(0.4);
        assertThat(rate.low()).isEqualTo(Proportion.of(8, 20).low());
        assertThat(rate.high()).isEqualTo(Proportion.of(10, 20).high());
    }

    @Test
    void shouldHaveNoValueWhenTheDenominatorIsZero() {
        assertThat(Proportion.of(0, 0))
                .isEqualTo(new Proportion(0, 0, 0, null, null, null, null, null, RateBasis.NONE, RateClusters.NONE));
    }

    @Test
    void shouldEndAtZeroOrOneExactlyWhenNothingOrEverythingSucceeded() {
        for (int n = 1; n <= 2000; n += 7) {
            assertThat(Proportion.of(0, n).low()).isEqualTo(0.0);
            assertThat(Proportion.of(n, n).high()).isEqualTo(1.0);
        }
    }

    @Test
    void shouldRefuseWhenMoreSucceededThanThereWere() {
        assertThatIllegalArgumentException().isThrownBy(() -> Proportion.of(2, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> Proportion.of(1, 1, 1));
    }
}
