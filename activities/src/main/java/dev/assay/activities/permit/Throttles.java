package dev.assay.activities.permit;

import dev.assay.activities.permit.RoomBound.Use;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolCalls;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.permit.PermitPool;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools that this worker asks, and the bounds that refusals have put on them. A pool of which nothing is known has none: its
 * calls need no permit of it. For threads at once.
 */
final class Throttles {

    /** One place more for each this many permits. */
    private static final int PLACES_SHARE = 4;

    /** More than any provider has. */
    private static final int OPEN = 1_000_000;

    private final BoundedRoom<RoomBound> room;
    private final Accounts accounts;
    private final LongSupplier nanoTime;
    private final Runnable wake;
    private final AtomicBoolean hasNews = new AtomicBoolean();
    private final Map<PermitPool, ThrottledPool> pools = new LinkedHashMap<>();

    /**
     * @param accounts with which providers may be asked now: a pool is blocked where all of them are
     * @param wake run where there is news
     */
    Throttles(BoundedRoom<RoomBound> room, Accounts accounts, LongSupplier nanoTime, Runnable wake) {
        this.room = room;
        this.accounts = accounts;
        this.nanoTime = nanoTime;
        this.wake = wake;
    }

    private void tellNews() {
        hasNews.set(true);
        wake.run();
    }

    /** Whether others must hear something at once, or this worker from them. It is asked for once. */
    boolean takeNews() {
        return hasNews.getAndSet(false);
    }

    /** The pool of a call, in use until it is {@linkplain ThrottledPool#left left}; null: it refuses nothing. */
    @Nullable
    ThrottledPool use(CallRoute route) {
        BoundedCalls asked = route.asked();
        if (asked == null) {
            return null;
        }
        ThrottledPool pool;
        synchronized (pools) {
            pool = pools.computeIfAbsent(
                    PermitPool.models(asked.pool()),
                    _ -> new ThrottledPool(
                            asked,
                            route.bounded() != null,
                            route.limited() != null,
                            () -> accounts.usable(asked.pool().provider(), Set.of()),
                            nanoTime));
            if (pool.use()) {
                // Others may know that it is blocked.
                tellNews();
            }
        }
        return pool;
    }

    private List<ThrottledPool> all() {
        synchronized (pools) {
            return new ArrayList<>(pools.values());
        }
    }

    private @Nullable ThrottledPool of(PermitPool pool) {
        synchronized (pools) {
            return pools.get(pool);
        }
    }

    /** Whether the permits of a pool are shared among workers. Those of a pool that is only blocked are not. */
    boolean isLeased(PermitPool pool) {
        ThrottledPool throttled = of(pool);
        return throttled == null || throttled.isLeased();
    }

    boolean isBlocked(PermitPool pool) {
        ThrottledPool throttled = of(pool);
        return throttled != null && throttled.isBlocked();
    }

    /** Permits of a pool that this worker has leased, though it may be blocked. */
    int leased(PermitPool pool) {
        ThrottledPool throttled = of(pool);
        return throttled == null ? 0 : throttled.leased();
    }

    /** Calls of a pool that were sent without a permit of it. */
    int strays(PermitPool pool) {
        ThrottledPool throttled = of(pool);
        return throttled == null ? 0 : throttled.strays();
    }

    /** Sets how many permits of a pool this worker has leased; answers with those that cells may use. */
    int lease(PermitPool pool, int permits) {
        ThrottledPool throttled = of(pool);
        if (throttled == null) {
            return permits;
        }
        throttled.lease(permits);
        return throttled.usable();
    }

    /** The accounts of a group with which nothing may be sent now. */
    Set<String> blockedAccounts(ModelPool group) {
        ThrottledPool throttled = of(PermitPool.models(group.ofAccount(ModelPool.DEFAULT_ACCOUNT)));
        return throttled == null ? Set.of() : throttled.blocked();
    }

    /** A call of an account was refused, or asked to wait, as {@link ThrottledPool#refused} says. */
    void refused(ThrottledPool pool, ThrottledPool.Sent sent, String account, int blocksThen, Refusal refusal) {
        boolean isNews = pool.refused(sent, account, blocksThen, refusal);
        apply(pool);
        if (isNews) {
            tellNews();
        }
    }

