package dev.assay.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PacingTest {

    @ParameterizedTest
    @CsvSource({
        // cells, in flight, measured cells, their seconds, batch size
        "500, 100, 100, 10, 1",
        "501, 100, 100, 10, 50",
        "501, 100, 0, 0, 10",
        "100000, 20, 0, 0, 2",
        "100000, 100, 100, 40, 25",
        "100000, 100, 100, 0, 50",
        "100000, 100, 1000000, 0.001, 50",
        "100000, 60, 100, 1, 50",
        "100000, 20, 100, 10, 20",
        "100000, 20, 100, 500, 1",
        "100000, 50, 10, 20, 3",
        "100000, 100, 10, 20, 5",
        "100000, 1, 100, 1, 10",
        "100000, 3, 100, 1, 30",
        "100000, 10000, 100, 1, 50",
        "2147483647, 10000, 9223372036854775807, 1e300, 1",
    })
    void shouldFollowTheMeasuredSpeedWhenSizingBatches(
            int cells, int maxConcurrent, long measured, double seconds, int size) {
        assertThat(BatchSize.of(cells, maxConcurrent, measured, seconds)).isEqualTo(size);
    }

    @ParameterizedTest
    @CsvSource({
        "500, 100, 0, 0, 1",
        "500, 100, 10, 10, 1",
        "500, 100, 10, 25, 1",
        "500, 100, 10, 9, 12",
        "500, 100, 1, 0.01, 50",
        "1, 1, 1, 0.01, 10",
        "501, 100, 10, 10, 10",
        "501, 100, 0, 0, 10",
    })
    void shouldPutFastCellsOfSmallCampaignsIntoBatches(
            int cells, int maxConcurrent, long measured, double seconds, int size) {
        assertThat(BatchSize.ofFast(cells, maxConcurrent, measured, seconds)).isEqualTo(size);
    }

    @Test
    void shouldRefuseWhenTimesMakeNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> BatchSize.of(1000, 0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> BatchSize.of(1000, 1, 1, Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> BatchSize.of(1000, 1, -1, 1));
    }

    @Test
    void shouldDoubleUpToAMinuteWhenTheProviderSaysNothing() {
        for (long cell = 0; cell < 200; cell++) {
            for (int attempt = 1; attempt <= 100; attempt++) {
                long ceiling = attempt > 6 ? 60_000 : 1_000L << (attempt - 1);

                assertThat(Backoff.delay(attempt, null, cell).toMillis()).isBetween(ceiling / 2, ceiling);
            }
        }
    }

    @Test
    void shouldSpreadCellsWhenTheyFailTogether() {
        long different = LongStream.range(0, 1000)
                .map(cell -> Backoff.delay(3, null, cell).toMillis())
                .distinct()
                .count();

        assertThat(different).isGreaterThan(500);
        assertThat(Backoff.delay(3, null, 42)).isEqualTo(Backoff.delay(3, null, 42));
    }

    @Test
    void shouldNeverComeBackEarlierThanAskedWhenTheProviderSaysWhen() {
        for (long cell = -100; cell < 100; cell++) {
            assertThat(Backoff.delay(1, Duration.ofSeconds(20), cell))
                    .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
            assertThat(Backoff.delay(1, Duration.ofDays(300_000), cell))
                    .isBetween(Duration.ofHours(1), Duration.ofMinutes(66));
            assertThat(Backoff.delay(5, Duration.ZERO, cell)).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(16));
        }
    }

    @Test
    void shouldRefuseWhenAttemptsAreNotNumberedFromOne() {
        assertThatIllegalArgumentException().isThrownBy(() -> Backoff.delay(0, null, 1));
    }
}
