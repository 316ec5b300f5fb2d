package dev.assay.activities.outage;

import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.CallSign;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import dev.assay.store.cell.CellKey;
import dev.assay.store.outage.OutageRepository;
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
    private final WorkerIdentity worker;
    private final RunningCells cells;
    private final Map<ModelPool, AskedPool> pools = new ConcurrentHashMap<>();
    private final Semaphore news = new Semaphore(0);
    private final InstantSource clock;

    @Inject
    public Outages(OutageRepository outages, WorkerIdentity worker, RunningCells cells) {
        this(outages, worker, cells, steady());
    }

    Outages(OutageRepository outages, WorkerIdentity worker, RunningCells cells, InstantSource clock) {
        this.outages = outages;
        this.worker = worker;
        this.cells = cells;
        this.clock = clock;
    }

    /** A clock that nobody sets. */
    private static InstantSource steady() {
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
        return !pool.canBeAway() || pool(pool).mayCall(cell.toString());
    }

    /** Whether the cells of a pool wait, but for one that probes. */
    public boolean isHeld(ModelPool pool) {
        return pool(pool).isHeld();
    }

    /** Whether this worker gets no answer from a pool while others do. */
    public boolean isCutOff(ModelPool pool) {
        return pool(pool).isCutOff();
    }

    /** The providers of which this worker gets no answer while others do, but for those that it may probe now. */
    Set<String> cutOff() {
        Set<String> cutOff = new HashSet<>();
        pools.forEach((pool, asked) -> {
            if (asked.isCutOff() && !asked.isProbeDue()) {
                cutOff.add(pool.provider());
            }
        });
        pools.forEach((pool, asked) -> {
            if (!asked.isCutOff()) {
                cutOff.remove(pool.provider());
            }
        });
        return cutOff;
    }

    /** Whether cells of a pool are better tried by others, which may get an answer. */
    public boolean isForOthers(ModelPool pool) {
        StoredOutage outage = pool(pool).outage();
        return outage != null && outage.hasOtherWorkers();
    }

    /** How long a pool has been down; zero: it is not. */
    public Duration age(ModelPool pool) {
        StoredOutage outage = pool.canBeAway() ? pool(pool).outage() : null;
        return outage == null ? Duration.ZERO : outage.age();
    }

    /** A call on its way. */
    public interface Call {

        /** It was answered. */
        void answered();

        /** It failed; the failure says whether the provider is there. */
        void failed(CallFailedException failure);

        /** It was given up, which says nothing of the provider. */
        void givenUp();
    }

    private static final Call INSIDE = new Call() {
        @Override
        public void answered() {}

        @Override
        public void failed(CallFailedException failure) {}

        @Override
        public void givenUp() {}
    };

    /** A call of {@code cell} to {@code pool} that is sent now. */
    public Call begins(ModelPool pool, CellKey cell) {
        if (!pool.canBeAway()) {
            return INSIDE;
        }
        AskedPool asked = pool(pool);
        Instant sentAt = asked.begins();
        return new Call() {
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
                probed(asked, cell, sign, words, retryAfter);
                if (isNews) {
                    stopWaiting(pool);
                    news.release();
                }
            }
        };
    }

    private void probed(AskedPool asked, CellKey cell, CallSign sign, String words, @Nullable Duration retryAfter) {
        StoredOutage outage = asked.probed(cell.toString(), sign.isAnswer());
        if (outage == null) {
            return;
        }
        try {
            if (sign.isAnswer()) {
                outages.end(outage, worker.id());
                LOG.info(
                        "Provider {} answers again for {}",
                        outage.pool().provider(),
                        outage.pool().models());
            } else if (sign.signal() != null) {
                outages.probeFailed(outage, words, retryAfter);
            } else {
                outages.probeUnsent(outage);
            }
        } catch (RuntimeException e) {
            LOG.debug("The end of a probe of {} could not be recorded", outage.pool(), e);
        }
        news.release();
    }

    /**
     * Waits until it is decided whether a call that ended with a signal was an attempt of its cell.
     *
     * @param atMost after this time it is one
     */
    public boolean isExcused(ModelPool pool, CellKey cell, Duration atMost) throws InterruptedException {
        return pool(pool).decided(cell.toString(), atMost) == SignalDecision.NO_ATTEMPT;
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
        String taken = outages.takeProbe(outage, worker.id(), List.copyOf(names.keySet()), waiting.size() == 1);
        if (taken == null) {
            asked.probeRefused();
            return null;
        }
        asked.probes(taken);
        return names.get(taken);
    }

    /** The cell that was to probe has come back, maybe without a call. */
    public void probeOver(ModelPool pool, CellKey cell) {
        probed(pool(pool), cell, CallSign.NONE, "", null);
    }

    /** Stops the cells that wait to ask a pool: they are to hold nothing while it is down. */
    private void stopWaiting(ModelPool pool) {
        for (RunningCell cell : cells.all()) {
            if (pool.equals(cell.pool()) && !mayCall(pool, cell.key())) {
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
        pools.entrySet().removeIf(entry -> entry.getValue().isForgotten());
        if (pools.isEmpty()) {
            return;
        }
        Set<ModelPool> asked = new HashSet<>(pools.keySet());
        List<SeenPool> seen = new ArrayList<>();
        asked.forEach(pool -> seen.add(pool(pool).seen(worker.id())));
        Map<ModelPool, StoredOutage> down = new HashMap<>();
        for (StoredOutage outage : outages.exchange(worker.id(), seen)) {
            // What concerns all comes before what concerns this worker alone.
            down.merge(outage.pool(), outage, (one, other) -> one.workerId() == null ? one : other);
        }
        for (ModelPool pool : asked) {
            StoredOutage outage = down.get(pool);
            if (pool(pool).found(outage) && outage != null) {
                LOG.warn("Provider {} is down for {}: {}", pool.provider(), pool.models(), outage.signal());
                stopWaiting(pool);
            }
        }
    }
}
