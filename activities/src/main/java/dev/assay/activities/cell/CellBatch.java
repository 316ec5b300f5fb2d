package dev.assay.activities.cell;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.Failure;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims;
import dev.assay.workflows.slice.Pace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The run of the cells of a batch of trials. It claims the open ones in bulk, runs each on a virtual thread, and says which are
 * still open. Used by one activity attempt.
 */
public final class CellBatch {

    private static final Logger LOG = LoggerFactory.getLogger(CellBatch.class);

    private static final Duration BEAT = Duration.ofSeconds(5);
    private static final Duration RETRY_OWN = Duration.ofSeconds(1);
    /** Bounds how often cells move from worker to worker while permits are short. */
    private static final Duration RETRY_ELSEWHERE = Duration.ofSeconds(5);

    /** The work on a claimed cell, on a thread of its own. */
    public interface Work {

        /** Makes an attempt. */
        CellResult run(RunningCell cell, Claims.Claimed claimed) throws InterruptedException;

        /** Counts an attempt that threw an unexpected error. */
        CellResult unexpected(RunningCell cell, Claims.Claimed claimed, Failure failure);

        /** Counts the attempt no longer, which was stopped in good order. An attempt that came to an end stays counted. */
        void stopped(RunningCell cell, Claims.Claimed claimed);

        /** Closes a cell that did not end before its campaign was cancelled. */
        void cancelled(RunningCell cell, Claims.Claimed claimed);
    }

    /** Reports the progress of the batch to Temporal; throws when the activity was cancelled or timed out. */
    @FunctionalInterface
    public interface Heartbeat {
        void beat(int done);
    }

    /**
     * The result of a batch.
     *
     * @param open trial numbers whose cell is still open
     * @param retryAfter until the earliest of these may be tried again
     * @param awaited whether one of these waits for a stated reason: the time of a counted retry, a permit, or another worker
     * @param pace how long the cells took that closed
     * @param held open cells beside these that wait for a provider which is down
     */
    public record Result(
            SortedSet<Integer> open, Duration retryAfter, boolean awaited, Pace pace, Map<CellKey, ModelPool> held) {

        public Result {
            held = Map.copyOf(held);
        }

        /** No cell was run, and none is open. */
        public static final Result NOTHING =
                new Result(Collections.emptySortedSet(), Duration.ZERO, false, Pace.UNKNOWN, Map.of());

        /** The result of a trial that was left for a later try in this worker. */
        public static Result left(int ordinal) {
            return new Result(new TreeSet<>(Set.of(ordinal)), RETRY_OWN, false, Pace.UNKNOWN, Map.of());
        }

        /** Both together. */
        public Result and(Result after) {
            SortedSet<Integer> both = new TreeSet<>(open);
            both.addAll(after.open());
            boolean sooner = open.isEmpty()
                    || (!after.open().isEmpty() && after.retryAfter().compareTo(retryAfter) < 0);
            Map<CellKey, ModelPool> bothHeld = new HashMap<>(held);
            bothHeld.putAll(after.held());
            return new Result(
                    both,
                    sooner ? after.retryAfter() : retryAfter,
                    awaited || after.awaited(),
                    pace.plus(after.pace()),
                    bothHeld);
        }

        /** The same without cells that were held and are run now. */
        public Result without(Collection<CellKey> run) {
            Map<CellKey, ModelPool> left = new HashMap<>(held);
            left.keySet().removeAll(run);
            return new Result(open, retryAfter, awaited, pace, left);
        }

        /** The same whose held cells are open like others. */
        public Result released() {
            if (held.isEmpty()) {
                return this;
            }
            SortedSet<Integer> all = new TreeSet<>(open);
            held.keySet().forEach(cell -> all.add(cell.ordinal()));
            Duration soonest = open.isEmpty() ? RETRY_OWN : min(retryAfter, RETRY_OWN);
            return new Result(all, soonest, true, pace, Map.of());
        }
    }

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

