package dev.assay.store.journal;

import dev.assay.store.SqlState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits the writes of many threads in one transaction after the other, each holding all that arrived meanwhile.
 *
 * <p>A commit waits for the disk. A hundred cells that each commit alone wait for it a hundred times; together they wait once.
 * While PostgreSQL does not answer, submitted items are kept and retried, in order, until they are written.
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

    private record Pending<I, R>(I item, CompletableFuture<R> result) {}

    private final LinkedBlockingQueue<Pending<I, R>> queue = new LinkedBlockingQueue<>();
    private final Semaphore hurry = new Semaphore(0);
    private final Predicate<? super I> patient;
    private final Function<List<I>, List<R>> transaction;
    private final Thread thread;
    private volatile boolean closed;

    /**
     * @param name of the thread, for people
     * @param transaction writes all items or none, and gives a result for each, in order
     */
    public GroupCommit(String name, Function<List<I>, List<R>> transaction) {
        this(name, item -> false, transaction);
    }

    /**
     * @param name of the thread, for people
     * @param patient whether an item may wait for others to come
     * @param transaction writes all items or none, and gives a result for each, in order
     */
    public GroupCommit(String name, Predicate<? super I> patient, Function<List<I>, List<R>> transaction) {
        this.patient = patient;
        this.transaction = transaction;
        this.thread = Thread.ofVirtual().name(name).start(this::run);
    }

    /** Writes {@code item} in the next group. The future completes when it is committed, or fails when it was refused. */
    public CompletableFuture<R> submit(I item) {
        CompletableFuture<R> result = new CompletableFuture<>();
        if (closed) {
            result.completeExceptionally(new IllegalStateException("The journal is closed"));
        } else {
            queue.add(new Pending<>(item, result));
            if (!patient.test(item)) {
                hurry.release();
            }
        }
        return result;
    }

    private void run() {
        List<Pending<I, R>> group = new ArrayList<>();
        while (!closed || !queue.isEmpty()) {
            try {
                group.add(queue.take());
            } catch (InterruptedException e) {
                continue; // close() wakes the thread; what is queued is still written.
            }
            if (patient.test(group.getFirst().item())) {
                gather();
            }
            hurry.drainPermits();
            queue.drainTo(group, MAX_GROUP - 1);
            commit(group);
            group.clear();
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

    private void commit(List<Pending<I, R>> group) {
        long retryMs = FIRST_RETRY_MS;
        while (true) {
            try {
                complete(
                        group,
                        transaction.apply(group.stream().map(Pending::item).toList()));
                return;
            } catch (RuntimeException | Error e) {
                // An Error must not end the thread either: otherwise threads that wait for it would wait for ever.
                if (!SqlState.isTransient(e)) {
                    isolate(group, e);
                    return;
                }
                if (closed) {
                    group.forEach(pending -> pending.result().completeExceptionally(e));
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

    /** One refused item must not take its group down: each is written alone. */
    private void isolate(List<Pending<I, R>> group, Throwable error) {
        if (group.size() == 1) {
            group.getFirst().result().completeExceptionally(error);
            return;
        }
        group.forEach(pending -> commit(List.of(pending)));
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
        List<Pending<I, R>> late = new ArrayList<>();
        queue.drainTo(late);
        late.forEach(
                pending -> pending.result().completeExceptionally(new IllegalStateException("The journal is closed")));
    }
}
