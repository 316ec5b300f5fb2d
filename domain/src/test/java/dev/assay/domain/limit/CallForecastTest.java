package dev.assay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CallForecastTest {

    private static final PoolWork SLOW =
            new PoolWork("p/slow", 1, 100, 0, 0, 60.0, Map.of(LimitKind.REQUESTS_PER_MINUTE, 600L));

    @Test
    void shouldBeBoundByCallsInFlightWhenTheTimesOfAllCallsAreKnown() {
        assertThat(CallForecast.of(List.of(SLOW), 10)).isEqualTo(new CallForecast(600, "maxConcurrent"));
    }

    @Test
    void shouldBeBoundByALimitWhenTheTimeOfSomeCallsIsNotKnown() {
        PoolWork unknown = new PoolWork("p/unknown", 1, 1, 0, 0, null, Map.of());

        assertThat(CallForecast.of(List.of(SLOW, unknown), 10))
                .isEqualTo(new CallForecast(11, "requestsPerMinute of p/slow"));
    }
}
