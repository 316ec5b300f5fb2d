package dev.assay.domain.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AutoDeliveryTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** Of batches that took 1, 2 … n hours, in reverse order. */
    private static AutoDelivery choose(Duration left, int batches) {
        List<Duration> last = IntStream.range(0, batches)
                .mapToObj(i -> Duration.ofHours(batches - i))
                .toList();
        return AutoDelivery.choose(NOW, NOW.plus(left), 20, 20, last);
    }

    @ParameterizedTest
    @CsvSource({"10, 9", "20, 18", "11, 10", "1, 1", "0, 1"})
    void shouldLeaveTwiceTheTimeOfNineOfTenBatches(int batches, int hours) {
        Duration enough = Duration.ofHours(2L * hours);

        assertThat(choose(enough, batches)).isEqualTo(new AutoDelivery(Delivery.BATCH, null));
        assertThat(choose(enough.minusMillis(1), batches))
                .isEqualTo(new AutoDelivery(Delivery.LIVE, AutoDelivery.Why.DEADLINE));
    }
}
