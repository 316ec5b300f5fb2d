package dev.assay.activities.permit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many are inside, under several bounds at once: who enters has room under all of its bounds or under none, so that
 * nobody takes room under one while it waits for another. First come, first served, among those who can enter.
 *
 * @param <K> names a bound; a bound that nobody set admits nobody
 */
final class BoundedRoom<K> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Bound> bounds = new HashMap<>();
    /** Who waits, by the bounds that it needs: these wait for the same, so only the first of them is looked at. */
    private final Map<List<K>, Deque<Waiter>> lanes = new LinkedHashMap<>();

    private long arrivals;

    private static final class Bound {
        private int limit;
        private int inside;
        private int waiting;
    }

    private record Waiter(long arrival, CountDownLatch admitted) {}

    /**
     * Waits until there is room under all of {@code needed}.
     *
     * @throws InterruptedException when the thread is interrupted meanwhile; it is not inside then
     */
    void enter(List<K> needed) throws InterruptedException {
        Waiter waiter;
        lock.lock();
        try {
            waiter = new Waiter(arrivals++, new CountDownLatch(1));
            lanes.computeIfAbsent(needed, lane -> new ArrayDeque<>()).add(waiter);
            needed.forEach(key -> bound(key).waiting++);
            admit();
        } finally {
            lock.unlock();
        }
        try {
            waiter.admitted().await();
        } catch (InterruptedException e) {
            giveUp(needed, waiter);
            throw e;
        }
    }

    private void giveUp(List<K> needed, Waiter waiter) {
        lock.lock();
        try {
            if (waiter.admitted().getCount() == 0) {
                needed.forEach(key -> bound(key).inside--);
                admit();
            } else {
                Deque<Waiter> lane = lanes.get(needed);
                if (lane != null && lane.remove(waiter) && lane.isEmpty()) {
                    lanes.remove(needed);
                }
                needed.forEach(key -> bound(key).waiting--);
            }
            needed.forEach(this::forgetIfUnused);
        } finally {
            lock.unlock();
        }
    }

    /** Makes room under all of {@code held}, under which the caller had entered. */
    void leave(List<K> held) {
        lock.lock();
        try {
            held.forEach(key -> bound(key).inside--);
            admit();
            held.forEach(this::forgetIfUnused);
        } finally {
            lock.unlock();
        }
    }

    /** Sets a bound, at least 0. Who is inside stays: a bound that was lowered admits nobody until enough have left. */
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
     * How a bound is used.
     *
     * @param limit what it is set to
     * @param inside how many are inside
     * @param waiting how many wait for it, perhaps for another bound only
     */
    record Use(int limit, int inside, int waiting) {}

    /** How a bound is used; unset, unused ones too. */
    Use use(K key) {
        lock.lock();
        try {
            Bound bound = bounds.get(key);
            return bound == null ? new Use(0, 0, 0) : new Use(bound.limit, bound.inside, bound.waiting);
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
        Map.Entry<List<K>, Deque<Waiter>> next = next();
        while (next != null) {
            List<K> needed = next.getKey();
            Waiter waiter = next.getValue().remove();
            if (next.getValue().isEmpty()) {
                lanes.remove(needed);
            }
            for (K key : needed) {
                bound(key).waiting--;
                bound(key).inside++;
            }
            waiter.admitted().countDown();
            next = next();
        }
    }

    /** The lane whose first waiter came first of all that can enter; null when none can. */
    private Map.@Nullable Entry<List<K>, Deque<Waiter>> next() {
        Map.Entry<List<K>, Deque<Waiter>> next = null;
        for (Map.Entry<List<K>, Deque<Waiter>> lane : lanes.entrySet()) {
            boolean room = lane.getKey().stream().map(this::bound).allMatch(bound -> bound.inside < bound.limit);
            if (room && (next == null || arrival(lane) < arrival(next))) {
                next = lane;
            }
        }
        return next;
    }

    private static long arrival(Map.Entry<?, Deque<Waiter>> lane) {
        return lane.getValue().element().arrival();
    }

    private Bound bound(K key) {
        return bounds.computeIfAbsent(key, unset -> new Bound());
    }

    private void forgetIfUnused(K key) {
        Bound bound = bound(key);
        if (bound.limit == 0 && bound.inside == 0 && bound.waiting == 0) {
            bounds.remove(key);
        }
    }
}
