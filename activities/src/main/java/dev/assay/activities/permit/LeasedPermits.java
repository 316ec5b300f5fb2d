package dev.assay.activities.permit;

import dev.assay.activities.permit.RoomBound.Use;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
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

    /** One place more for each this many permits. */
    private static final int PLACES_SHARE = 4;

    /** Pools without a permit here for which cells wait, with the time since then. */
    private final Map<PermitPool, Long> emptySince = new ConcurrentHashMap<>();

    private final Semaphore news = new Semaphore(0);
    private final LongSupplier nanoTime;
    private final UnitStock units;
    private final BoundedRoom<RoomBound> room;

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
        this.units = new UnitStock(nanoTime, news::release, accounts);
        this.room = new BoundedRoom<>(units);
    }

    @Override
    public Place enter(String campaignId, CallRoute route, boolean isUrgent, int position) throws InterruptedException {
        List<PermitPool> pools = route.pools(campaignId);
        tellIfNoneIsThere(pools);
        List<RoomBound> places = RoomBound.places(isUrgent, pools);
        RoomNeeds<RoomBound> needs = new RoomNeeds<>(RoomBound.permits(pools), isUrgent);
        if (route.limited() != null) {
            return new UnitPlace(needs, places, route.limited(), position);
        }
        RoomNeeds<RoomBound> place = new RoomNeeds<>(places, isUrgent);
        room.enter(place, position);
        return new Place() {
            @Override
            public Permit acquire(Units spent, Set<String> without) throws InterruptedException {
                room.enter(needs, position);
                return new LeasedPermit(needs, null);
            }

            @Override
            public void close() {
                room.leave(place);
            }
        };
    }

    /** The place of a cell whose requests spend units. It is entered with the first of them. */
    private final class UnitPlace implements Place {
        private final RoomNeeds<RoomBound> needs;
        private final List<RoomBound> places;
        private final ModelPool pool;
        private final int position;
        private boolean isEntered;

        private UnitPlace(RoomNeeds<RoomBound> needs, List<RoomBound> places, ModelPool pool, int position) {
            this.needs = needs;
            this.places = places;
            this.pool = pool;
            this.position = position;
        }

        @Override
        public Permit acquire(Units spent, Set<String> without) throws InterruptedException {
            List<RoomBound> too = isEntered ? List.of() : places;
            TakenUnits taken =
                    room.enter(new RoomNeeds<>(needs.bounds(), too, needs.isUrgent(), pool, without), position, spent);
            isEntered = true;
            return new LeasedPermit(needs, taken);
        }

        @Override
        public void close() {
            if (isEntered) {
                room.leave(new RoomNeeds<>(places, false));
            }
        }
    }

    /** The permits of a call, with its units where it spends some. */
    private final class LeasedPermit implements Permit {
        private final RoomNeeds<RoomBound> held;
        private final @Nullable TakenUnits taken;

        private LeasedPermit(RoomNeeds<RoomBound> held, @Nullable TakenUnits taken) {
            this.held = held;
            this.taken = taken;
        }

        @Override
        public @Nullable TakenUnits units() {
            return taken;
        }

        /** A permit that the worker may not keep is given back at once: others wait for it. */
        @Override
        public void close() {
            boolean givesBack = held.bounds().stream().map(room::use).anyMatch(use -> use.inside() > use.limit());
            room.leave(held);
            if (givesBack) {
                news.release();
            }
        }
    }

    @Override
    public Optional<Permit> acquire(CallRoute route, Units spent, boolean isUrgent, int position, Duration atMost)
            throws InterruptedException {
        List<PermitPool> pools = route.pools();
        tellIfNoneIsThere(pools);
        RoomNeeds<RoomBound> needs = new RoomNeeds<>(RoomBound.permits(pools), List.of(), isUrgent, route.limited());
        BoundedRoom.Entry entry = room.enter(needs, position, spent, atMost);
        return entry.isInside() ? Optional.of(new LeasedPermit(needs, entry.taken())) : Optional.empty();
    }

    private void tellIfNoneIsThere(List<PermitPool> pools) {
        if (pools.stream().anyMatch(pool -> permits(pool).limit() == 0)) {
            news.release();
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

    /** Waits until a change of a pool must be reported at once: a permit is given back, or one is needed and none is there. */
    public void awaitNews(Duration atMost) throws InterruptedException {
        var _ = news.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
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
        room.keys().forEach(bound -> pools.add(bound.pool()));
        Map<PermitPool, PermitAsk> asks = new LinkedHashMap<>();
        pools.forEach(pool -> asks.put(pool, ask(pool)));
        return asks;
    }

    private PermitAsk ask(PermitPool pool) {
        BoundedRoom.Use use = permits(pool);
        int urgentWaiting = urgentPlaces(pool).waiting();
        int waiting = use.waiting() + places(pool).waiting() + urgentWaiting;
        PermitWish wish = new PermitWish(use.inside() + waiting, use.urgent() + urgentWaiting);
        return new PermitAsk(Math.max(use.limit(), use.inside()), wish);
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
        return room.waitingForUnits().entrySet().stream()
                .filter(waiting -> waiting.getKey().provider().equals(provider))
                .mapToInt(waiting -> waiting.getValue().all())
                .sum();
    }

    /** Units of a limit that this worker was charged since it started, without those that came back. It never falls. */
    public long spentUnits(String provider, LimitKind kind) {
        return units.spent(provider, kind);
    }

    /** Gives up all permits, except those that calls are using until they are aborted. */
    public void forfeit() {
        asks().keySet().forEach(pool -> allow(pool, 0));
    }

    /** Sets how many permits of a pool this worker may use, at least 0. Permits in use are never taken back. */
    public void allow(PermitPool pool, int usable) {
        room.limit(new RoomBound(Use.PERMIT, pool), usable);
        int atOnce = usable + Math.ceilDiv(usable, PLACES_SHARE);
        room.limit(new RoomBound(Use.PLACE, pool), atOnce);
        room.limit(new RoomBound(Use.URGENT_PLACE, pool), atOnce);
        PermitAsk ask = ask(pool);
        if (ask.held() == 0 && ask.wish().wanted() > 0) {
            emptySince.putIfAbsent(pool, nanoTime.getAsLong());
        } else {
            emptySince.remove(pool);
        }
    }
}
