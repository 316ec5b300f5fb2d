package dev.assay.activities.outage;

import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.CallSign;
import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import dev.assay.store.cell.CellKey;
import dev.assay.store.outage.OutageRepository;
import dev.assay.store.outage.ProbeRepository;
import dev.assay.store.outage.SeenPool;
import dev.assay.store.outage.StoredOutage;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pools that this worker asks, and which of them are down. A pool that is down is not asked, but probed by one call at a time. Its
 * cells wait and cost no attempt.
 */
@Singleton
public class Outages {

    private static final Logger LOG = LoggerFactory.getLogger(Outages.class);

    private static final int WORDS = 300;

    private final OutageRepository outages;
    private final ProbeRepository probes;
    private final WorkerIdentity worker;
    private final RunningCells cells;
    private final KeyWatch keys;
    private final KeyTurns turns;
    private final Map<ModelPool, AskedPool> pools = new ConcurrentHashMap<>();
    private final Semaphore news = new Semaphore(0);
    private final InstantSource clock;

    @Inject
    public Outages(
            OutageRepository outages,
            ProbeRepository probes,
            WorkerIdentity worker,
            RunningCells cells,
            KeyWatch keys,
            KeyTurns turns) {
        this(outages, probes, worker, cells, keys, turns, steady());
    }

    Outages(
            OutageRepository outages,
            ProbeRepository probes,
            WorkerIdentity worker,
            RunningCells cells,
            KeyWatch keys,
            KeyTurns turns,
            InstantSource clock) {
        this.outages = outages;
        this.probes = probes;
        this.worker = worker;
        this.cells = cells;
        this.keys = keys;
        this.turns = turns;
        this.clock = clock;
    }

    /** A clock that nobody sets. */
    static InstantSource steady() {
        Instant origin = Instant.now();
        long nanos = System.nanoTime();
        return () -> origin.plusNanos(System.nanoTime() - nanos);
    }

    private AskedPool pool(ModelPool pool) {
        AskedPool known = pools.get(pool);
        if (known != null) {
            return known;
        }
        AskedPool added = pools.computeIfAbsent(pool, _ -> new AskedPool(pool, clock));
        // Others may know already that it is down.
        exchangeSafely();
        return added;
    }

    /** Whether a call to {@code pool} may begin now: the pool is not down, or the cell is the one that probes it. */
    public boolean mayCall(ModelPool pool, CellKey cell) {
        return !pool.canBeAway() || pool(pool).isProbedBy(cell.toString()) || !isHeld(pool);
    }

    /** Whether the call of a cell probes a pool that is down. */
    public boolean isProbedBy(ModelPool pool, CellKey cell) {
        return pool(pool).isProbedBy(cell.toString());
    }

    /** Whether the cells of a pool wait, but for one that probes. */
    public boolean isHeld(ModelPool pool) {
        return pool(pool).isHeld() || keys.hasNone(pool);
    }

    /** Whether this worker gets no answer from a pool while others do, or may not ask. */
    public boolean isCutOff(ModelPool pool) {
        return pool(pool).isCutOff() || keys.isDrained(pool);
    }

    /** Whether all keys that this worker has are drained: it sends nothing, however impatient. */
    public boolean isDrained(ModelPool pool) {
        return pool.canBeAway() && keys.isDrained(pool);
    }

    /** The providers of which this worker gets no answer while others do, but for those that it may probe now. */
    Set<String> cutOff() {
        Set<String> cutOff = new HashSet<>();
        pools.forEach((pool, asked) -> {
            if (keys.isDrained(pool) || (asked.isCutOff() && !asked.isProbeDue())) {
                cutOff.add(pool.provider());
            }
        });
        pools.forEach((pool, asked) -> {
            if (!asked.isCutOff() && !keys.isDrained(pool)) {
                cutOff.remove(pool.provider());
            }
        });
        return cutOff;
    }

    /** Whether cells of a pool are better tried by others, which may get an answer. */
    public boolean isForOthers(ModelPool pool) {
        StoredOutage outage = pool(pool).outage();
        return outage != null && outage.isForOthers();
    }

