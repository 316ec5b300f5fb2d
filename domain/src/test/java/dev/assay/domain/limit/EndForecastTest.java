package dev.assay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EndForecastTest {

    private static final Duration WINDOW = Duration.ofMinutes(5);

    private static PoolWork requests(long calls, long limit) {
        return new PoolWork("openai/gpt*", 1, calls, 0, 0, null, Map.of(LimitKind.REQUESTS_PER_MINUTE, limit));
    }

    @Test
    void shouldGoOnAtTheSpeedOfLate() {
        assertThat(EndForecast.of(100, 50, WINDOW, List.of())).isEqualTo(Duration.ofMinutes(10));
        assertThat(EndForecast.of(1, 30, Duration.ofSeconds(10), List.of())).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void shouldTakeAsLongAsALimitWantsWhereThatIsLonger() {
        assertThat(EndForecast.of(100, 50, WINDOW, List.of(requests(100, 5)))).isEqualTo(Duration.ofSeconds(1_240));
        assertThat(EndForecast.of(100, 50, WINDOW, List.of(requests(100, 5), requests(10, 5))))
                .as("pools run side by side")
                .isEqualTo(Duration.ofSeconds(1_240));
        assertThat(EndForecast.of(100, 50, WINDOW, List.of(requests(100, 1_000))))
                .isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void shouldNotBeKnownWhereFewCellsWereClosedOrNoneIsOpen() {
        assertThat(EndForecast.of(100, 9.9, WINDOW, List.of(requests(100, 5)))).isNull();
        assertThat(EndForecast.of(0, 50, WINDOW, List.of())).isNull();
        assertThat(EndForecast.of(100, 10, WINDOW, List.of())).isEqualTo(Duration.ofMinutes(50));
    }
}