    /** Runs the batch. Claims of cells that it did not close are released when it returns or throws. */
    public Result run(RunKey run, CellKind kind, Map<Integer, ? extends Collection<Integer>> ordinals, Work work) {
        Map<CellKey, RunningCell> taken = new HashMap<>();
        Set<CellKey> asked = new HashSet<>();
        ordinals.forEach((slot, ofSlot) -> ofSlot.forEach(ordinal -> {
            CellKey key = new CellKey(run.campaignId(), ordinal, kind, slot);
            asked.add(key);
            running.take(key, run.epoch()).ifPresent(cell -> taken.put(key, cell));
        }));
        Map<CellKey, CellResult> results = new ConcurrentHashMap<>();
        List<OfSlot> claims = new ArrayList<>();
        try {
            for (int slot : ordinals.keySet()) {
                claim(run, kind, slot, taken.keySet()).ifPresent(claims::add);
            }
            runAll(claims, taken, results, work);
        } finally {
            claims.forEach(claimed -> releaseQuietly(run, kind, claimed, taken, results, work));
            taken.values().forEach(running::end);
        }
        return summarise(asked, taken.keySet(), claims, results);
    }

    /** The claims of one slot, by key. */
    private record OfSlot(int slot, Map<CellKey, Claims.Claimed> claimed, List<Claims.Waiting> waiting) {}

    private Optional<OfSlot> claim(RunKey run, CellKind kind, int slot, Set<CellKey> held) {
        Set<Integer> ordinals = held.stream()
                .filter(key -> key.slot() == slot)
                .map(CellKey::ordinal)
                .collect(Collectors.toCollection(TreeSet::new));
        if (ordinals.isEmpty()) {
            return Optional.empty();
        }
        Claims claims = cells.claim(run, workerId, kind, slot, ordinals);
        Map<CellKey, Claims.Claimed> claimed = new HashMap<>();
        claims.claimed().forEach(cell -> claimed.put(new CellKey(run.campaignId(), cell.ordinal(), kind, slot), cell));
        return Optional.of(new OfSlot(slot, claimed, claims.waiting()));
    }

    private void runAll(
            List<OfSlot> claims, Map<CellKey, RunningCell> taken, Map<CellKey, CellResult> results, Work work) {
        Map<CellKey, Claims.Claimed> claimed = new HashMap<>();
        claims.forEach(ofSlot -> claimed.putAll(ofSlot.claimed()));
        CountDownLatch left = new CountDownLatch(claimed.size());
        List<RunningCell> started = new ArrayList<>();
        claimed.forEach((key, claim) -> {
            RunningCell cell = requireNonNull(taken.get(key));
            started.add(cell);
            Thread.ofVirtual().name("cell-", key.ordinal()).start(() -> {
                try {
                    results.put(key, runOne(cell, claim, work));
                } finally {
                    left.countDown();
                }
            });
        });
        waitFor(left, started, claimed.size());
    }

    static CellResult runOne(RunningCell cell, Claims.Claimed claimed, Work work) {
        try {
            cell.begin();
            return work.run(cell, claimed);
        } catch (InterruptedException e) {
            return stopped(cell, claimed, work);
        } catch (Throwable e) {
            if (e instanceof RuntimeException && cell.stopped() != null) {
                // Its interrupt hit a wait of the cell, such as one for PostgreSQL, which throws its own exception.
                LOG.info("Cell {} was stopped: {}", cell.key(), e.toString());
                LOG.debug("Cell {} was stopped here", cell.key(), e);
                return stopped(cell, claimed, work);
            }
            LOG.error("Cell {} ended unexpectedly; the attempt is counted", cell.key(), e);
            return unexpected(cell, claimed, work, e);
        }
    }

    private static CellResult stopped(RunningCell cell, Claims.Claimed claimed, Work work) {
        try {
            work.stopped(cell, claimed);
        } catch (RuntimeException e) {
            // It stays counted: the cell has one attempt fewer.
            LOG.warn("The attempt at cell {} could not be given back", cell.key(), e);
        }
        ModelPool pool = cell.pool();
        if (cell.stopped() == StopReason.PROVIDER_DOWN && pool != null) {
            return new CellResult.Held(pool);
        }
        return cell.stopped() == StopReason.NO_PERMIT
                ? new CellResult.NoPermit()
                : new CellResult.Stopped(cell.stopped() == StopReason.SHUTDOWN);
    }

