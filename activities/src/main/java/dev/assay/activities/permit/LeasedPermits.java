package dev.assay.activities.permit;

import dev.assay.activities.permit.RoomBound.Use;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolCalls;
import dev.assay.domain.limit.Units;
import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.store.limit.UnitAnswer;
import dev.assay.store.limit.UnitRequest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The permits and units that this worker has leased from the pools, and the cells that use them or wait for them. */
@Singleton
public class LeasedPermits implements Permits {

    /** Pools without a permit here for which cells wait, with the time since then. */
    private final Map<PermitPool, Long> emptySince = new ConcurrentHashMap<>();

    private final Semaphore news = new Semaphore(0);
    private final LongSupplier nanoTime;
    private final UnitStock units;
    private final BoundedRoom<RoomBound> room;
    private final Throttles throttles;

    @Inject
    public LeasedPermits(Accounts accounts) {
        this(System::nanoTime, accounts);
    }

    /** Those of providers that have one key each. */
    public LeasedPermits() {
        this(Accounts.ONE);
    }

    LeasedPermits(LongSupplier nanoTime) {
        this(nanoTime, Accounts.ONE);
    }

    LeasedPermits(LongSupplier nanoTime, Accounts accounts) {
        this.nanoTime = nanoTime;
        this.units = new UnitStock(nanoTime, news::release, accounts, this::blockedAccounts);
        this.room = new BoundedRoom<>(units, this::isFree, news::release);
        this.throttles = new Throttles(room, accounts, nanoTime, news::release);
    }

    @Override
    public Place enter(String campaignId, CallRoute route, boolean isUrgent, int position) throws InterruptedException {
        AskingCell cell = cell(route, route.pools(campaignId), isUrgent, position);
        if (cell.isLimited()) {
            return new LeasedPlace(cell, null);
        }
        List<RoomBound> held = null;
        try {
            held = cell.enterPlace();
            return new LeasedPlace(cell, held);
        } finally {
            if (held == null) {
                cell.left();
            }
        }
    }

    private AskingCell cell(CallRoute route, List<PermitPool> pools, boolean isUrgent, int position) {
        return new AskingCell(room, route, pools, isUrgent, position, throttles.use(route));
    }

    /** The place of a cell. That of one whose requests spend units is entered with the first of them. */
    private final class LeasedPlace implements Place {
        private final AskingCell cell;
        private @Nullable List<RoomBound> held;

        private LeasedPlace(AskingCell cell, @Nullable List<RoomBound> held) {
            this.cell = cell;
            this.held = held;
        }

        @Override
        public boolean isLimited() {
            return cell.isLimited();
        }

        @Override
        public Permit acquire(Units spent, Set<String> without) throws InterruptedException {
            AskingCell.Entered entered = cell.enterPermit(held == null, spent, without, AskingCell.FOR_EVER);
            if (held == null) {
                held = entered.needs().places();
            }
            return new LeasedPermit(cell, entered, throttles, news);
        }

        @Override
        public void close() {
            if (held != null) {
                cell.leavePlace(held);
            }
            cell.left();
        }
    }

    @Override
    public Optional<Permit> acquire(CallRoute route, Units spent, boolean isUrgent, int position, Duration atMost)
            throws InterruptedException {
        AskingCell cell = cell(route, route.pools(), isUrgent, position);
        try {
            AskingCell.Entered entered = cell.enterPermit(false, spent, Set.of(), atMost);
            return entered.isInside()
                    ? Optional.of(new LeasedPermit(cell, entered, throttles, news))
                    : Optional.empty();
        } finally {
            // From now on its call keeps the pool in mind.
            cell.left();
        }
    }

    private BoundedRoom.Use permits(PermitPool pool) {
        return room.use(new RoomBound(Use.PERMIT, pool));
    }

    private BoundedRoom.Use places(PermitPool pool) {
        return room.use(new RoomBound(Use.PLACE, pool));
    }

    private BoundedRoom.Use urgentPlaces(PermitPool pool) {
        return room.use(new RoomBound(Use.URGENT_PLACE, pool));
    }

    /**
     * The requests for units that are sent together.
     *
     * @param askedAt before they were, by the monotonic clock
     */
    public record UnitRound(long askedAt, Map<ModelPool, UnitRequest> requests) {}

