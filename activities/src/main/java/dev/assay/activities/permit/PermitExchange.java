package dev.assay.activities.permit;

import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitGrant;
import dev.assay.domain.permit.PermitPool;
import dev.assay.store.permit.PermitRepository;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports four times a second which permits this worker holds and wants, and applies the grants. While PostgreSQL is away the
 * worker keeps its permits: no other worker gets them as long as its lease holds.
 */
public final class PermitExchange {

    private static final Logger LOG = LoggerFactory.getLogger(PermitExchange.class);

    private static final Duration EVERY = Duration.ofMillis(250);
    /** The least time between exchanges: cells that begin one after the other share one. */
    private static final Duration AT_LEAST = Duration.ofMillis(10);
    /** The same where units are asked for, which each request needs anew. */
    private static final Duration UNITS_AT_LEAST = Duration.ofMillis(50);

    private final PermitRepository leases;
    private final LeasedPermits permits;
    private final UnitExchange units;
    private final ThrottleExchange throttles;
    private final String workerId;
    private final BooleanSupplier leaseIsSafe;
    private final Duration margin;
    /** Pools with a lease on record for this worker, perhaps; also those that no cell needs any more. */
    private final Set<PermitPool> recorded = new HashSet<>();

    private final Thread thread =
            Thread.ofPlatform().daemon().name("permit-exchange").unstarted(this::run);

    /**
     * @param leaseIsSafe whether the worker's lease surely holds
     * @param margin what is left of a lease when it is not safe any more. An answer that took longer may come from before the lease
     *     lapsed. It is not applied; what was granted is recorded and stays
     */
    public PermitExchange(
            PermitRepository leases,
            LeasedPermits permits,
            UnitExchange units,
            ThrottleExchange throttles,
            String workerId,
            BooleanSupplier leaseIsSafe,
            Duration margin) {
        this.leases = leases;
        this.permits = permits;
        this.units = units;
        this.throttles = throttles;
        this.workerId = workerId;
        this.leaseIsSafe = leaseIsSafe;
        this.margin = margin;
    }

    /** Begins to exchange. The worker is registered. */
    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (true) {
                permits.awaitNews(EVERY);
                // First: it says of which pools permits are shared.
                throttlesExchangedSafely();
                exchangeSafely();
                Thread.sleep(unitsExchangedSafely() ? UNITS_AT_LEAST : AT_LEAST);
            }
        } catch (InterruptedException e) {
            LOG.debug("Permits are no longer exchanged");
        }
    }

    private void exchangeSafely() {
        try {
            // A returned permit is free for others only when that is recorded.
            while (exchange()) {
                LOG.trace("Permits were given back");
            }
        } catch (RuntimeException | Error e) {
            LOG.debug("Permits could not be exchanged; it is tried again", e);
        }
    }

    private void throttlesExchangedSafely() {
        try {
            if (leaseIsSafe.getAsBoolean()) {
                throttles.exchange();
            }
        } catch (RuntimeException | Error e) {
            LOG.debug("What pools refuse could not be exchanged; it is tried again", e);
        }
    }

    private boolean unitsExchangedSafely() {
        try {
            return leaseIsSafe.getAsBoolean() && units.exchange();
        } catch (RuntimeException | Error e) {
            LOG.debug("Units could not be exchanged; it is tried again", e);
            return true;
        }
    }

    /** Asks once. True when permits must be given back at once. */
    boolean exchange() {
        Map<PermitPool, PermitAsk> asks = asks();
        if (asks.isEmpty() || !leaseIsSafe.getAsBoolean()) {
            return false;
        }
        recorded.addAll(asks.keySet());
        long before = System.nanoTime();
        Map<PermitPool, PermitGrant> grants = leases.exchange(workerId, asks);
        grants.forEach((pool, grant) -> {
            if (!grant.isRecordedFor(asks.getOrDefault(pool, PermitAsk.NOTHING))) {
                recorded.remove(pool);
            }
        });
        if (System.nanoTime() - before > margin.toNanos() || !leaseIsSafe.getAsBoolean()) {
            return false;
        }
        grants.forEach((pool, grant) -> permits.allow(pool, grant.usable()));
        Map<PermitPool, PermitAsk> after = asks();
        return grants.entrySet().stream()
                .anyMatch(grant ->
                        after.getOrDefault(grant.getKey(), PermitAsk.NOTHING).held()
                                < grant.getValue().granted());
    }

    /** Asks for 0 permits of a pool that no cell needs, until its lease there is deleted; otherwise other workers wait. */
    private Map<PermitPool, PermitAsk> asks() {
        Map<PermitPool, PermitAsk> asks = new LinkedHashMap<>(permits.asks());
        recorded.forEach(pool -> asks.putIfAbsent(pool, PermitAsk.NOTHING));
        return asks;
    }

    /** Ends the exchange. The worker's permits are free when its lease ends. */
    public void stop() {
        thread.interrupt();
    }
}
