package dev.assay.activities.code;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The places of processes, shared fairly. The owner with the fewest processes at work comes first, among these one that needs no new
 * process. Idle processes make room for others. An owner that has had none at work for {@link #PATIENCE} comes before all.
 *
 * @param <K> what a process can be used for
 * @param <P> a process
 */
final class ProcessSlots<K, P> {

    /** The wait after which an owner without any process comes first. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final int most;
    private final int mostStalled;
    private final Function<K, String> owners;
    private final Consumer<P> end;
    private final LongSupplier nanoTime;
    private final Map<K, Shelf<K, P>> shelves = new LinkedHashMap<>();
    private int held;
    private int stalled;

    /**
     * @param most processes that are held at once, at least 1
     * @param mostStalled further processes that are at work for long
     * @param owners who is to get a fair share
     * @param end ends a process that makes room; it must not wait
     */
    ProcessSlots(int most, int mostStalled, Function<K, String> owners, Consumer<P> end, LongSupplier nanoTime) {
        this.most = most;
        this.mostStalled = mostStalled;
        this.owners = owners;
        this.end = end;
        this.nanoTime = nanoTime;
    }

    /** The processes of one key, and those who wait for one. */
    private static final class Shelf<K, P> {
        private final K key;
        private final Deque<Idle<P>> idle = new ArrayDeque<>();
        private final Deque<Waiter<K, P>> waiting = new ArrayDeque<>();
        private int busy;

        Shelf(K key) {
            this.key = key;
        }

        boolean isEmpty() {
            return idle.isEmpty() && waiting.isEmpty() && busy == 0;
        }
    }

    private record Idle<P>(P process, long since) {}

    private record Waiter<K, P>(CompletableFuture<Slot<K, P>> slot, long since) {}

    /** The place of one process that is at work. */
    static final class Slot<K, P> {
        private final K key;
        private final @Nullable P process;
        private boolean isStalled;

        private Slot(K key, @Nullable P process) {
            this.key = key;
            this.process = process;
        }

        /** The process that was idle; empty: the taker starts one. */
        Optional<P> process() {
            return Optional.ofNullable(process);
        }
    }

    /** Waits for a place. It is given back by {@link #give} or {@link #free}. */
    Slot<K, P> take(K key) throws InterruptedException {
        CompletableFuture<Slot<K, P>> slot = new CompletableFuture<>();
        Waiter<K, P> waiter = new Waiter<>(slot, nanoTime.getAsLong());
        synchronized (this) {
            shelves.computeIfAbsent(key, Shelf::new).waiting.add(waiter);
            dispatch();
        }
        try {
            return slot.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Nothing fails a wait", e);
        } catch (InterruptedException e) {
            leave(key, waiter);
            throw e;
        }
    }

    private synchronized void leave(K key, Waiter<K, P> waiter) {
        Shelf<K, P> shelf = shelves.get(key);
        if (shelf != null && shelf.waiting.remove(waiter)) {
            tidy(shelf);
            return;
        }
        Slot<K, P> slot = waiter.slot().join();
        if (slot.process == null) {
            free(slot);
        } else {
            give(slot, slot.process);
        }
    }

    /** Gives a place back with its process, which is idle now. */
    synchronized void give(Slot<K, P> slot, P process) {
        Shelf<K, P> shelf = leave(slot);
        if (held >= most) {
            // Others took the place while it was at work for long.
            end.accept(process);
        } else {
            held++;
            shelf.idle.push(new Idle<>(process, nanoTime.getAsLong()));
        }
        dispatch();
        tidy(shelf);
    }

    /** Gives a place back whose process has ended, or was never started. */
    synchronized void free(Slot<K, P> slot) {
        Shelf<K, P> shelf = leave(slot);
        dispatch();
        tidy(shelf);
    }

    private Shelf<K, P> leave(Slot<K, P> slot) {
        Shelf<K, P> shelf = shelves.computeIfAbsent(slot.key, Shelf::new);
        if (slot.isStalled) {
            stalled--;
        } else {
            held--;
            shelf.busy--;
        }
        return shelf;
    }

    /** Says that a process is at work for long: it no longer counts, as long as few of these do. */
    synchronized void stall(Slot<K, P> slot) {
        Shelf<K, P> shelf = shelves.get(slot.key);
        if (!slot.isStalled && stalled < mostStalled && shelf != null) {
            slot.isStalled = true;
            stalled++;
            held--;
            shelf.busy--;
            dispatch();
        }
    }

    /** Ends the processes that have been idle for {@code since}, and lets those who have waited for long come first. */
    synchronized void sweep(Duration since) {
        long now = nanoTime.getAsLong();
        for (Shelf<K, P> shelf : List.copyOf(shelves.values())) {
            while (!shelf.idle.isEmpty() && now - shelf.idle.getLast().since() >= since.toNanos()) {
                evict(shelf);
            }
            tidy(shelf);
        }
        dispatch();
    }

    private void evict(Shelf<K, P> shelf) {
        end.accept(shelf.idle.removeLast().process());
        held--;
    }

    private void tidy(Shelf<K, P> shelf) {
        if (shelf.isEmpty()) {
            shelves.remove(shelf.key, shelf);
        }
    }

    private void dispatch() {
        for (Optional<Shelf<K, P>> next = next(); next.isPresent(); next = next()) {
            Shelf<K, P> shelf = next.get();
            P process = null;
            if (!shelf.idle.isEmpty()) {
                process = shelf.idle.pop().process();
            } else {
                if (held >= most && !makeRoom()) {
                    return;
                }
                held++;
            }
            shelf.busy++;
            shelf.waiting.remove().slot().complete(new Slot<>(shelf.key, process));
        }
    }

    /** Ends the process that has been idle for the longest time; false: all are at work. */
    private boolean makeRoom() {
        Optional<Shelf<K, P>> oldest = shelves.values().stream()
                .filter(shelf -> !shelf.idle.isEmpty())
                .min(Comparator.comparingLong(shelf -> shelf.idle.getLast().since()));
        oldest.ifPresent(this::evict);
        return oldest.isPresent();
    }

    /** Those who are served next; empty: nobody waits, or all places are taken. */
    private Optional<Shelf<K, P>> next() {
        boolean isFull = held >= most && shelves.values().stream().allMatch(shelf -> shelf.idle.isEmpty());
        List<Shelf<K, P>> waiting = new ArrayList<>();
        shelves.values().stream().filter(shelf -> !shelf.waiting.isEmpty()).forEach(waiting::add);
        if (isFull || waiting.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Integer> busy = new LinkedHashMap<>();
        shelves.values().forEach(shelf -> busy.merge(owners.apply(shelf.key), shelf.busy, Integer::sum));
        long now = nanoTime.getAsLong();
        return waiting.stream()
                .min(Comparator.<Shelf<K, P>>comparingInt(shelf -> isOverdue(shelf, now) ? 0 : 1)
                        .thenComparingInt(shelf -> busy.getOrDefault(owners.apply(shelf.key), 0))
                        .thenComparingInt(shelf -> shelf.busy)
                        .thenComparingInt(shelf -> shelf.idle.isEmpty() ? 1 : 0));
    }

    private static <K, P> boolean isOverdue(Shelf<K, P> shelf, long now) {
        return shelf.busy == 0
                && shelf.idle.isEmpty()
                && now - shelf.waiting.getFirst().since() >= PATIENCE.toNanos();
    }
}
