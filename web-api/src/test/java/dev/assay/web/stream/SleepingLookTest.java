package dev.assay.web.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class SleepingLookTest {

    private static final Duration LONGEST = Duration.ofSeconds(15);
    private static final int AWAKE = 100;

    private final AtomicReference<String> mark = new AtomicReference<>("1");
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final SleepingLook<Integer> look =
            new SleepingLook<>(mark::get, looks::incrementAndGet, seen -> seen < AWAKE, LONGEST, nanos::get);

    @Test
    void shouldLookOnceWhenNothingChanges() {
        assertThat(look.get()).isOne();
        nanos.addAndGet(LONGEST.toNanos() - 1);
        assertThat(look.get()).isOne();
    }

    @Test
    void shouldLookAgainWhenSomethingChanged() {
        look.get();
        mark.set("2");

        assertThat(look.get()).isEqualTo(2);
        assertThat(look.get()).isEqualTo(2);
    }

    @Test
    void shouldLookAgainWhenItSleptForLong() {
        look.get();
        nanos.addAndGet(LONGEST.toNanos());

        assertThat(look.get()).isEqualTo(2);
        assertThat(look.get()).isEqualTo(2);
    }

    @Test
    void shouldLookEachTimeWhenItMayNotSleep() {
        looks.set(AWAKE);

        assertThat(look.get()).isEqualTo(AWAKE + 1);
        assertThat(look.get()).isEqualTo(AWAKE + 2);
    }

    @Test
    void shouldLookAgainWhenALookFailed() {
        SleepingLook<Integer> failing = new SleepingLook<>(
                mark::get,
                () -> {
                    if (looks.incrementAndGet() == 2) {
                        throw new IllegalStateException("away");
                    }
                    return looks.get();
                },
                _ -> true,
                LONGEST,
                nanos::get);
        failing.get();
        mark.set("2");

        assertThatThrownBy(failing::get).hasMessage("away");
        assertThat(failing.get()).isEqualTo(3);
    }
}
