package dev.assay.activities.permit;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.permit.CellTurn;
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
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many are inside, under several bounds at once. An entry has room under all of its bounds or under none, so that no
 * cell holds room under one while it waits for another. The order of those that can enter is that of {@link CellTurn}s. Entries
 * with the same bounds are of one campaign.
 *
 * @param <K> names a bound; a bound that was not set admits no one
 */
final class BoundedRoom<K> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Bound> bounds = new HashMap<>();
    /** The users of each set of bounds, inside or waiting, until one of these bounds is forgotten. */
    private final Map<List<K>, Lane> lanes = new LinkedHashMap<>();

    private long arrivals;
    private long admissions;

    private static final class Bound {
        private int limit;
        private int inside;
        private int waiting;
        /** The number of urgent cells, inside or waiting. */
        private int urgent;
    }

    /** Cells of one campaign that wait for the same bounds, so only the first of them is looked at. */
    private static final class Lane {
        private final boolean isUrgent;
        private final Queue<Waiter> waiters = new PriorityQueue<>(Waiter.FIRST);
        private long served;

        private Lane(boolean isUrgent) {
            this.isUrgent = isUrgent;
        }

        private CellTurn turn() {
            Waiter first = waiters.element();
            return new CellTurn(isUrgent, served, first.position(), first.arrival());
        }
    }

    private record Waiter(int position, long arrival, CountDownLatch admitted) {

        private static final Comparator<Waiter> FIRST =
                Comparator.comparingInt(Waiter::position).thenComparingLong(Waiter::arrival);
    }

    /**
     * Waits until there is room under all of {@code needed}.
     *
     * @param isUrgent whether the entry goes before those that are not urgent; the same for all with the same bounds
     * @param position the place of the entry among those with the same bounds
     * @throws InterruptedException when the thread is interrupted meanwhile; it is not inside then
     */
    void enter(List<K> needed, boolean isUrgent, int position) throws InterruptedException {
        Waiter waiter;
        lock.lock();
        try {
            waiter = new Waiter(position, arrivals++, new CountDownLatch(1));
            lanes.computeIfAbsent(needed, _ -> new Lane(isUrgent)).waiters.add(waiter);
            for (K key : needed) {
                bound(key).waiting++;
                bound(key).urgent += isUrgent ? 1 : 0;
            }
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
            } else {
                lane(needed).waiters.remove(waiter);
                needed.forEach(key -> bound(key).waiting--);
            }
            left(needed);
        } finally {
            lock.unlock();
        }
    }

    /** Makes room under all of {@code held}, under which the caller had entered. */
    void leave(List<K> held) {
        lock.lock();
        try {
            held.forEach(key -> bound(key).inside--);
            left(held);
        } finally {
            lock.unlock();
        }
    }

    private void left(List<K> keys) {
        int urgent = lane(keys).isUrgent ? 1 : 0;
        keys.forEach(key -> bound(key).urgent -= urgent);
        admit();
        keys.forEach(this::forgetIfUnused);
    }

    private Lane lane(List<K> needed) {
        return requireNonNull(lanes.get(needed));
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
        List<K> next = next();
        while (next != null) {
            Lane lane = lane(next);
            lane.served = ++admissions;
            for (K key : next) {
                bound(key).waiting--;
                bound(key).inside++;
            }
            lane.waiters.remove().admitted().countDown();
            next = next();
        }
    }

    /** The bounds of the entry whose turn it is, among those that can enter; null when none can. */
    private @Nullable List<K> next() {
        return lanes.entrySet().stream()
                .filter(lane -> !lane.getValue().waiters.isEmpty())
                .filter(lane -> lane.getKey().stream().map(this::bound).allMatch(bound -> bound.inside < bound.limit))
                .min(Comparator.comparing(lane -> lane.getValue().turn()))
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
            lanes.keySet().removeIf(needed -> needed.contains(key));
        }
    }
}
