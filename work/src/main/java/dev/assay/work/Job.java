package dev.assay.work;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** How often its caller looks at its limits. */
    private static final long LOOK_NANOS = 50_000_000;

    private final Work<T, ?> work;
    private final WorkLimits limits;
    private final CountDownLatch over = new CountDownLatch(1);
    private State state = State.WAITING;
    private @Nullable Thread thread;
    private long beganNanos;
    private long beganCpuNanos;
    private @Nullable T result;
    private @Nullable Throwable failure;

    Job(Work<T, ?> work, WorkLimits limits) {
        this.work = work;
        this.limits = limits;
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
        beganCpuNanos = THREADS.getCurrentThreadCpuTime();
        return true;
    }

    private synchronized boolean end() {
        boolean kept = state != State.LOST;
        state = State.OVER;
        thread = null;
        over.countDown();
        return kept;
    }

    /** Waits for the end of the work; the limit that it has passed, null: it ended. Both count from its beginning. */
    @Nullable
    Duration awaitWithinLimits() throws InterruptedException {
        while (!over.await(LOOK_NANOS, TimeUnit.NANOSECONDS)) {
            Duration passed = passed();
            if (passed != null) {
                return passed;
            }
        }
        return null;
    }

    private synchronized @Nullable Duration passed() {
        if (thread == null) {
            return null;
        }
        if (System.nanoTime() - beganNanos > limits.wall().toNanos()) {
            return limits.wall();
        }
        long cpu = THREADS.getThreadCpuTime(thread.threadId()) - beganCpuNanos;
        return cpu > limits.cpu().toNanos() ? limits.cpu() : null;
    }

    /** True if the work ended within {@code time} from now. */
    boolean awaitWithin(Duration time) throws InterruptedException {
        return over.await(time.toNanos(), TimeUnit.NANOSECONDS);
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
        if (thread == null) {
            return false;
        }
        state = State.LOST;
        return true;
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
