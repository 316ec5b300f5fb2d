package dev.assay.domain;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounds of what work computes, in time of a processor: a busy machine makes work take longer, and not more of that. */
public final class CpuTime {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** A thread that computes nothing for that long waits for something that does not come. */
    private static final Duration STUCK = Duration.ofMinutes(3);

    private CpuTime() {}

    /** What {@code work} takes on this thread. */
    public static Duration of(Runnable work) {
        long start = THREADS.getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - start);
    }

    /** Runs {@code work} on a thread that can be left behind, and fails as soon as it has taken more than {@code limit}. */
    public static <T> T within(Duration limit, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = Thread.ofPlatform().daemon().start(task);
        long deadline = System.nanoTime() + STUCK.toNanos();
        while (System.nanoTime() < deadline) {
            try {
                return task.get(20, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                if (THREADS.getThreadCpuTime(thread.threadId()) > limit.toNanos()) {
                    throw new AssertionError("More than " + limit + " were computed", e);
                }
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case Error error -> throw error;
                    case RuntimeException exception -> throw exception;
                    default -> throw new IllegalStateException(e.getCause());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new AssertionError("The work is stuck");
    }
}
