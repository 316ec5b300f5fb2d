package dev.assay.activities.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who gets a process when there are too few. A process is a text here, its owner the part of its key before a dot. */
@Timeout(60)
class ProcessSlotsTest {

    private final AtomicLong now = new AtomicLong();
    private final List<String> ended = new CopyOnWriteArrayList<>();

    private ProcessSlots<String, String> slots(int most) {
        return new ProcessSlots<>(most, 2, key -> key.split("\\.")[0], ended::add, now::get);
    }

    private static CompletableFuture<ProcessSlots.Slot<String, String>> wait(
            ProcessSlots<String, String> slots, String key) {
        CompletableFuture<ProcessSlots.Slot<String, String>> taken = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                taken.complete(slots.take(key));
            } catch (InterruptedException e) {
                taken.completeExceptionally(e);
            }
        });
        await().until(() -> taken.isDone() || thread.getState() == Thread.State.WAITING);
        return taken;
    }

    @Test
    void shouldUseAnIdleProcessAgainWhenItsOwnerAsks() throws Exception {
        ProcessSlots<String, String> slots = slots(2);
        ProcessSlots.Slot<String, String> first = slots.take("a.py");
        assertThat(first.process()).isEmpty();
        slots.give(first, "one");

        assertThat(slots.take("a.py").process()).contains("one");
        assertThat(slots.take("a.js").process()).isEmpty();
        assertThat(ended).isEmpty();
    }

    @Test
    void shouldEndTheLongestIdleProcessWhenAnotherOwnerNeedsItsPlace() throws Exception {
        ProcessSlots<String, String> slots = slots(2);
        ProcessSlots.Slot<String, String> first = slots.take("a.py");
        ProcessSlots.Slot<String, String> second = slots.take("a.py");
        slots.give(first, "older");
        now.incrementAndGet();
        slots.give(second, "newer");

        assertThat(slots.take("b.py").process()).isEmpty();
        assertThat(ended).containsExactly("older");
        assertThat(slots.take("a.py").process()).contains("newer");
    }

    @Test
    void shouldServeTheOwnerWithFewestProcessesFirstWhenAllAreTaken() throws Exception {
        ProcessSlots<String, String> slots = slots(2);
        ProcessSlots.Slot<String, String> first = slots.take("a.py");
        ProcessSlots.Slot<String, String> second = slots.take("a.py");
        var more = wait(slots, "a.py");
        var other = wait(slots, "b.py");

        slots.give(first, "one");
        assertThat(other.get().process()).as("b has none yet").isEmpty();
        assertThat(ended).containsExactly("one");
        slots.give(second, "two");
        assertThat(more.get().process()).as("each has its share").contains("two");
    }

    @Test
    void shouldServeAnOwnerWithoutProcessesWhenItHasWaitedForLong() throws Exception {
        ProcessSlots<String, String> slots = slots(1);
        ProcessSlots.Slot<String, String> first = slots.take("a.py");
        var more = wait(slots, "a.py");
        var other = wait(slots, "b.py");
        slots.give(first, "one");
        assertThat(more.get().process()).as("no process is ended for nothing").contains("one");
        assertThat(other).isNotDone();

        var again = wait(slots, "a.py");
        now.addAndGet(ProcessSlots.PATIENCE.toNanos());
        slots.give(more.get(), "one");
        assertThat(other.get().process()).isEmpty();
        assertThat(again).isNotDone();
    }

    @Test
    void shouldPreferTheOwnerOfAnIdleProcessWhenNobodyHasFewer() throws Exception {
        ProcessSlots<String, String> slots = slots(1);
        ProcessSlots.Slot<String, String> first = slots.take("b.py");
        var other = wait(slots, "a.py");
        now.addAndGet(ProcessSlots.PATIENCE.toNanos());
        var more = wait(slots, "b.py");
        slots.give(first, "one");
        assertThat(other.get().process()).isEmpty();

        var again = wait(slots, "a.py");
        slots.give(other.get(), "two");
        assertThat(again.get().process()).contains("two");
        assertThat(more).isNotDone();
    }

    @Test
    void shouldLetOthersStartWhenAProcessIsAtWorkForLong() throws Exception {
        ProcessSlots<String, String> slots = slots(1);
        ProcessSlots.Slot<String, String> slow = slots.take("a.py");
        var other = wait(slots, "a.py");
        assertThat(other).isNotDone();
        slots.stall(slow);
        assertThat(other.get().process()).isEmpty();

        slots.give(slow, "slow");
        assertThat(ended).as("its place is taken").containsExactly("slow");
        slots.give(other.get(), "other");
        assertThat(slots.take("a.py").process()).contains("other");
    }

    @Test
    void shouldCountStalledProcessesWhenThereAreManyOfThem() throws Exception {
        ProcessSlots<String, String> slots = slots(1);
        for (int i = 0; i < 2; i++) {
            slots.stall(slots.take("a.py"));
        }
        slots.stall(slots.take("a.py"));
        assertThat(wait(slots, "a.py")).as("two are enough").isNotDone();
    }

    @Test
    void shouldEndIdleProcessesWhenNobodyNeedsThem() throws Exception {
        ProcessSlots<String, String> slots = slots(2);
        slots.give(slots.take("a.py"), "one");
        slots.sweep(Duration.ofSeconds(60));
        assertThat(ended).isEmpty();
        now.addAndGet(Duration.ofSeconds(60).toNanos());
        slots.sweep(Duration.ofSeconds(60));
        assertThat(ended).containsExactly("one");
    }

    @Test
    void shouldGiveThePlaceBackWhenAWaiterIsInterrupted() throws Exception {
        ProcessSlots<String, String> slots = slots(1);
        ProcessSlots.Slot<String, String> first = slots.take("a.py");
        Thread waiter = Thread.ofPlatform().start(() -> {
            try {
                slots.take("a.py");
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        waiter.interrupt();
        waiter.join();

        slots.give(first, "one");
        assertThat(slots.take("a.py").process()).contains("one");
    }

    /** Whatever happens: never more at work than there are places, and everybody is served. */
    @Test
    void shouldNeverHoldMoreThanItsPlacesWhenManyAsk() throws Exception {
        ProcessSlots<String, String> slots = slots(3);
        AtomicInteger alive = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger served = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Random random = new Random(i);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int n = 0; n < 500; n++) {
                        ProcessSlots.Slot<String, String> slot = slots.take((char) ('a' + random.nextInt(5)) + ".py");
                        most.accumulateAndGet(alive.incrementAndGet(), Math::max);
                        served.incrementAndGet();
                        alive.decrementAndGet();
                        if (random.nextInt(10) == 0) {
                            slots.free(slot);
                        } else {
                            slots.give(slot, slot.process().orElse("new"));
                        }
                    }
                } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(served).hasValue(6_000);
        assertThat(most.get()).isBetween(1, 3);
        Map<String, Integer> left = new HashMap<>();
        slots.sweep(Duration.ZERO);
        ended.forEach(process -> left.merge(process, 1, Integer::sum));
        for (int i = 0; i < 3; i++) {
            assertThat(slots.take("z.py").process()).isEmpty();
        }
    }
}
