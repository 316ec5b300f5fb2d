package dev.assay.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BoundedWorkTest {

    private static final WorkLimits LONG = new WorkLimits(Duration.ofSeconds(30), Duration.ofSeconds(30));
    private static final Duration MOMENT = Duration.ofMillis(50);
    private static final WorkLimits SHORT = new WorkLimits(MOMENT, MOMENT);

    private final AtomicBoolean released = new AtomicBoolean();
    private final BoundedWork pool = new BoundedWork("test", 2, Duration.ofMillis(300));

    @AfterEach
    void close() {
        released.set(true);
        pool.close();
    }

    @Test
    void shouldAnswerWhatWorkAnswersWhenItEndsInTime() throws Exception {
        Thread thread = pool.run("Work", LONG, Thread::currentThread);

        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.isVirtual()).isFalse();
        assertThat(thread.getName()).startsWith("test-");
        assertThat(pool.<String, RuntimeException>run("Work", LONG, () -> null)).isNull();
    }

    @Test
    void shouldThrowWhatWorkThrowsWhenItFails() throws Exception {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> pool.run("Work", LONG, () -> {
                    throw new IOException("refused");
                }));
        assertThatExceptionOfType(OutOfMemoryError.class)
                .isThrownBy(() -> pool.run("Work", LONG, () -> {
                    throw new OutOfMemoryError("planted");
                }));
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> pool.run("Work", LONG, () -> depth(Integer.MAX_VALUE)));
        assertThat(pool.<Integer, RuntimeException>run("Work", LONG, () -> 1)).isOne();
    }

    @Test
    void shouldHaveRoomForDeepRecursionWhenMatchersRecurse() throws Exception {
        assertThat(pool.<Integer, RuntimeException>run("Work", LONG, () -> depth(50_000)))
                .isEqualTo(50_000);
    }

    @Test
    void shouldInterruptWorkAndReleaseItsCallerWhenItTakesTooLong() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);

        assertThatThrownBy(() -> pool.run("The check", SHORT, () -> {
                    try {
                        return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }))
                .isInstanceOf(WorkTimedOutException.class)
                .hasMessage("The check took more than 0.05 s");
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(pool.<Boolean, RuntimeException>run(
                        "Work", LONG, () -> Thread.currentThread().isInterrupted()))
                .isFalse();
    }

    @Test
    void shouldCountTheLimitFromTheBeginningWhenWorkWaitsForAThread() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> before =
                    List.of(callers.submit(() -> hold(begun, go)), callers.submit(() -> hold(begun, go)));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            WorkLimits limit = new WorkLimits(Duration.ofMillis(400), Duration.ofMillis(400));
            Future<Integer> waiting = callers.submit(() -> pool.run("Work", limit, () -> 7));

            assertThatThrownBy(() -> waiting.get(1_200, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            go.countDown();

            assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo(7);
            assertThat(before.getFirst().get(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void shouldRunWorkInOrderWhenCallersWait() throws Exception {
        BoundedWork single = new BoundedWork("single", 1, Duration.ofSeconds(30));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        try (single;
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            callers.submit(() -> single.run("Work", LONG, () -> held(begun, go)));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 20; i++) {
                int number = i;
                callers.submit(() -> single.run("Work", LONG, () -> order.add(number)));
                await().until(() -> single.waiting() == number + 1);
            }
            go.countDown();
            await().until(() -> order.size() == 20);
        }
        assertThat(order).isSorted();
    }

    @Test
    void shouldGiveUpWorkWhenItsCallerIsInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        AtomicReference<Throwable> seen = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                pool.run("Work", LONG, () -> {
                    begun.countDown();
                    try {
                        return new CountDownLatch(1).await(1, TimeUnit.MINUTES);
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                });
            } catch (Throwable e) {
                seen.set(e);
            }
        });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();

        caller.interrupt();

        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
        assertThat(seen.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void shouldNeverRunWorkWhenItsCallerLeftBeforeItBegan() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean ran = new AtomicBoolean();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            callers.submit(() -> hold(begun, go));
            callers.submit(() -> hold(begun, go));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    pool.run("Work", LONG, () -> {
                        ran.set(true);
                        return 1;
                    });
                } catch (InterruptedException | WorkTimedOutException _) {
                    // The end that this test makes.
                    Thread.currentThread().interrupt();
                }
            });
            await().until(() -> pool.waiting() == 1);
            caller.interrupt();
            assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
            go.countDown();
        }
        pool.run("Work", LONG, () -> 1);
        pool.run("Work", LONG, () -> 1);
        assertThat(ran).isFalse();
    }

    @Test
    void shouldReplaceThreadsUpToTwiceItsSizeWhenWorkDoesNotEnd() throws Exception {
        for (int lost = 1; lost <= 4; lost++) {
            loseAThread();
            int expected = lost;
            await().until(() -> pool.lost() == expected);
        }
        bothThreadsWork();

        loseAThread();
        loseAThread();
        await().until(pool::isBusy);
        assertThat(pool.lost()).isEqualTo(4);
        assertThat(pool.threads()).isEqualTo(6);

        released.set(true);
        await().until(() -> !pool.isBusy());
        await().until(() -> pool.threads() == 2 && pool.lost() == 0);
        bothThreadsWork();
    }

    @Test
    void shouldNotBeBusyBeforeItsThreadsHaveStarted() {
        for (int i = 0; i < 100; i++) {
            try (BoundedWork fresh = new BoundedWork("fresh")) {
                assertThat(fresh.isBusy()).isFalse();
            }
        }
    }

    @Test
    void shouldCountTheTimeOfAProcessorWhenWorkIsKeptWaiting() throws Exception {
        WorkLimits limits = new WorkLimits(Duration.ofMillis(200), Duration.ofSeconds(30));

        assertThat(pool.<Boolean, InterruptedException>run(
                        "Work", limits, () -> new CountDownLatch(1).await(500, TimeUnit.MILLISECONDS)))
                .isFalse();
        assertThatThrownBy(() -> pool.run("Work", limits, () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    return 1;
                }))
                .hasMessage("Work took more than 0.2 s");
    }

    @Test
    void shouldKeepItsSizeWhenALostThreadEndsAfterAll() throws Exception {
        loseAThread();
        await().until(() -> pool.lost() == 1);
        assertThat(pool.threads()).isEqualTo(3);

        released.set(true);

        await().until(() -> pool.threads() == 2);
        bothThreadsWork();
    }

    @RepeatedTest(20)
    void shouldRefuseWorkWhenClosed() {
        pool.close();

        assertThatThrownBy(() -> pool.run("Work", LONG, () -> 1))
                .isInstanceOf(CancellationException.class)
                .hasMessageContaining("closed");
        await().until(() -> pool.threads() == 0);
    }

    @Test
    void shouldHandOverInMicrosecondsWhenWorkIsTiny() throws Exception {
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 3; round++) {
                int pieces = 20_000;
                CountDownLatch done = new CountDownLatch(pieces);
                long began = System.nanoTime();
                for (int i = 0; i < pieces; i++) {
                    callers.submit(() -> {
                        pool.run("Work", LONG, () -> 1);
                        done.countDown();
                        return null;
                    });
                }
                assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
                double micros = (System.nanoTime() - began) / 1e3 / pieces;
                // Ten is usual; the bound is wide because the machine may be busy.
                assertThat(micros).isLessThan(1000);
            }
        }
    }

    private void loseAThread() {
        assertThatExceptionOfType(WorkTimedOutException.class)
                .isThrownBy(() -> pool.run("Endless work", SHORT, () -> {
                    while (!released.get()) {
                        Thread.onSpinWait();
                    }
                    return 1;
                }));
    }

    private void bothThreadsWork() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            callers.submit(() -> hold(begun, go));
            callers.submit(() -> hold(begun, go));
            assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
            go.countDown();
        }
    }

    private boolean hold(CountDownLatch begun, CountDownLatch go) throws Exception {
        return pool.run("Work", LONG, () -> held(begun, go));
    }

    private static boolean held(CountDownLatch begun, CountDownLatch go) throws InterruptedException {
        begun.countDown();
        return go.await(20, TimeUnit.SECONDS);
    }

    private static int depth(int left) {
        return left == 0 ? 0 : 1 + depth(left - 1);
    }
}
