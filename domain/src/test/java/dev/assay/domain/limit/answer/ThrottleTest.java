package dev.assay.domain.limit.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.limit.AdaptiveConcurrency.Phase;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThrottleTest {

    private static final Instant NOW = Instant.parse("2026-11-26T09:00:00Z");

    private static PoolRefusal refusal(Refusal.Kind kind, @Nullable Duration asked, Throttle then) {
        return new PoolRefusal(kind, asked, then.blocks(), then.concurrency().cuts(), 20);
    }

    private static Throttle refused(Throttle throttle, Refusal.Kind kind, @Nullable Duration asked) {
        return throttle.refused(refusal(kind, asked, throttle), NOW);
    }

    @Test
    void shouldBlockWithoutACutWhenARateIsRefused() {
        Throttle after = refused(Throttle.begun(1, 30, 30), Refusal.Kind.RATE, null);

        assertThat(after.blockedFor(NOW)).isEqualTo(Duration.ofSeconds(1));
        assertThat(after.concurrency().now()).isEqualTo(30);
        assertThat(after.blockedFor(NOW.plusSeconds(1))).isZero();
    }

    @Test
    void shouldBlockAndCutOnceWhenABurstIsRefused() {
        Throttle before = Throttle.begun(1, 30, 30);
        Throttle after = before;
        for (int i = 0; i < 50; i++) {
            after = after.refused(refusal(Refusal.Kind.CONCURRENCY, null, before), NOW.plusMillis(i));
        }

        assertThat(after.concurrency().now()).isEqualTo(14);
        assertThat(after.blocks()).isEqualTo(1);
        assertThat(after.blockedFor(NOW)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void shouldWaitLongerWithEachBlockInARowUntilOneIsAnswered() {
        Throttle after = Throttle.begun(1, 30, 30);
        for (int i = 0; i < 8; i++) {
            after = refused(after, Refusal.Kind.RATE, null);
        }
        assertThat(after.blockedFor(NOW)).isEqualTo(Duration.ofMinutes(1));

        Throttle late = after.calmed(3);
        assertThat(refused(late, Refusal.Kind.RATE, null).inRow())
                .as("sent before the last block")
                .isEqualTo(9);
        assertThat(after.calmed(8).inRow()).isZero();
    }

    @Test
    void shouldWaitAsLongAsOneOfABurstAsks() {
        Throttle before = Throttle.begun(1, 30, 30);
        Throttle after = refused(before, Refusal.Kind.RATE, null)
                .refused(refusal(Refusal.Kind.RATE, Duration.ofSeconds(7), before), NOW)
                .refused(refusal(Refusal.Kind.RATE, Duration.ofSeconds(3), before), NOW);

        assertThat(after.blockedFor(NOW)).isEqualTo(Duration.ofSeconds(7));
        assertThat(after.blocks()).isEqualTo(1);
    }

    @Test
    void shouldBlockOnlyWhenAnUnavailableProviderAsksToWait() {
        Throttle begun = Throttle.begun(1, 30, 30);

        assertThat(refused(begun, Refusal.Kind.OTHER, null)).isEqualTo(begun);
        assertThat(refused(begun, Refusal.Kind.OTHER, Duration.ofSeconds(9)).blockedFor(NOW))
                .isEqualTo(Duration.ofSeconds(9));
        for (Refusal.Kind kind : new Refusal.Kind[] {Refusal.Kind.AUTH, Refusal.Kind.QUOTA, Refusal.Kind.TOO_LARGE}) {
            assertThat(refused(begun, kind, Duration.ofSeconds(9))).isEqualTo(begun);
        }
    }

    @Test
    void shouldBeginAnewWhenItsProviderWasAway() {
        Throttle before = Throttle.begun(2, 30, 40);
        Throttle after = before.restarted(5);

        assertThat(after.concurrency().now()).isEqualTo(5);
        assertThat(after.concurrency().phase()).isEqualTo(Phase.SLOW_START);
        assertThat(after.answered(before.concurrency().cuts(), 5))
                .as("sent before it was away")
                .isEqualTo(after);
    }

    @Test
    void shouldKeepTheOneThatWasSentLastWhenRefusalsAreToldTogether() {
        PoolRefusal old = new PoolRefusal(Refusal.Kind.RATE, Duration.ofSeconds(4), 1, 1, 10);
        PoolRefusal young = new PoolRefusal(Refusal.Kind.RATE, null, 2, 1, 30);

        assertThat(old.and(young)).isEqualTo(new PoolRefusal(Refusal.Kind.RATE, Duration.ofSeconds(4), 2, 1, 30));
        assertThat(young.and(old)).isEqualTo(old.and(young));
        PoolRefusal first = new PoolRefusal(Refusal.Kind.RATE, null, 2, 1, 3);
        assertThat(first.and(young)).isEqualTo(young);
    }
}