    /** A call has ended that held no permit of its pool. Where the pool has come to have some, another may go. */
    void strayEnded(ThrottledPool pool) {
        if (pool.isGoverned()) {
            apply(pool);
        }
    }

    /** Lets as many cells of a pool go as it may have now. */
    private void apply(ThrottledPool pool) {
        PermitPool key = PermitPool.models(pool.pool());
        if (pool.isGoverned()) {
            limit(key, pool.usable());
            return;
        }
        boolean isUsed = isUsed(Use.PERMIT, key) || isUsed(Use.PLACE, key) || isUsed(Use.URGENT_PLACE, key);
        if (isUsed || room.use(new RoomBound(Use.PERMIT, key)).limit() > 0) {
            // Cells that entered while it was governed are bounded no longer. Where there are none the bound goes.
            limit(key, isUsed ? OPEN : 0);
        }
    }

    private boolean isUsed(Use what, PermitPool pool) {
        BoundedRoom.Use use = room.use(new RoomBound(what, pool));
        return use.inside() > 0 || use.waiting() > 0;
    }

    /** Bounds the permits of a pool in this worker, and the cells that may prepare for one. */
    void limit(PermitPool pool, int usable) {
        room.limit(new RoomBound(Use.PERMIT, pool), usable);
        int atOnce = usable + Math.ceilDiv(usable, PLACES_SHARE);
        room.limit(new RoomBound(Use.PLACE, pool), atOnce);
        room.limit(new RoomBound(Use.URGENT_PLACE, pool), atOnce);
    }

    /** Whether a group has come to have no limits: its calls need no units any longer. */
    boolean isFree(ModelPool group) {
        ThrottledPool throttled = of(PermitPool.models(group));
        return throttled != null && throttled.isFree();
    }

    /** Calls, and cells that wait for a permit of a group, of those that have some; by name. */
    List<PoolCalls> calls() {
        return all().stream()
                .map(pool -> new PoolCalls(
                        pool.pool().provider(), pool.pool().models(), pool.inFlight(), waiting(pool.pool())))
                .filter(calls -> !calls.isNone())
                .sorted(Comparator.comparing(PoolCalls::provider).thenComparing(PoolCalls::models))
                .toList();
    }

    private int waiting(ModelPool pool) {
        PermitPool key = PermitPool.models(pool);
        return Stream.of(Use.PERMIT, Use.PLACE, Use.URGENT_PLACE)
                .mapToInt(use -> room.use(new RoomBound(use, key)).waiting())
                .sum();
    }

    /** What is to be told, and the pools of which this worker wants to hear: those that it asks now, with each account. */
    Map<ModelPool, ThrottleReport> reports() {
        synchronized (pools) {
            pools.values().removeIf(ThrottledPool::isForgotten);
        }
        Map<ModelPool, ThrottleReport> reports = new HashMap<>();
        for (ThrottledPool pool : all()) {
            if (pool.isAsked()) {
                reports.putAll(pool.reports());
            }
        }
        return reports;
    }

    /** Nobody may have heard reports. */
    void unheard(Map<ModelPool, ThrottleReport> reports) {
        for (ThrottledPool pool : all()) {
            reports.forEach((told, report) -> {
                if (told.isOfGroup(pool.pool())) {
                    pool.again(told.account(), report);
                }
            });
            apply(pool);
        }
    }

    /** Takes what others say of the pools that were asked about. */
    void heard(Set<ModelPool> asked, ThrottleRepository.Known known) {
        for (ThrottledPool pool : all()) {
            if (asked.contains(pool.pool())) {
                boolean isLimited = known.limited().stream().anyMatch(one -> one.isOfGroup(pool.pool()));
                pool.heard(known.ofGroup(pool.pool()), isLimited);
            }
            apply(pool);
        }
        if (all().stream().anyMatch(ThrottledPool::isFree)) {
            // Those that waited for units need none.
            room.unitsCame();
        }
    }

    /** The time until the next pool goes on; at most {@code atMost}. */
    Duration untilNext(Duration atMost) {
        return all().stream()
                .map(ThrottledPool::blockedFor)
                .filter(Duration::isPositive)
                .reduce(atMost, (one, other) -> one.compareTo(other) < 0 ? one : other);
    }
}