    /** The outage of a pool; null: it is not down, as far as is known. */
    public @Nullable StoredOutage outage(ModelPool pool) {
        return pool(pool).outage();
    }

    /** How long a pool has been down; zero: it is not. */
    public Duration age(ModelPool pool) {
        StoredOutage outage = pool.canBeAway() ? pool(pool).outage() : null;
        return outage == null ? Duration.ZERO : outage.age();
    }

    /**
     * The keys that a request of {@code cell} does not take where there are others.
     *
     * @param tried those that refused the cell
     */
    public Set<String> unwanted(ModelPool pool, CellKey cell, Set<String> tried) {
        StoredOutage probed = pool.canBeAway() ? pool(pool).probedBy(cell.toString()) : null;
        if (probed == null || probed.ofKey() == null) {
            return tried;
        }
        return keys.marksOf(pool).stream()
                .filter(key -> !probed.isOf(key))
                .map(KeyMark::name)
                .collect(Collectors.toSet());
    }

    /**
     * The key of a request that is sent now.
     *
     * @return null: none of the wished can be used now
     */
    public @Nullable KeyChoice choose(ModelPool pool, CellKey cell, KeyWish wish) {
        return pool.canBeAway() ? turns.choose(pool, cell.toString(), wish) : KeyChoice.NONE;
    }

    /** A key was chosen, and nothing was sent. */
    public void unsent(KeyChoice choice) {
        turns.ended(choice, CallSign.NONE, "", null);
    }

    /** Whether a key is left that did not refuse a cell. */
    public boolean hasOtherKey(ModelPool pool, Set<String> tried) {
        return pool.canBeAway() && turns.hasOther(pool, tried);
    }

    /** A call of {@code cell} to {@code pool} that is sent now. */
    public PoolCall begins(ModelPool pool, CellKey cell, KeyChoice choice) {
        if (!pool.canBeAway()) {
            return PoolCall.INSIDE;
        }
        AskedPool asked = pool(pool);
        Instant sentAt = asked.begins();
        AskedKey key = choice.key();
        return new PoolCall() {
            @Override
            public void answered() {
                ended(CallSign.ANSWERED, "", null);
            }

            @Override
            public void failed(CallFailedException failure) {
                ended(failure.sign(), failure.failure().message(), failure.retryAfter());
            }

            @Override
            public void givenUp() {
                ended(CallSign.NONE, "", null);
            }

            private void ended(CallSign sign, String said, @Nullable Duration retryAfter) {
                String words = StorableText.of(Excerpt.of(said, WORDS));
                boolean isNews = asked.ended(cell.toString(), sentAt, sign, words);
                isNews |= key != null && keys.ended(key, pool, sentAt, sign, words);
                turns.ended(choice, sign, words, retryAfter);
                probed(asked, cell, sign, words, retryAfter);
                if (isNews) {
                    stopWaiting();
                    news.release();
                }
            }
        };
    }

    private void probed(AskedPool asked, CellKey cell, CallSign sign, String words, @Nullable Duration retryAfter) {
        StoredOutage outage = asked.probed(cell.toString(), sign);
        if (outage == null) {
            return;
        }
        try {
            if (AskedPool.ends(outage, sign)) {
                probes.succeeded(outage, worker.id());
                keys.takenAgain(outage);
                LOG.info(
                        "Provider {} answers again for {}",
                        outage.pool().provider(),
                        outage.pool().models());
            } else if (sign.isUndecided()) {
                probes.failed(outage, words, retryAfter);
            } else {
                probes.unsent(outage);
            }
        } catch (RuntimeException e) {
            LOG.debug("The end of a probe of {} could not be recorded", outage.pool(), e);
        }
        news.release();
    }

