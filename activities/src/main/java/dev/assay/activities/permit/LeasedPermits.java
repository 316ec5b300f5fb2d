package dev.assay.activities.permit;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The permits that this worker has leased from the pools, and the cells that use them or wait for them. */
@Singleton
public class LeasedPermits implements Permits {

    /** A place more for every so many permits. */
    private static final int PLACES_SHARE = 4;

    private final BoundedRoom<PermitPool> places = new BoundedRoom<>();
    private final BoundedRoom<PermitPool> permits = new BoundedRoom<>();
    private final Semaphore shortage = new Semaphore(0);

    @Override
    public Place enter(String campaignId, String provider) throws InterruptedException {
        List<PermitPool> pools = Agent.BUILT_IN_PROVIDERS.contains(provider)
                ? List.of(PermitPool.campaign(campaignId))
                : List.of(PermitPool.campaign(campaignId), PermitPool.provider(provider));
        if (pools.stream().anyMatch(pool -> permits.use(pool).limit() == 0)) {
            shortage.release();
        }
        places.enter(pools);
        return new Place() {
            @Override
            public Permit acquire() throws InterruptedException {
                permits.enter(pools);
                return () -> permits.leave(pools);
            }

            @Override
            public void close() {
                places.leave(pools);
            }
        };
    }

    /** Waits until a cell needs a pool of which this worker has no permit, at most for {@code atMost}. */
    public void awaitShortage(Duration atMost) throws InterruptedException {
        var _ = shortage.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
        shortage.drainPermits();
    }

    /** What there is to say of each pool of which the worker has or wants permits. */
    public Map<PermitPool, PermitAsk> asks() {
        Set<PermitPool> pools = new LinkedHashSet<>(permits.keys());
        pools.addAll(places.keys());
        Map<PermitPool, PermitAsk> asks = new LinkedHashMap<>();
        for (PermitPool pool : pools) {
            BoundedRoom.Use use = permits.use(pool);
            int wanted = use.inside() + use.waiting() + places.use(pool).waiting();
            asks.put(pool, new PermitAsk(Math.max(use.limit(), use.inside()), wanted));
        }
        return asks;
    }

    /** How many permits of a pool this worker has, used or not. */
    public int held(PermitPool pool) {
        BoundedRoom.Use use = permits.use(pool);
        return Math.max(use.limit(), use.inside());
    }

    /** How many cells of this worker wait for a place or a permit of a pool, perhaps for another pool only. */
    public int awaited(PermitPool pool) {
        return permits.use(pool).waiting() + places.use(pool).waiting();
    }

    /** Has no permit any more, except those that calls are using until they are aborted. */
    public void forfeit() {
        permits.keys().forEach(pool -> allow(pool, 0));
    }

    /** Sets how many permits of a pool this worker may use, at least 0. Permits in use are never taken back. */
    public void allow(PermitPool pool, int usable) {
        permits.limit(pool, usable);
        places.limit(pool, usable + Math.ceilDiv(usable, PLACES_SHARE));
    }
}
