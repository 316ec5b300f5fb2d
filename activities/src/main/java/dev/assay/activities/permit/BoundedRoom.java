package dev.assay.activities.permit;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many are inside, under several bounds at once. An entry has room under all of its bounds or under none, so that no
 * cell holds room under one while it waits for another. The order of those that can enter is that of {@link dev.assay.domain.permit.CellTurn}s. Entries
 * with the same bounds and the same urgency take turns as one.
 *
 * <p>An entry that spends units of a pool has them, too, or waits. Of those that spend of one pool nobody passes the first in line.
 *
 * @param <K> names a bound; a bound that was not set admits no one
 */
final class BoundedRoom<K> {

    private final UnitStock units;
    private final Predicate<ModelPool> isFree;
    private final Runnable closed;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<K, Bound> bounds = new HashMap<>();
    /** The users of each set of bounds, inside or waiting, until one of these bounds is forgotten. */
    private final Map<RoomNeeds<K>, RoomLane> lanes = new LinkedHashMap<>();

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
     * @param units that entries may take
     * @param isFree whether a pool has come to have no limits: entries that wait for its units need none
     * @param closed told when an entry waits, and is counted, under a bound that admits no one
     */
    BoundedRoom(UnitStock units, Predicate<ModelPool> isFree, Runnable closed) {
        this.units = units;
        this.isFree = isFree;
        this.closed = closed;
    }

    /**
     * Waits until there is room under all bounds of {@code needs}.
     *
     * @param position the place of the entry among those with the same needs
     * @throws InterruptedException when the thread is interrupted meanwhile; it is not inside then
     */
    void enter(RoomNeeds<K> needs, int position) throws InterruptedException {
        var _ = enter(needs, position, Units.NONE);
    }

    /**
     * Waits until there is room under all bounds, and the units are there.
     *
     * @param spent units of the pool of {@code needs}
     * @return the units that were taken; null: it needs none
     * @throws InterruptedException when the thread is interrupted meanwhile; it is not inside then
     */
    @Nullable
    TakenUnits enter(RoomNeeds<K> needs, int position, Units spent) throws InterruptedException {
        Entry entry = enter(needs, position, spent, Duration.ofNanos(Long.MAX_VALUE));
        if (!entry.isInside()) {
            throw new IllegalStateException("An entry waited for 292 years");
        }
        return entry.taken();
    }

    /**
     * The end of a wait for a limited time.
     *
     * @param isInside whether there was room in time; if not, it is not inside
     * @param taken the units that were taken; null: none
     */
    record Entry(boolean isInside, @Nullable TakenUnits taken) {}

    /** As {@link #enter(RoomNeeds, int, Units)}, for a limited time. */
    Entry enter(RoomNeeds<K> needs, int position, Units spent, Duration atMost) throws InterruptedException {
        RoomLane.Waiter waiter;
        lock.lock();
        try {
            waiter = new RoomLane.Waiter(position, arrivals++, spent);
            lanes.computeIfAbsent(needs, _ -> new RoomLane()).add(waiter);
            for (K key : needs.bounds()) {
                bound(key).waiting++;
                bound(key).urgent += needs.isUrgent() ? 1 : 0;
            }
            admit();
            if (waiter.admitted().getCount() > 0) {
                tell(needs);
            }
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
        return new Entry(isInside, isInside ? waiter.taken() : null);
    }

    private void tell(RoomNeeds<K> needs) {
        if (needs.pool() != null) {
            units.isMissing(needs.pool());
        }
        if (needs.bounds().stream().anyMatch(key -> bound(key).limit == 0)) {
            closed.run();
        }
    }

    private void giveUp(RoomNeeds<K> needs, RoomLane.Waiter waiter) {
        lock.lock();
        try {
            if (waiter.admitted().getCount() == 0) {
                needs.all().forEach(key -> bound(key).inside--);
                TakenUnits taken = waiter.taken();
                if (taken != null) {
                    taken.giveBack();
                }
            } else {
                lane(needs).remove(waiter);
                needs.bounds().forEach(key -> bound(key).waiting--);
            }
            left(needs);
        } finally {
            lock.unlock();
        }
    }

    /** Makes room under all bounds under which the caller had entered. */
    void leave(RoomNeeds<K> held) {
        lock.lock();
        try {
            held.bounds().forEach(key -> bound(key).inside--);
            left(held);
        } finally {
            lock.unlock();
        }
    }

    private void left(RoomNeeds<K> needs) {
        int urgent = needs.isUrgent() ? 1 : 0;
        needs.bounds().forEach(key -> bound(key).urgent -= urgent);
        admit();
        needs.bounds().forEach(this::forgetIfUnused);
    }

    /** What waits for units, by pool: what could go now but for these, and how much waits in all. */
    Map<ModelPool, UnitStock.Waiting> waitingForUnits() {
        lock.lock();
        try {
            UnitQueue<K> queue = new UnitQueue<>(key -> bound(key).limit - bound(key).inside, units::soon);
            lanes.forEach(queue::add);
            return queue.waiting();
        } finally {
            lock.unlock();
        }
    }

    /** How many wait that need units of a provider, with room or without. */
    int countWaitingForUnits(String provider) {
        lock.lock();
        try {
            return lanes.entrySet().stream()
                    .filter(lane -> isOf(provider, lane.getKey().pool()))
                    .mapToInt(lane -> lane.getValue().size())
                    .sum();
        } finally {
            lock.unlock();
        }
    }

    private static boolean isOf(String provider, @Nullable ModelPool pool) {
        return pool != null && pool.provider().equals(provider);
    }

    private RoomLane lane(RoomNeeds<K> needs) {
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

    /** Units have come, or are needed no longer: those that waited for them enter. */
    void unitsCame() {
        lock.lock();
        try {
            admit();
        } finally {
            lock.unlock();
        }
    }

    private void admit() {
        boolean isAdmitted = true;
        while (isAdmitted) {
            isAdmitted = admitsNext();
        }
    }

    /** Admits the entry whose turn it is, among those that can enter; false when none can. */
    private boolean admitsNext() {
        Set<RoomNeeds.Line> waitedFor = new HashSet<>();
        for (RoomNeeds<K> next = next(waitedFor); next != null; next = next(waitedFor)) {
            ModelPool pool = next.pool();
            TakenUnits taken = pool == null
                    ? null
                    : units.take(pool, next.without(), lane(next).first().units());
            if (pool == null || taken != null || isFree.test(pool)) {
                admit(next, taken);
                return true;
            }
            waitedFor.add(next.line());
        }
        return false;
    }

    private void admit(RoomNeeds<K> needs, @Nullable TakenUnits taken) {
        needs.bounds().forEach(key -> bound(key).waiting--);
        needs.all().forEach(key -> bound(key).inside++);
        lane(needs).admitFirst(taken, ++admissions);
    }

    /** The lane whose turn it is, among those whose first entry has room and spends of none of the pools; null: there is none. */
    private @Nullable RoomNeeds<K> next(Set<RoomNeeds.Line> waitedFor) {
        return lanes.entrySet().stream()
                .filter(lane -> !lane.getValue().isEmpty())
                .filter(lane -> !waitedFor.contains(lane.getKey().line()))
                .filter(lane -> lane.getKey().all().map(this::bound).allMatch(bound -> bound.inside < bound.limit))
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