    /**
     * Waits until it is decided whether a call was an attempt of its cell.
     *
     * @param choice its key
     * @param sign how it ended, which leaves that undecided
     * @param atMost after this time it is one
     */
    public boolean isExcused(ModelPool pool, CellKey cell, KeyChoice choice, CallSign sign, Duration atMost)
            throws InterruptedException {
        AskedKey key = sign.refusedKey() == null ? null : choice.key();
        SignalDecision decision = key == null ? pool(pool).decided(cell.toString(), atMost) : key.decided(atMost);
        return decision == SignalDecision.NO_ATTEMPT;
    }

    /**
     * Takes the right to probe a pool, for the first of the cells that may.
     *
     * @param waiting the cells of one batch that wait for it
     * @return the cell whose call may be sent now; null: none may
     */
    public @Nullable CellKey probe(ModelPool pool, List<CellKey> waiting) {
        AskedPool asked = pool(pool);
        StoredOutage outage = asked.outage();
        if (outage == null || !asked.isProbeDue()) {
            return null;
        }
        Map<String, CellKey> names = new LinkedHashMap<>();
        waiting.stream()
                .filter(cell -> !asked.isFaulty(cell.toString()))
                .forEach(cell -> names.put(cell.toString(), cell));
        String taken = probes.take(outage, worker.id(), List.copyOf(names.keySet()), waiting.size() == 1);
        if (taken == null) {
            asked.probeRefused();
            return null;
        }
        asked.probes(taken, outage);
        return names.get(taken);
    }

    /** The cell that was to probe has come back, maybe without a call. */
    public void probeOver(ModelPool pool, CellKey cell) {
        probed(pool(pool), cell, CallSign.NONE, "", null);
    }

    /** Stops the cells that wait to ask a pool that is down: they are to hold nothing meanwhile. */
    private void stopWaiting() {
        for (RunningCell cell : cells.all()) {
            ModelPool pool = cell.pool();
            if (pool != null && !mayCall(pool, cell.key())) {
                cell.stopIfWaiting(StopReason.PROVIDER_DOWN);
            }
        }
    }

    /** Waits for what must be told at once. */
    void awaitNews(Duration atMost) throws InterruptedException {
        var _ = news.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS);
        news.drainPermits();
    }

    private void exchangeSafely() {
        try {
            exchange();
        } catch (RuntimeException | Error e) {
            LOG.debug("What is seen of providers could not be told; it is tried again", e);
        }
    }

    /** Tells the others what this worker sees, and hears which pools are down. */
    synchronized void exchange() {
        keys.tell();
        pools.entrySet().removeIf(entry -> entry.getValue().isForgotten());
        if (pools.isEmpty()) {
            return;
        }
        Set<ModelPool> asked = new HashSet<>(pools.keySet());
        List<SeenPool> seen = new ArrayList<>();
        asked.forEach(pool -> seen.add(pool(pool).seen(worker.id(), keys.marksOf(pool))));
        List<StoredOutage> found = outages.exchange(worker.id(), seen);
        keys.found(asked, found);
        Map<ModelPool, StoredOutage> down = new HashMap<>();
        for (StoredOutage outage : found) {
            // Where another key goes on, the pool does.
            if (outage.ofKey() == null || keys.hasNone(outage.pool())) {
                down.merge(outage.pool(), outage, Outages::first);
            }
        }
        boolean wentDown = false;
        for (ModelPool pool : asked) {
            StoredOutage outage = down.get(pool);
            if (pool(pool).found(outage) && outage != null) {
                LOG.warn("Provider {} is down for {}: {}", pool.provider(), pool.models(), outage.signal());
                wentDown = true;
            }
        }
        if (wentDown || asked.stream().anyMatch(keys::isDrained)) {
            stopWaiting();
        }
    }

    /** Of two outages of a pool the one that concerns more: all workers, those with a key, this one alone. */
    private static StoredOutage first(StoredOutage one, StoredOutage other) {
        if (one.ofKey() != null && other.ofKey() != null) {
            // The key that is probed next.
            return one.untilProbe().compareTo(other.untilProbe()) <= 0
                    ? one.noOlderThan(other)
                    : other.noOlderThan(one);
        }
        return other.workerId() == null && (other.ofKey() == null || one.workerId() != null) ? other : one;
    }
}
