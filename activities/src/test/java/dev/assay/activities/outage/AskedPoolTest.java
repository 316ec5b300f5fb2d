package dev.assay.activities.outage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.model.CallSign;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.OutageSignal;
import dev.assay.domain.limit.outage.SignalDecision;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class AskedPoolTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private Instant now = Instant.parse("2026-01-01T12:00:00Z");

    /** Each look at the clock takes six seconds, so that nobody waits. */
    private final AskedPool pool = new AskedPool(new ModelPool("one", "default", "m"), () -> {
        now = now.plusSeconds(6);
        return now;
    });

    private void fail(int calls) {
        for (int i = 0; i < calls; i++) {
            pool.ended("cell-" + i, pool.begins(), CallSign.of(OutageSignal.SERVER_ERROR), "503");
        }
    }

    /** PostgreSQL is slow or away: the exchange that would say it does not come. */
    @Test
    void shouldCountNoAttemptWhenItIsHeldBackAndNobodySaysWhetherItIsDown() throws InterruptedException {
        fail(6);
        assertThat(pool.isHeld()).isTrue();

        assertThat(pool.decided("cell-5", LONG)).isEqualTo(SignalDecision.NO_ATTEMPT);
    }

    @Test
    void shouldCountTheAttemptWhenAnExchangeHasSaidThatItIsNotDown() throws InterruptedException {
        fail(6);
        assertThat(pool.found(null)).isFalse();

        assertThat(pool.decided("cell-5", LONG)).isEqualTo(SignalDecision.ATTEMPT);
    }

    @Test
    void shouldCountTheAttemptWhenFewCallsFailed() throws InterruptedException {
        fail(2);

        assertThat(pool.decided("cell-1", LONG)).isEqualTo(SignalDecision.ATTEMPT);
    }
}