    /** What this worker has to say to pools that have limits; nothing where it neither waits nor owes. */
    public UnitRound unitRound() {
        long askedAt = nanoTime.getAsLong();
        return new UnitRound(askedAt, units.requests(room.waitingForUnits()));
    }

    /** Applies what pools have granted. */
    public void unitsCame(UnitRound round, Map<ModelPool, UnitAnswer> answers) {
        units.answered(round.requests(), answers, round.askedAt());
        room.unitsCame();
    }

    private boolean isFree(ModelPool group) {
        return throttles.isFree(group);
    }

    private Set<String> blockedAccounts(ModelPool group) {
        return throttles.blockedAccounts(group);
    }

    /** The pools that this worker asks, and what refusals have made of them. */
    Throttles throttles() {
        return throttles;
    }

    /**
     * Waits until something of a pool must be reported at once, or it is blocked no longer. A permit is given back, one is needed and
     * none is there, or a call was refused.
     */
    public void awaitNews(Duration atMost) throws InterruptedException {
        var _ = news.tryAcquire(throttles.untilNext(atMost).toMillis(), TimeUnit.MILLISECONDS);
        news.drainPermits();
    }

    /**
     * The time for which cells of a campaign that ask a provider have waited while this worker had no permit for them; at least 0.
     * It is at most a quarter of a second behind.
     */
    public Duration starved(String campaignId, String provider) {
        long now = nanoTime.getAsLong();
        return CallRoute.to(provider).pools(campaignId).stream()
                .map(pool -> Duration.ofNanos(now - emptySince.getOrDefault(pool, now)))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** The worker's request to each pool of which it holds or wants permits. */
    public Map<PermitPool, PermitAsk> asks() {
        Set<PermitPool> pools = new LinkedHashSet<>();
        room.keys().stream().map(RoomBound::pool).filter(throttles::isLeased).forEach(pools::add);
        Map<PermitPool, PermitAsk> asks = new LinkedHashMap<>();
        pools.forEach(pool -> asks.put(pool, ask(pool)));
        return asks;
    }

    private PermitAsk ask(PermitPool pool) {
        BoundedRoom.Use use = permits(pool);
        int urgentWaiting = urgentPlaces(pool).waiting();
        int used = use.inside() + throttles.strays(pool);
        if (throttles.isBlocked(pool)) {
            return new PermitAsk(Math.max(throttles.leased(pool), used), new PermitWish(used, 0));
        }
        int waiting = use.waiting() + places(pool).waiting() + urgentWaiting;
        PermitWish wish = new PermitWish(used + waiting, use.urgent() + urgentWaiting);
        return new PermitAsk(Math.max(use.limit() + throttles.strays(pool), used), wish);
    }

    /** The number of permits of a pool that this worker holds, used or not. */
    public int held(PermitPool pool) {
        BoundedRoom.Use use = permits(pool);
        return Math.max(use.limit(), use.inside());
    }

    /** The number of cells of this worker that wait for a place or a permit of a pool, perhaps for another pool only. */
    public int awaited(PermitPool pool) {
        return permits(pool).waiting()
                + places(pool).waiting()
                + urgentPlaces(pool).waiting();
    }

    /** The number of cells of this worker that wait for units of a provider's limits. */
    public int awaitedUnits(String provider) {
        return room.countWaitingForUnits(provider);
    }

    /** Units of a limit that this worker was charged since it started, without those that came back. It never falls. */
    public long spentUnits(String provider, LimitKind kind) {
        return units.spent(provider, kind);
    }

    /** The calls of this worker and the cells that wait for a permit, of each group of models that it asks now. */
    public List<PoolCalls> calls() {
        return throttles.calls();
    }

    /** Gives up all permits, except those that calls are using until they are aborted. */
    public void forfeit() {
        asks().keySet().forEach(pool -> allow(pool, 0));
    }

    /** Sets how many permits of a pool this worker may use, at least 0. Permits in use are never taken back. */
    public void allow(PermitPool pool, int usable) {
        if (!throttles.isLeased(pool)) {
            // Its lease is given up: it is bounded no longer.
            return;
        }
        throttles.limit(pool, throttles.lease(pool, usable));
        PermitAsk ask = ask(pool);
        if (ask.held() == 0 && ask.wish().wanted() > 0) {
            emptySince.putIfAbsent(pool, nanoTime.getAsLong());
        } else {
            emptySince.remove(pool);
        }
    }
}
