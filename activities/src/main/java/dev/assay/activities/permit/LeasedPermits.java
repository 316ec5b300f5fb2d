package dev.assay.activities.permit;

import dev.assay.activities.permit.BoundedRoom.Needs;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
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

/** The permits that this worker has leased from the pools, and the cells that use them or wait for them. */
@Singleton
public class LeasedPermits implements Permits {

    /** One place more for each this many permits. */
    private static final int PLACES_SHARE = 4;

    private final BoundedRoom<PermitPool> places = new BoundedRoom<>();
    private final BoundedRoom<PermitPool> urgentPlaces = new BoundedRoom<>();
    private final BoundedRoom<PermitPool> permits = new BoundedRoom<>();
    /** Pools without a permit here for which cells wait, with the time since then. */
    private final Map<PermitPool, Long> emptySince = new ConcurrentHashMap<>();

    private final Semaphore news = new Semaphore(0);
    private final LongSupplier nanoTime;

    public LeasedPermits() {
        this(System::nanoTime);
    }

    LeasedPermits(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public Place enter(String campaignId, String provider, boolean isUrgent, int position) throws InterruptedException {
        Needs<PermitPool> needs = new Needs<>(pools(campaignId, provider), isUrgent);
        tellIfNoneIsThere(needs);
        BoundedRoom<PermitPool> room = isUrgent ? urgentPlaces : places;
        room.enter(needs, position);
        return new Place() {
            @Override
            public Permit acquire() throws InterruptedException {
                permits.enter(needs, position);
                return () -> leave(needs);
            }

            @Override
            public void close() {
                room.leave(needs);
            }
        };
    }

    @Override
    public Optional<Permit> acquire(String provider, boolean isUrgent, int position, Duration atMost)
            throws InterruptedException {
        Needs<PermitPool> needs = new Needs<>(List.of(PermitPool.provider(provider)), isUrgent);
        tellIfNoneIsThere(needs);
        return permits.enter(needs, position, atMost) ? Optional.of(() -> leave(needs)) : Optional.empty();
    }

    private void tellIfNoneIsThere(Needs<PermitPool> needs) {
        if (needs.bounds().stream().anyMatch(pool -> permits.use(pool).limit() == 0)) {
            news.release();
        }
    }

    private static List<PermitPool> pools(String campaignId, String provider) {
        return AgentKinds.providers().contains(provider)
                ? List.of(PermitPool.campaign(campaignId))
                : List.of(PermitPool.campaign(campaignId), PermitPool.provider(provider));
    }

    /** A permit that the worker may not keep is given back at once: others wait for it. */
    private void leave(Needs<PermitPool> held) {
        boolean givesBack = held.bounds().stream().map(permits::use).anyMatch(use -> use.inside() > use.limit());
        permits.leave(held);
        if (givesBack) {
            news.release();
        }
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
        return pools(campaignId, provider).stream()
                .map(pool -> Duration.ofNanos(now - emptySince.getOrDefault(pool, now)))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** The worker's request to each pool of which it holds or wants permits. */
    public Map<PermitPool, PermitAsk> asks() {
        Set<PermitPool> pools = new LinkedHashSet<>(permits.keys());
        pools.addAll(places.keys());
        pools.addAll(urgentPlaces.keys());
        Map<PermitPool, PermitAsk> asks = new LinkedHashMap<>();
        pools.forEach(pool -> asks.put(pool, ask(pool)));
        return asks;
    }

    private PermitAsk ask(PermitPool pool) {
        BoundedRoom.Use use = permits.use(pool);
        int urgentWaiting = urgentPlaces.use(pool).waiting();
        int waiting = use.waiting() + places.use(pool).waiting() + urgentWaiting;
        PermitWish wish = new PermitWish(use.inside() + waiting, use.urgent() + urgentWaiting);
        return new PermitAsk(Math.max(use.limit(), use.inside()), wish);
    }

    /** The number of permits of a pool that this worker holds, used or not. */
    public int held(PermitPool pool) {
        BoundedRoom.Use use = permits.use(pool);
        return Math.max(use.limit(), use.inside());
    }

    /** The number of cells of this worker that wait for a place or a permit of a pool, perhaps for another pool only. */
    public int awaited(PermitPool pool) {
        return permits.use(pool).waiting()
                + places.use(pool).waiting()
                + urgentPlaces.use(pool).waiting();
    }

    /** Gives up all permits, except those that calls are using until they are aborted. */
    public void forfeit() {
        permits.keys().forEach(pool -> allow(pool, 0));
    }

    /** Sets how many permits of a pool this worker may use, at least 0. Permits in use are never taken back. */
    public void allow(PermitPool pool, int usable) {
        permits.limit(pool, usable);
        int atOnce = usable + Math.ceilDiv(usable, PLACES_SHARE);
        places.limit(pool, atOnce);
        urgentPlaces.limit(pool, atOnce);
        PermitAsk ask = ask(pool);
        if (ask.held() == 0 && ask.wish().wanted() > 0) {
            emptySince.putIfAbsent(pool, nanoTime.getAsLong());
        } else {
            emptySince.remove(pool);
        }
    }
}
