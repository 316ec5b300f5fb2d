package dev.assay.domain.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BatchPaceTest {

    @ParameterizedTest(name = "after {0} the next look is in {1}")
    @CsvSource({"PT0S,PT15S", "PT30S,PT15S", "PT45S,PT22.5S", "PT10M,PT5M", "PT20M,PT10M", "PT20H,PT10M"})
    void shouldLookHalfAsLongAgainAsItHasBeenOnItsWayUpToTenMinutes(Duration age, Duration next) {
        assertThat(BatchPace.next(age, Duration.ofSeconds(15), null)).isEqualTo(next);
    }

    @Test
    void shouldLookAtTheDeadlineAndNotAtOnceWhenThatIsOver() {
        Duration hour = Duration.ofHours(1);
        Duration first = Duration.ofSeconds(15);

        assertThat(BatchPace.next(hour, first, Duration.ofSeconds(3))).isEqualTo(Duration.ofSeconds(3));
        assertThat(BatchPace.next(hour, first, Duration.ofHours(2))).isEqualTo(Duration.ofMinutes(10));
        assertThat(BatchPace.next(hour, first, Duration.ZERO)).isEqualTo(Duration.ofMinutes(10));
        assertThat(BatchPace.next(hour, first, Duration.ofSeconds(-1))).isEqualTo(Duration.ofMinutes(10));
    }
}
