package dev.assay.work;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One piece of work on its way from its caller to a thread of the pool and back. */
final class Job<T extends @Nullable Object> {

    private enum State {
        WAITING,
        RUNNING,
        GIVEN_UP,
        LOST,
        OVER
    }

    private final Work<T, ?> work;
    private final long limitNanos;
    private final CountDownLatch over = new CountDownLatch(1);
    private State state = State.WAITING;
    private @Nullable Thread thread;
    private long beganNanos;
    private @Nullable T result;
    private @Nullable Throwable failure;

    Job(Work<T, ?> work, Duration limit) {
        this.work = work;
        this.limitNanos = limit.toNanos();
    }

    /** Runs the work on the current thread, unless it was given up before. False if another thread has taken this one's place. */
    boolean runHere() {
        if (!begin()) {
            return true;
        }
        try {
            result = work.run();
        } catch (Throwable thrown) {
            // Any exception belongs to the caller; the thread stays for the next job.
            failure = thrown;
        }
        return end();
    }

    private synchronized boolean begin() {
        if (state != State.WAITING) {
            return false;
        }
        state = State.RUNNING;
        thread = Thread.currentThread();
        beganNanos = System.nanoTime();
        return true;
    }

    private synchronized boolean end() {
        boolean kept = state != State.LOST;
        state = State.OVER;
        thread = null;
        over.countDown();
        return kept;
    }

    Duration limit() {
        return Duration.ofNanos(limitNanos);
    }

    /** True if the work ended within its limit, which counts from its beginning however long it waited for a thread. */
    boolean awaitWithinLimit() throws InterruptedException {
        for (long left = limitNanos; left > 0; left = leftNanos()) {
            if (over.await(left, TimeUnit.NANOSECONDS)) {
                return true;
            }
        }
        return false;
    }

    /** True if the work ended within its limit and the time after it. */
    boolean awaitWithin(Duration afterLimit) throws InterruptedException {
        return over.await(Math.max(leftNanos(), 0) + afterLimit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized long leftNanos() {
        return state == State.WAITING ? limitNanos : beganNanos + limitNanos - System.nanoTime();
    }

    /** Interrupts the work, or keeps it from beginning. True if a thread is at it. */
    synchronized boolean giveUp() {
        boolean running = state == State.RUNNING;
        if (running && thread != null) {
            thread.interrupt();
        }
        if (running || state == State.WAITING) {
            state = State.GIVEN_UP;
        }
        return running;
    }

    /** True if a thread is still at the given-up work; the thread ends once the work does. */
    synchronized boolean lose() {
        if (!isRunning()) {
            return false;
        }
        state = State.LOST;
        return true;
    }

    synchronized boolean isRunning() {
        return thread != null;
    }

    /** Ends a job that no thread will run. */
    synchronized void refuse(Throwable reason) {
        if (begin()) {
            failure = reason;
            end();
        }
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    @Nullable
    T result() {
        return result;
    }
}
