package dev.assay.activities.permit;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.permit.CellTurn;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many are inside, under several bounds at once. An entry has room under all of its bounds or under none, so that no
 * cell holds room under one while it waits for another. The order of those that can enter is that of {@link CellTurn}s. Entries
 * with the same bounds and the same urgency take turns as one.
 *
 * @param <K> names a bound; a bound that was not set admits no one
 */
final class BoundedRoom<K> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Bound> bounds = new HashMap<>();
    /** The users of each set of bounds, inside or waiting, until one of these bounds is forgotten. */
    private final Map<Needs<K>, Lane> lanes = new LinkedHashMap<>();

    private long arrivals;
    private long admissions;

    private static final class Bound {
        private int limit;
        private int inside;
        private int waiting;
        /** The number of urgent cells, inside or waiting. */
        private int urgent;
    }

    /**
     * The needs of an entry.
     *
     * @param bounds under all of which it needs room
     * @param isUrgent whether it goes before those that are not urgent
     */
    record Needs<K>(List<K> bounds, boolean isUrgent) {

        Needs {
            bounds = List.copyOf(bounds);
        }
    }

    /** Entries that wait for the same, so only the first of them is looked at. */
    private static final class Lane {
        private final Queue<Waiter> waiters = new PriorityQueue<>(Waiter.FIRST);
        private long served;

        private CellTurn turn(boolean isUrgent) {
            Waiter first = waiters.element();
            return new CellTurn(isUrgent, served, first.position(), first.arrival());
        }
    }

    private record Waiter(int position, long arrival, CountDownLatch admitted) {

        private static final Comparator<Waiter> FIRST =
                Comparator.comparingInt(Waiter::position).thenComparingLong(Waiter::arrival);
    }

    /**
     * Waits until there is room under all bounds of {@code needs}.
     *
     * @param position the place of the entry among those with the same needs
     * @throws InterruptedException when the thread is interrupted meanwhile; it is not inside then
     */
    void enter(Needs<K> needs, int position) throws InterruptedException {
        boolean isInside = enter(needs, position, Duration.ofNanos(Long.MAX_VALUE));
        if (!isInside) {
            throw new IllegalStateException("An entry waited for 292 years");
        }
    }

    /**
     * The same for a limited time.
     *
     * @return whether there was room in time; if not, it is not inside
     */
    boolean enter(Needs<K> needs, int position, Duration atMost) throws InterruptedException {
        Waiter waiter;
        lock.lock();
        try {
            waiter = new Waiter(position, arrivals++, new CountDownLatch(1));
            lanes.computeIfAbsent(needs, _ -> new Lane()).waiters.add(waiter);
            for (K key : needs.bounds()) {
                bound(key).waiting++;
                bound(key).urgent += needs.isUrgent() ? 1 : 0;
            }
            admit();
        } finally {
            lock.unlock();
        }
        boolean isInside = false;
        try {
            isInside = waiter.admitted().await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            if (!isInside) {
                giveUp(needs, waiter);
            }
        }
        return isInside;
    }

    private void giveUp(Needs<K> needs, Waiter waiter) {
        lock.lock();
        try {
            if (waiter.admitted().getCount() == 0) {
                needs.bounds().forEach(key -> bound(key).inside--);
            } else {
                lane(needs).waiters.remove(waiter);
                needs.bounds().forEach(key -> bound(key).waiting--);
            }
            left(needs);
        } finally {
            lock.unlock();
        }
    }

    /** Makes room under all bounds under which the caller had entered. */
    void leave(Needs<K> held) {
        lock.lock();
        try {
            held.bounds().forEach(key -> bound(key).inside--);
            left(held);
        } finally {
            lock.unlock();
        }
    }

    private void left(Needs<K> needs) {
        int urgent = needs.isUrgent() ? 1 : 0;
        needs.bounds().forEach(key -> bound(key).urgent -= urgent);
        admit();
        needs.bounds().forEach(this::forgetIfUnused);
    }

    private Lane lane(Needs<K> needs) {
        return requireNonNull(lanes.get(needs));
    }

    /** Sets a bound, at least 0. Those inside stay: a lowered bound admits no one until enough have left. */
    void limit(K key, int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("A bound is not negative: " + limit);
        }
        lock.lock();
        try {
            bound(key).limit = limit;
            admit();
            forgetIfUnused(key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The use of a bound.
     *
     * @param limit what it is set to
     * @param inside how many are inside
     * @param waiting how many wait for it, perhaps for another bound only
     * @param urgent how many of both go before the others
     */
    record Use(int limit, int inside, int waiting, int urgent) {

        private static final Use NONE = new Use(0, 0, 0, 0);
    }

    /** The use of a bound; also of unset and unused ones. */
    Use use(K key) {
        lock.lock();
        try {
            Bound bound = bounds.get(key);
            return bound == null ? Use.NONE : new Use(bound.limit, bound.inside, bound.waiting, bound.urgent);
        } finally {
            lock.unlock();
        }
    }

    /** The bounds that are set or used. */
    Set<K> keys() {
        lock.lock();
        try {
            return new LinkedHashSet<>(bounds.keySet());
        } finally {
            lock.unlock();
        }
    }

    private void admit() {
        Needs<K> next = next();
        while (next != null) {
            Lane lane = lane(next);
            lane.served = ++admissions;
            for (K key : next.bounds()) {
                bound(key).waiting--;
                bound(key).inside++;
            }
            lane.waiters.remove().admitted().countDown();
            next = next();
        }
    }

    /** The needs of the entry whose turn it is, among those that can enter; null when none can. */
    private @Nullable Needs<K> next() {
        return lanes.entrySet().stream()
                .filter(lane -> !lane.getValue().waiters.isEmpty())
                .filter(lane ->
                        lane.getKey().bounds().stream().map(this::bound).allMatch(bound -> bound.inside < bound.limit))
                .min(Comparator.comparing(
                        lane -> lane.getValue().turn(lane.getKey().isUrgent())))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    private Bound bound(K key) {
        return bounds.computeIfAbsent(key, unset -> new Bound());
    }

    private void forgetIfUnused(K key) {
        Bound bound = bound(key);
        if (bound.limit == 0 && bound.inside == 0 && bound.waiting == 0) {
            bounds.remove(key);
            lanes.keySet().removeIf(needs -> needs.bounds().contains(key));
        }
    }
}
