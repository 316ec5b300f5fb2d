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
 * A fixed number of daemon platform threads for work that only computes. Hostile input can take neither more of them nor a thread
 * of anything else. Work is run in the order in which it was asked for. Decision 0013 says why.
 *
 * <p>Work that passes its limit is interrupted, and its caller goes on at once. If it does not react within {@link #GRACE}, its
 * thread is lost. A lost thread is replaced, {@value #REPLACEMENTS} times in the life of the pool; after that the process should
 * end: {@code onExhausted} is called once.
 */
public final class BoundedWork implements AutoCloseable {

    /** The time for which interrupted work may go on until its thread counts as lost. */
    public static final Duration GRACE = Duration.ofSeconds(1);

    /** The number of lost threads that are replaced. */
    public static final int REPLACEMENTS = 2;

    /** Java's matcher of regular expressions recurses for each repetition of a group. */
    private static final long STACK_BYTES = 16L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(BoundedWork.class);

    private final LinkedBlockingQueue<Job<?>> queue = new LinkedBlockingQueue<>();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final String name;
    private final Runnable onExhausted;
    private volatile boolean closed;
    private int started;
    private int lost;

    /**
     * A pool with a thread for each processor, at least two.
     *
     * @param name the beginning of the threads' names
     * @param onExhausted called once, on a thread of its own, when a thread is lost that is not replaced any more
     */
    public BoundedWork(String name, Runnable onExhausted) {
        this(name, Math.max(2, Runtime.getRuntime().availableProcessors()), onExhausted);
    }

    BoundedWork(String name, int size, Runnable onExhausted) {
        this.name = name;
        this.onExhausted = onExhausted;
        for (int i = 0; i < size; i++) {
            startThread();
        }
    }

    /**
     * Runs the work on a thread of the pool and waits for it. Whatever the work throws, Errors included, is thrown here.
     *
     * @param what names the work at the beginning of a sentence, such as {@code The check `regex`}
     * @param limit how long the work may run, counted from its beginning and not from this call; positive
     * @throws WorkTimedOutException if the work took longer
     * @throws InterruptedException if the caller was interrupted, the work is given up then
     * @throws CancellationException if the pool is closed
     */
    public <T extends @Nullable Object, E extends Exception> T run(String what, Duration limit, Work<T, E> work)
            throws E, WorkTimedOutException, InterruptedException {
        if (!limit.isPositive()) {
            throw new IllegalArgumentException("Limit must be positive, was " + limit);
        }
        Job<T> job = new Job<>(work, limit);
        queue.add(job);
        if (closed) {
            refuseWaiting();
        }
        try {
            if (!job.awaitWithinLimit() && giveUp(what, job)) {
                throw new WorkTimedOutException(what, limit);
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

    private void lose(String what, Job<?> job) {
        int number;
        synchronized (this) {
            if (closed || (lost < REPLACEMENTS ? !job.lose() : !job.isRunning())) {
                return;
            }
            number = ++lost;
            if (number <= REPLACEMENTS) {
                startThread();
            }
        }
        LOG.error(
                "{} and does not end; lost threads: {}, replaced are at most {}",
                WorkTimedOutException.sentence(what, job.limit()),
                number,
                REPLACEMENTS);
        if (number == REPLACEMENTS + 1) {
            onExhausted.run();
        }
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
                Job<?> job = queue.take();
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
        threads.remove(Thread.currentThread());
    }

    /** The number of pieces of work that wait for a thread. */
    int waiting() {
        return queue.size();
    }

    /** The number of threads, lost ones included. */
    int threads() {
        return threads.size();
    }

    /** The number of threads that were lost so far. */
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
