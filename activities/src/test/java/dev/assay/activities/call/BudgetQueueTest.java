package dev.assay.activities.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BudgetQueueTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MANY = 1_000;

    private final BudgetQueue queue = new BudgetQueue();
    private final AtomicBoolean hasRoom = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger asking = new AtomicInteger();
    private final AtomicInteger mostAsking = new AtomicInteger();
    private final Queue<Integer> granted = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    @AfterEach
    void stop() {
        threads.forEach(Thread::interrupt);
    }

    private Thread request(String campaign, int number) {
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                queue.await(campaign, () -> ask(number));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        threads.add(thread);
        return thread;
    }

    private boolean ask(int number) {
        mostAsking.accumulateAndGet(asking.incrementAndGet(), Math::max);
        asked.incrementAndGet();
        boolean isGranted = hasRoom.get();
        if (isGranted) {
            granted.add(number);
        }
        asking.decrementAndGet();
        return isGranted;
    }

    private void requests(String campaign, int number) {
        IntStream.range(0, number).forEach(i -> {
            Thread thread = request(campaign, i);
            // In the line, in this order.
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(PATIENCE)
                    .until(() -> thread.getState() == Thread.State.WAITING);
        });
    }

    @Test
    void shouldAskOnceInATenthOfASecondHoweverManyWait() {
        requests("c", MANY);
        int before = asked.get();
        long begin = System.nanoTime();

        await().atMost(PATIENCE).until(() -> asked.get() >= before + 5);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(350));
        assertThat(mostAsking).hasValue(1);
        assertThat(granted).isEmpty();
    }

    @Test
    void shouldAskAtOnceWhenSomethingWasSettled() {
        requests("c", 1);
        hasRoom.set(true);

        queue.changed("c");

        await().atMost(PATIENCE).until(() -> granted.size() == 1);
        queue.changed("c");
    }

    @Test
    void shouldLetAllGoSoonWhenThereIsRoomAgain() {
        requests("c", MANY);
        hasRoom.set(true);

        await().atMost(Duration.ofSeconds(2)).until(() -> granted.size() == MANY);
    }

    @Test
    void shouldLetTheFirstGoFirst() {
        requests("c", 3);
        hasRoom.set(true);

        await().atMost(PATIENCE).until(() -> granted.size() == 3);

        assertThat(granted.peek()).isZero();
    }

    @Test
    void shouldGoOnWhenOneThatWaitsIsStopped() throws InterruptedException {
        requests("c", 3);
        threads.getFirst().interrupt();
        assertThat(threads.getFirst().join(PATIENCE)).isTrue();
        hasRoom.set(true);

        await().atMost(PATIENCE).until(() -> granted.size() == 2);
    }

    @Test
    void shouldGoOnWhenOneThatAsksFails() {
        AtomicBoolean fails = new AtomicBoolean(true);
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                queue.await("c", () -> {
                    fails.set(false);
                    throw new IllegalStateException("planted");
                });
            } catch (IllegalStateException | InterruptedException e) {
                asked.incrementAndGet();
            }
        }));
        requests("c", 2);
        hasRoom.set(true);

        await().atMost(PATIENCE).until(() -> granted.size() == 2);
        assertThat(fails).isFalse();
    }

    @Test
    void shouldNotMakeCampaignsWaitForEachOther() {
        requests("one", 1);
        int before = asked.get();
        Thread other = request("other", 7);
        await().atMost(PATIENCE).until(() -> other.getState() == Thread.State.WAITING && asked.get() > before + 1);
        hasRoom.set(true);

        await().atMost(PATIENCE).until(() -> granted.size() == 2);
    }
}
