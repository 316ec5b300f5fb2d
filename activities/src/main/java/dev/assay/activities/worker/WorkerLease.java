package dev.assay.activities.worker;

import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.permit.LeasedPermits;
import dev.assay.domain.campaign.StoreMark;
import dev.assay.domain.health.StoreRefusal;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.limit.PoolCalls;
import dev.assay.store.restore.RestoreRepository;
import dev.assay.store.restore.RestoreRepository.Sight;
import dev.assay.store.series.SeriesRepository;
import dev.assay.store.worker.LeaseState;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.store.worker.WorkerRepository.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The worker's lease of 30 s, and the report of what the worker holds. Before a lease that could not be renewed ends, it stops the
 * worker's calls and forfeits its permits. From then on other workers may have both.
 */
public final class WorkerLease {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerLease.class);

    private static final Duration RENEW_EVERY = Duration.ofSeconds(5);
    private static final Duration GUARD_EVERY = Duration.ofMillis(500);
    private static final Duration REPORT_EVERY = Duration.ofSeconds(1);
    private static final Duration COUNT_EVERY = Duration.ofSeconds(2);
    /** Shorter than the lease by the time for stopping a call. Counted from before the renewal was sent. */
    static final Duration SAFE = Duration.ofSeconds(25);
    /** The rest of a lease when it is not safe any more. */
    public static final Duration MARGIN = Duration.ofSeconds(5);

    private final WorkerRepository workers;
    private final SeriesRepository series;
    private final RestoreRepository restores;
    private final RunningCells cells;
    private final LeasedPermits permits;
    private final Worker worker;
    private final Supplier<Map<String, StoreRefusal>> refusals;
    private final LongSupplier nanoTime;
    /** For what asks PostgreSQL: a renewal, a report and a count, each of which may hang. */
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(
            3, Thread.ofPlatform().daemon().name("worker-lease-", 0).factory());
    /** For the guard alone, which waits for nothing: it must run while all others hang. */
    private final ScheduledExecutorService guardian = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("worker-lease-guard").factory());

    private volatile long renewedAt;
    private boolean renewing = true;
    /** Read and written by the renewing thread. */
    private @Nullable StoreMark seen;

    private record Report(List<WorkerLoad> load, Map<String, StoreRefusal> refusals, List<PoolCalls> pools) {}

    private volatile Report reported = new Report(List.of(), Map.of(), List.of());

    public WorkerLease(
            WorkerRepository workers,
            SeriesRepository series,
            RestoreRepository restores,
            RunningCells cells,
            LeasedPermits permits,
            Worker worker,
            Supplier<Map<String, StoreRefusal>> refusals,
            LongSupplier nanoTime) {
        this.workers = workers;
        this.series = series;
        this.restores = restores;
        this.cells = cells;
        this.permits = permits;
        this.worker = worker;
        this.refusals = refusals;
        this.nanoTime = nanoTime;
    }

    /** Registers the worker and begins to renew. */
    public void start() {
        renewedAt = nanoTime.getAsLong();
        workers.register(worker);
        var _ = scheduler.scheduleWithFixedDelay(
                this::renew, RENEW_EVERY.toMillis(), RENEW_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        var _ = guardian.scheduleWithFixedDelay(
                this::guard, GUARD_EVERY.toMillis(), GUARD_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        var _ = scheduler.scheduleWithFixedDelay(
                this::report, REPORT_EVERY.toMillis(), REPORT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        var _ = scheduler.scheduleWithFixedDelay(
                this::countCalls, COUNT_EVERY.toMillis(), COUNT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    void renew() {
        // A process that was stopped for a while finds out here: a new lease does not bring back what the old one held.
        guard();
        boolean wasCutOff = !safe();
        long before = nanoTime.getAsLong();
        try {
            LeaseState found = workers.renew(worker.id());
            if (found == LeaseState.UNKNOWN) {
                workers.register(worker);
            }
            if (found != LeaseState.LIVE) {
                // This machine's clock did not show it. It stood still with the machine, or another PostgreSQL took
                // over.
                lost();
            }
            if (wasCutOff || found != LeaseState.LIVE) {
                workers.acquit(worker.id());
            }
            renewedAt = before;
            if (!renewing) {
                LOG.warn("The lease of worker {} is renewed again", worker.id());
            }
            renewing = true;
            workers.sweepLedger();
            workers.forgetEnded();
            lookForRestore();
        } catch (RuntimeException | Error e) {
            // Once, however long PostgreSQL stays away. An Error would end the schedule silently.
            if (renewing) {
                LOG.warn("The lease of worker {} could not be renewed; it tries again: {}", worker.id(), e.toString());
            }
            renewing = false;
        }
    }

    /** Gives up cells that were claimed in a time that PostgreSQL no longer knows. */
    private void lookForRestore() {
        Sight sight = restores.look(seen);
        seen = sight.newest();
        if (sight.wentBack()) {
            LOG.warn("PostgreSQL went back to an earlier state; campaigns that had not ended go on in a new epoch");
            lost();
        }
    }

    /** Reports the cells that the worker holds, and what PostgreSQL refuses it, so that the health of campaigns can say why they wait. */
    void report() {
        Report report = new Report(cells.load(), refusals.get(), permits.calls());
        if (report.equals(reported)) {
            return;
        }
        try {
            workers.report(worker.id(), report.load(), report.refusals(), report.pools());
            reported = report;
        } catch (RuntimeException | Error e) {
            LOG.debug("The load of worker {} could not be reported", worker.id(), e);
        }
    }

    /** Counts the calls in flight of the campaigns whose cells the worker holds. */
    void countCalls() {
        try {
            Set<String> campaigns =
                    reported.load().stream().map(WorkerLoad::campaignId).collect(Collectors.toSet());
            if (!campaigns.isEmpty()) {
                series.countCalls(worker.id(), campaigns);
            }
        } catch (RuntimeException | Error e) {
            LOG.debug("The calls in flight of worker {} could not be counted", worker.id(), e);
        }
    }

    void guard() {
        if (!safe()) {
            lost();
        }
    }

    /** Gives up everything after the lease was lost: others may hold it now. */
    private void lost() {
        permits.forfeit();
        cells.all().forEach(cell -> cell.stop(StopReason.LEASE_LOST));
    }

    /** Whether the lease surely holds. */
    public boolean safe() {
        return nanoTime.getAsLong() - renewedAt < SAFE.toNanos();
    }

    /** Ends the lease: what the worker held is free at once. */
    public void stop() {
        scheduler.shutdownNow();
        guardian.shutdownNow();
        try {
            workers.retire(worker.id());
        } catch (RuntimeException e) {
            LOG.warn("Worker {} could not be retired; its lease lapses in 30 s: {}", worker.id(), e.getMessage());
        }
    }
}
