package dev.assay.work;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fixed number of daemon platform threads for reading documents. Large documents can take neither more of them nor a thread of
 * anything else. Work is run in the order in which it was asked for. Decision 0051 says why.
 *
 * <p>Work that passes a limit is interrupted, and its caller goes on at once. If it does not end within {@link #GRACE}, another thread
 * takes the place of its thread. At most twice the size of the pool do so at a time. Once the work ends, so does its thread, and the place is
 * free again.
 */
public final class BoundedWork implements AutoCloseable {

    /** The time for which interrupted work may go on until another thread takes the place of its thread. */
    public static final Duration GRACE = Duration.ofSeconds(1);

    /** Without a free thread for this long the pool is busy. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Trees of documents are as deep as their author likes. */
    private static final long STACK_BYTES = 16L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(BoundedWork.class);

    private final LinkedBlockingQueue<Job<?>> queue = new LinkedBlockingQueue<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final String name;
    private final int size;
    private final Duration patience;
    private volatile boolean closed;
    private int started;
    private int lost;
    private int free;
    private long noneFreeSinceNanos = System.nanoTime();

    /**
     * A pool with a thread for each processor, at least two.
     *
     * @param name the beginning of the threads' names
     */
    public BoundedWork(String name) {
        this(name, Math.max(2, Runtime.getRuntime().availableProcessors()), PATIENCE);
    }

    /** @param patience how long no thread may be free before the pool is busy */
    BoundedWork(String name, int size, Duration patience) {
        this.name = name;
        this.size = size;
        this.patience = patience;
        for (int i = 0; i < size; i++) {
            startThread();
        }
    }

    /**
     * Runs the work on a thread of the pool and waits for it. Whatever the work throws, Errors included, is thrown here.
     *
     * @param what names the work at the beginning of a sentence, such as {@code The check `regex`}
     * @param limits how long the work may run, counted from its beginning and not from this call
     * @throws WorkTimedOutException if the work took longer
     * @throws InterruptedException if the caller was interrupted, the work is given up then
     * @throws CancellationException if the pool is closed
     */
    public <T extends @Nullable Object, E extends Exception> T run(String what, WorkLimits limits, Work<T, E> work)
            throws E, WorkTimedOutException, InterruptedException {
        Job<T> job = new Job<>(work, limits);
        queue.add(job);
        if (closed) {
            refuseWaiting();
        }
        try {
            Duration passed = job.awaitWithinLimits();
            if (passed != null && giveUp(what, job)) {
                throw new WorkTimedOutException(what, passed);
            }
        } catch (InterruptedException e) {
            giveUp(what, job);
            throw e;
        }
        return outcome(job);
    }

    /** True if a thread was still at the work; it is watched from now on. */
    private boolean giveUp(String what, Job<?> job) {
        boolean running = job.giveUp();
        if (running) {
            Thread.ofPlatform().daemon().name(name + "-watch").start(() -> watch(what, job));
        }
        return running;
    }

    /** The work's own result or failure: work declares what it throws, so the failure is an E or unchecked. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a T that may be null is null only where the work returned null
    private static <T extends @Nullable Object, E extends Exception> T outcome(Job<T> job) throws E {
        Throwable failure = job.failure();
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (E) failure;
        }
        return job.result();
    }

    private void watch(String what, Job<?> job) {
        try {
            if (!job.awaitWithin(GRACE)) {
                lose(what, job);
            }
        } catch (InterruptedException _) {
            // Only the end of the process interrupts this thread.
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void lose(String what, Job<?> job) {
        if (closed || lost >= 2 * size || !job.lose()) {
            return;
        }
        lost++;
        startThread();
        LOG.error("{} takes too long and does not end; threads that others replace: {}", what, lost);
    }

    private synchronized void startThread() {
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name(name + "-" + ++started)
                .stackSize(STACK_BYTES)
                .unstarted(this::serve);
        threads.add(thread);
        thread.start();
    }

    private void serve() {
        boolean kept = true;
        while (kept && !closed) {
            try {
                Job<?> job = next();
                if (closed) {
                    refuse(job);
                } else {
                    kept = job.runHere();
                }
            } catch (InterruptedException _) {
                // The pool was closed, or work was given up as it ended: the loop's condition tells which.
                kept = true;
            }
        }
        ended(kept);
    }

    private Job<?> next() throws InterruptedException {
        countFree(1);
        try {
            return queue.take();
        } finally {
            countFree(-1);
        }
    }

    private synchronized void countFree(int change) {
        free += change;
        noneFreeSinceNanos = System.nanoTime();
    }

    private synchronized void ended(boolean kept) {
        threads.remove(Thread.currentThread());
        if (!kept) {
            lost--;
        }
    }

    /** Whether no thread was free for long. */
    public synchronized boolean isBusy() {
        return free == 0 && System.nanoTime() - noneFreeSinceNanos > patience.toNanos();
    }

    /** The number of pieces of work that wait for a thread. */
    int waiting() {
        return queue.size();
    }

    /** The number of threads, lost ones included. */
    int threads() {
        return threads.size();
    }

    /** The number of threads whose place others have taken. */
    synchronized int lost() {
        return lost;
    }

    /** Refuses waiting work, interrupts running work, and lets the threads end. */
    @Override
    public void close() {
        closed = true;
        refuseWaiting();
        threads.forEach(Thread::interrupt);
    }

    private void refuseWaiting() {
        for (Job<?> job = queue.poll(); job != null; job = queue.poll()) {
            refuse(job);
        }
    }

    private void refuse(Job<?> job) {
        job.refuse(new CancellationException("The pool " + name + " is closed"));
    }
}