    private static CellResult unexpected(RunningCell cell, Claims.Claimed claimed, Work work, Throwable thrown) {
        try {
            return work.unexpected(cell, claimed, Failure.unexpected(thrown));
        } catch (Throwable e) {
            // The campaign notices when it makes no progress.
            LOG.error("The attempt at cell {} could not be counted; it stays open", cell.key(), e);
            return new CellResult.Stopped(false);
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
                // Temporal no longer waits for this attempt: it cancelled the activity, or was away for longer than a
                // heartbeat may be late. PostgreSQL says who may pay. The worker still holds the cells, and finishes
                // its calls in flight.
                ended = e;
                started.forEach(cell -> cell.stopBeforeNextCall(StopReason.SHUTDOWN));
            }
        }
        if (ended != null) {
            throw ended;
        }
    }

    private void releaseQuietly(
            RunKey run,
            CellKind kind,
            OfSlot claims,
            Map<CellKey, RunningCell> taken,
            Map<CellKey, CellResult> results,
            Work work) {
        List<Integer> unclosed = claims.claimed().keySet().stream()
                .filter(key -> !(results.get(key) instanceof CellResult.Closed))
                .map(CellKey::ordinal)
                .toList();
        try {
            for (int ordinal : cells.release(run, workerId, kind, claims.slot(), unclosed)) {
                CellKey key = new CellKey(run.campaignId(), ordinal, kind, claims.slot());
                work.cancelled(
                        requireNonNull(taken.get(key)),
                        requireNonNull(claims.claimed().get(key)));
            }
        } catch (RuntimeException e) {
            // Not lost: this worker may claim its own cells again, others when its lease lapses.
            LOG.warn("Claims on {} cells of campaign {} could not be given up", unclosed.size(), run.campaignId(), e);
        }
    }

    private static Result summarise(
            Set<CellKey> asked, Set<CellKey> held, List<OfSlot> claims, Map<CellKey, CellResult> results) {
        SortedSet<Integer> open = new TreeSet<>();
        Duration retryAfter = Duration.ofDays(1);
        boolean awaited = false;
        for (CellKey key : asked) {
            if (!held.contains(key)) {
                open.add(key.ordinal());
                retryAfter = min(retryAfter, RETRY_OWN);
                awaited = true;
            }
        }
        for (OfSlot ofSlot : claims) {
            for (Claims.Waiting wait : ofSlot.waiting()) {
                open.add(wait.ordinal());
                retryAfter = min(retryAfter, wait.retryAfter());
                awaited |= wait.stated();
            }
        }
        Pace pace = Pace.UNKNOWN;
        Map<CellKey, ModelPool> waiting = new HashMap<>();
        for (Map.Entry<CellKey, CellResult> entry : results.entrySet()) {
            switch (entry.getValue()) {
                case CellResult.Closed closed -> pace = pace.plus(new Pace(1, closed.seconds()));
                case CellResult.Retry retry -> {
                    open.add(entry.getKey().ordinal());
                    retryAfter = min(retryAfter, retry.delay());
                    awaited = true;
                }
                case CellResult.Held(ModelPool pool) -> waiting.put(entry.getKey(), pool);
                case CellResult.NoPermit handedBack -> {
                    open.add(entry.getKey().ordinal());
                    retryAfter = min(retryAfter, RETRY_ELSEWHERE);
                    awaited = true;
                }
                case CellResult.Stopped stopped -> {
                    open.add(entry.getKey().ordinal());
                    retryAfter = min(retryAfter, RETRY_OWN);
                    awaited |= stopped.byShutdown();
                }
            }
        }
        return new Result(open, open.isEmpty() ? Duration.ZERO : retryAfter, awaited, pace, waiting);
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) <= 0 ? a : b;
    }
}
