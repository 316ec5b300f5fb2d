package dev.assay.store.journal;

import dev.assay.store.SqlState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the writes of many threads in one transaction after the other, each holding all that arrived meanwhile.
 *
 * <p>A commit waits for the disk. A hundred cells that each commit alone wait for it a hundred times; together they wait once.
 * While PostgreSQL does not answer, submitted items are kept and retried, in order, until they are written.
 *
 * <p>What PostgreSQL refuses holds up nobody else. The group is split by owner, and an owner that is refused goes on a detour, with
 * transactions of its own. Some refusals pass, such as that of a full disk. The items of that owner are kept then and retried, in
 * order. Any other refused item fails alone.
 *
 * <p>Items for which no thread waits may be patient: they are written together with what comes within {@link #PATIENCE_MS}, and at once
 * when something else does.
 *
 * @param <I> what is written
 * @param <R> what the writer of one item learns
 */
public final class GroupCommit<I, R> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

    /** Bounds one transaction; a larger group no longer makes an item cheaper. */
    private static final int MAX_GROUP = 500;

    /** The time that a patient item waits for others, in milliseconds. */
    static final long PATIENCE_MS = 50;

    private static final long FIRST_RETRY_MS = 50;
    private static final long LAST_RETRY_MS = 1_000;

    /** Owners that are tried again before others have their turn: each try that fails costs a transaction. */
    private static final int RETRIED_AT_ONCE = 20;

    /** An item, and the one who waits for it. */
    record Pending<I, R>(I item, CompletableFuture<R> result) {}

    /** The items of an owner that PostgreSQL refuses for now. */
    private static final class Refused<I, R> {
        private final List<Pending<I, R>> items = new ArrayList<>();
        private Throwable error;
        private long retryMs = FIRST_RETRY_MS;
        private long retryAt;

        Refused(Throwable error) {
            this.error = error;
            postpone(error);
        }

        void postpone(Throwable again) {
            error = again;
            retryAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(retryMs);
            retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
        }
    }

    /** Items that came together are written together. */
    private final LinkedBlockingQueue<List<Pending<I, R>>> queue = new LinkedBlockingQueue<>();

    private final Semaphore hurry = new Semaphore(0);
    private final Function<? super I, String> owner;
    private final Predicate<? super I> patient;
    private final Function<List<I>, List<R>> transaction;
    private final Thread thread;

    /** Takes owners that are refused; null: this is the detour itself. */
    private final @Nullable Detour<I, R> detour;

    /** By owner; changed by the journal's thread only. */
    private final Map<String, Refused<I, R>> refused = new ConcurrentHashMap<>();

    /** By owner, what completes when its items are refused no more: also while they are tried again. */
    private final Map<String, CompletableFuture<Void>> passing = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /**
     * @param owner of an item: what is refused holds up its other items only
     * @param transaction writes all items or none, and gives a result for each, in order
     */
    public GroupCommit(String name, Function<? super I, String> owner, Function<List<I>, List<R>> transaction) {
        this(name, owner, item -> false, transaction);
    }

    /**
     * @param owner of an item: what is refused holds up its other items only
     * @param patient whether an item may wait for others to come
     * @param transaction writes all items or none, and gives a result for each, in order
     */
    public GroupCommit(
            String name,
            Function<? super I, String> owner,
            Predicate<? super I> patient,
            Function<List<I>, List<R>> transaction) {
        this(
                name,
                owner,
                patient,
                transaction,
                new Detour<>(new GroupCommit<>(name + "-refused", owner, item -> false, transaction, null)));
    }

    private GroupCommit(
            String name,
            Function<? super I, String> owner,
            Predicate<? super I> patient,
            Function<List<I>, List<R>> transaction,
            @Nullable Detour<I, R> detour) {
        this.owner = owner;
        this.patient = patient;
        this.transaction = transaction;
        this.detour = detour;
        this.thread = Thread.ofVirtual().name(name).start(this::run);
    }

    /** Writes {@code item} in the next group. The future completes when it is committed, or fails when it was refused. */
    public CompletableFuture<R> submit(I item) {
        CompletableFuture<R> result = new CompletableFuture<>();
        if (closed) {
            result.completeExceptionally(new IllegalStateException("The journal is closed"));
        } else {
            add(List.of(new Pending<>(item, result)));
        }
        return result;
    }

    /** Writes items in the next group, even after this was closed while its thread goes on; at most {@link #MAX_GROUP}. */
    void add(List<Pending<I, R>> items) {
        queue.add(items);
        if (!arePatient(items)) {
            hurry.release();
        }
    }

    private boolean arePatient(List<Pending<I, R>> items) {
        return items.stream().allMatch(pending -> patient.test(pending.item()));
    }

    /** Why PostgreSQL refuses the items of some owners for now. */
    public Map<String, Throwable> refusals() {
        if (detour != null) {
            return detour.journal().refusals();
        }
        Map<String, Throwable> refusals = new TreeMap<>();
        refused.forEach((name, held) -> refusals.put(name, held.error));
        return refusals;
    }

    /**
     * What completes when PostgreSQL does not refuse the owner's items for now, or when this was closed. It is complete already where
     * nothing is refused.
     */
    public CompletableFuture<Void> passes(String ofOwner) {
        return detour != null
                ? detour.journal().passes(ofOwner)
                : passing.getOrDefault(ofOwner, CompletableFuture.completedFuture(null));
    }

    private void run() {
        List<Pending<I, R>> group = new ArrayList<>();
        while (!closed || !queue.isEmpty()) {
            List<Pending<I, R>> first = next();
            if (first != null) {
                group.addAll(first);
                if (arePatient(first)) {
                    gather();
                }
                hurry.drainPermits();
                fill(group);
                commit(group);
                group.clear();
            }
            retryRefused();
        }
        // Once more: what PostgreSQL still refuses fails, since this is closed.
        Map.copyOf(refused).forEach(this::retry);
        passing.values().forEach(passed -> passed.complete(null));
    }

    /** Only this thread takes from the queue. */
    private void fill(List<Pending<I, R>> group) {
        List<Pending<I, R>> more = queue.peek();
        while (more != null && group.size() + more.size() <= MAX_GROUP) {
            group.addAll(queue.remove());
            more = queue.peek();
        }
    }

    /** The next items; null when some that were refused are due first, or when this was closed. */
    private @Nullable List<Pending<I, R>> next() {
        try {
            if (refused.isEmpty()) {
                return queue.take();
            }
            long due = refused.values().stream()
                    .mapToLong(held -> held.retryAt)
                    .min()
                    .orElseThrow();
            return queue.poll(Math.max(0, due - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return null; // close() wakes the thread; what is queued is still written.
        }
    }

    /** Waits for others to come, until one comes that is not patient. */
    private void gather() {
        try {
            var _ = hurry.tryAcquire(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // close() wakes the thread; what is queued is still written.
        }
    }

    private void retryRefused() {
        long now = System.nanoTime();
        refused.entrySet().stream()
                .filter(entry -> entry.getValue().retryAt - now <= 0)
                .sorted(Comparator.comparingLong(entry -> entry.getValue().retryAt - now))
                .limit(RETRIED_AT_ONCE)
                .toList()
                .forEach(entry -> retry(entry.getKey(), entry.getValue()));
    }

    private void retry(String name, Refused<I, R> held) {
        refused.remove(name);
        List<Pending<I, R>> items = List.copyOf(held.items);
        for (int from = 0; from < items.size(); from += MAX_GROUP) {
            List<Pending<I, R>> group = items.subList(from, Math.min(items.size(), from + MAX_GROUP));
            if (from == 0) {
                write(group, held);
            } else {
                commit(group);
            }
        }
        if (!refused.containsKey(name)) {
            CompletableFuture<Void> passed = passing.remove(name);
            if (passed != null) {
                passed.complete(null);
            }
        }
    }

    private void commit(List<Pending<I, R>> group) {
        List<Pending<I, R>> others =
                group.stream().filter(pending -> !goesElsewhere(pending)).toList();
        if (!others.isEmpty()) {
            write(others, null);
        }
    }

    /** Whether an item has left this group: its owner's items before it are on the detour, or kept. */
    private boolean goesElsewhere(Pending<I, R> pending) {
        String name = owner.apply(pending.item());
        if (detour != null) {
            return detour.takes(name, pending);
        }
        Refused<I, R> held = refused.get(name);
        return held != null && held.items.add(pending);
    }

    /** @param before how the items were refused before; null: they were not */
    private void write(List<Pending<I, R>> group, @Nullable Refused<I, R> before) {
        long retryMs = FIRST_RETRY_MS;
        while (true) {
            try {
                complete(
                        group,
                        transaction.apply(group.stream().map(Pending::item).toList()));
                return;
            } catch (RuntimeException | Error e) {
                // An Error must not end the thread either: otherwise threads that wait for it would wait for ever.
                if (SqlState.isRefusalForNow(e) || !SqlState.isTransient(e)) {
                    split(group, e, before);
                    return;
                }
                if (closed) {
                    fail(group, e);
                    return;
                }
                LOG.debug("Writing {} entries again in {} ms", group.size(), retryMs, e);
                pause(retryMs);
                retryMs = Math.min(LAST_RETRY_MS, retryMs * 2);
            }
        }
    }

    private static <I, R> void complete(List<Pending<I, R>> group, List<R> results) {
        for (int i = 0; i < group.size(); i++) {
            group.get(i).result().complete(results.get(i));
        }
    }

    private static <I, R> void fail(List<Pending<I, R>> group, Throwable error) {
        group.forEach(pending -> pending.result().completeExceptionally(error));
    }

    /** One refused item must not take its group down: owners are written apart, then halves, and then it alone. */
    private void split(List<Pending<I, R>> group, Throwable error, @Nullable Refused<I, R> before) {
        Map<String, List<Pending<I, R>>> byOwner = new LinkedHashMap<>();
        group.forEach(pending -> byOwner.computeIfAbsent(owner.apply(pending.item()), _ -> new ArrayList<>())
                .add(pending));
        if (byOwner.size() > 1) {
            byOwner.values().forEach(own -> write(own, before));
        } else if (detour != null) {
            detour.take(owner.apply(group.getFirst().item()), group);
        } else if (SqlState.isRefusalForNow(error) && !closed) {
            hold(group, error, before);
        } else if (SqlState.isRefusalForNow(error) || group.size() == 1) {
            fail(group, error);
        } else {
            int half = group.size() / 2;
            commit(group.subList(0, half));
            commit(group.subList(half, group.size()));
        }
    }

    private void hold(List<Pending<I, R>> group, Throwable error, @Nullable Refused<I, R> before) {
        String name = owner.apply(group.getFirst().item());
        Refused<I, R> held = refused.get(name);
        if (held == null) {
            LOG.warn("PostgreSQL refuses what {} writes, which is kept and tried again: {}", name, error.toString());
            held = before == null ? new Refused<>(error) : before;
            held.items.clear();
            if (before != null) {
                held.postpone(error);
            }
            refused.put(name, held);
            passing.computeIfAbsent(name, _ -> new CompletableFuture<>());
        }
        held.items.addAll(group);
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            // close() wakes the thread; the next round sees that.
        }
    }

    /** Writes all submitted items, then ends. */
    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.interrupt();
        thread.join();
        List<List<Pending<I, R>>> late = new ArrayList<>();
        queue.drainTo(late);
        late.forEach(items -> fail(items, new IllegalStateException("The journal is closed")));
        if (detour != null) {
            detour.journal().close();
        }
    }
}
