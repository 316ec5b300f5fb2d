package dev.assay.activities.cell;

import static java.util.Objects.requireNonNull;

import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellKind;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims;
import dev.assay.workflows.evaluation.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures the cells of one member in a batch of trials: claims the open ones in bulk, runs each on a virtual thread, and says
 * which are still open. Used by one activity attempt.
 */
public final class CellBatch {

    private static final Logger LOG = LoggerFactory.getLogger(CellBatch.class);

    private static final Duration BEAT = Duration.ofSeconds(5);
    private static final Duration RETRY_OWN = Duration.ofSeconds(1);

    /** Runs one claimed cell on its own thread. */
    @FunctionalInterface
    public interface Work {
        CellResult run(RunningCell cell, int attempts) throws InterruptedException;
    }

    /** Tells Temporal how far the batch is; throws when the activity was cancelled or timed out. */
    @FunctionalInterface
    public interface Heartbeat {
        void beat(int done);
    }

    /**
     * What the batch did.
     *
     * @param open trial numbers whose cell is still open
     * @param retryAfter until the earliest of these may be tried again
     * @param pace how long the cells took that closed
     */
    public record Result(SortedSet<Integer> open, Duration retryAfter, Pace pace) {}

    private final CellRepository cells;
    private final RunningCells running;
    private final String workerId;
    private final Heartbeat heartbeat;

    public CellBatch(CellRepository cells, RunningCells running, String workerId, Heartbeat heartbeat) {
        this.cells = cells;
        this.running = running;
        this.workerId = workerId;
        this.heartbeat = heartbeat;
    }

    /** Runs the batch. What it claimed and did not close is free again when it returns or throws. */
    public Result run(
            String campaignId, int epoch, CellKind kind, int member, Collection<Integer> ordinals, Work work) {
        Map<Integer, RunningCell> taken = new HashMap<>();
        for (int ordinal : ordinals) {
            CellKey key = new CellKey(campaignId, ordinal, kind, member);
            running.take(key, epoch).ifPresent(cell -> taken.put(ordinal, cell));
        }
        Set<Integer> held = new TreeSet<>(taken.keySet());
        Map<Integer, CellResult> results = new ConcurrentHashMap<>();
        Claims claims = new Claims(List.of(), List.of(), List.of());
        try {
            if (!held.isEmpty()) {
                claims = cells.claim(campaignId, epoch, workerId, kind, member, held);
            }
            runAll(claims, taken, results, work);
        } finally {
            releaseQuietly(campaignId, epoch, kind, member, claims, results);
            taken.values().forEach(running::end);
        }
        return summarise(ordinals, held, claims, results);
    }

    private void runAll(Claims claims, Map<Integer, RunningCell> taken, Map<Integer, CellResult> results, Work work) {
        CountDownLatch left = new CountDownLatch(claims.claimed().size());
        List<RunningCell> started = new ArrayList<>();
        for (Claims.Claimed claimed : claims.claimed()) {
            RunningCell cell = requireNonNull(taken.get(claimed.ordinal()));
            started.add(cell);
            Thread.ofVirtual().name("cell-", claimed.ordinal()).start(() -> {
                try {
                    results.put(claimed.ordinal(), runOne(cell, claimed.attempts(), work));
                } finally {
                    left.countDown();
                }
            });
        }
        waitFor(left, started, claims.claimed().size());
    }

    private static CellResult runOne(RunningCell cell, int attempts, Work work) {
        try {
            cell.begin();
            return work.run(cell, attempts);
        } catch (InterruptedException e) {
            return new CellResult.Stopped();
        } catch (RuntimeException e) {
            // A defect or a store that refuses: the cell stays open, and the log says why it is tried again.
            LOG.error("Cell {} ended by an unexpected error and stays open", cell.key(), e);
            return new CellResult.Retry(RETRY_OWN);
        }
    }

    private void waitFor(CountDownLatch left, List<RunningCell> started, int total) {
        RuntimeException ended = null;
        while (true) {
            try {
                if (left.await(BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
                    break;
                }
                if (ended == null) {
                    heartbeat.beat(total - (int) left.getCount());
                }
            } catch (InterruptedException e) {
                ended = new IllegalStateException("The activity's thread was interrupted", e);
                started.forEach(cell -> cell.stop(StopReason.SHUTDOWN));
            } catch (RuntimeException e) {
                // Cancelled, timed out or shut down: stop the calls, but wait for what is being recorded.
                ended = e;
                started.forEach(cell -> cell.stop(StopReason.SHUTDOWN));
            }
        }
        if (ended != null) {
            throw ended;
        }
    }

    private void releaseQuietly(
            String campaignId, int epoch, CellKind kind, int member, Claims claims, Map<Integer, CellResult> results) {
        List<Integer> unclosed = claims.claimed().stream()
                .map(Claims.Claimed::ordinal)
                .filter(ordinal -> !(results.get(ordinal) instanceof CellResult.Closed))
                .toList();
        try {
            cells.release(campaignId, epoch, workerId, kind, member, unclosed);
        } catch (RuntimeException e) {
            // Not lost: this worker may claim its own cells again, others when its lease lapses.
            LOG.warn("Claims on {} cells of campaign {} could not be given up", unclosed.size(), campaignId, e);
        }
    }

    private static Result summarise(
            Collection<Integer> ordinals, Set<Integer> held, Claims claims, Map<Integer, CellResult> results) {
        SortedSet<Integer> open = new TreeSet<>();
        Duration retryAfter = Duration.ofDays(1);
        for (int ordinal : ordinals) {
            if (!held.contains(ordinal)) {
                open.add(ordinal);
                retryAfter = min(retryAfter, RETRY_OWN);
            }
        }
        for (Claims.Waiting waiting : claims.waiting()) {
            open.add(waiting.ordinal());
            retryAfter = min(retryAfter, waiting.retryAfter());
        }
        Pace pace = Pace.UNKNOWN;
        for (Map.Entry<Integer, CellResult> entry : results.entrySet()) {
            switch (entry.getValue()) {
                case CellResult.Closed closed -> pace = pace.plus(new Pace(1, closed.seconds()));
                case CellResult.Retry retry -> {
                    open.add(entry.getKey());
                    retryAfter = min(retryAfter, retry.delay());
                }
                case CellResult.Stopped stopped -> {
                    open.add(entry.getKey());
                    retryAfter = min(retryAfter, RETRY_OWN);
                }
            }
        }
        return new Result(open, open.isEmpty() ? Duration.ZERO : retryAfter, pace);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
