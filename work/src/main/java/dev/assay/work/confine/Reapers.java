package dev.assay.work.confine;

import dev.assay.work.child.ChildProcess;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for processes. The JDK takes one that is idle, or lets the thread that starts a process make one. An idle one
 * is kept for restricted threads, and each start looks whether it was enough.
 */
final class Reapers {

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(100);

    /** Until another one is asked for, since the last one had work to do at once. */
    private static final int PAUSES_BETWEEN = 100;

    /** For threads that begin while others are counted. */
    private static final int ROOM = 64;

    private static final String NAME = "process reaper";

    private static final Thread MAKER =
            Thread.ofPlatform().daemon().name("reaper-maker").start(Reapers::makeWhenAsked);

    /** Whether the maker has not made the one yet that it was asked for. */
    private static volatile boolean asked;

    private Reapers() {}

    static Set<Thread> all() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        for (ThreadGroup above = all.getParent(); above != null; above = all.getParent()) {
            all = above;
        }
        Thread[] threads = new Thread[all.activeCount() + ROOM];
        int count = all.enumerate(threads);
        Set<Thread> reapers = new HashSet<>();
        for (int i = 0; i < count; i++) {
            if (threads[i].getName().startsWith(NAME)) {
                reapers.add(threads[i]);
            }
        }
        return reapers;
    }

    /**
     * The reapers that the calling thread may have made for {@code process}: the one that waits for it, unless it is one of {@code
     * before}. Of a process that has ended already, all that are new.
     */
    static Set<Thread> madeFor(Process process, Set<Thread> before) {
        String name = NAME + " (pid " + process.pid() + ")";
        long deadline = System.nanoTime() + PATIENCE;
        while (process.isAlive() && System.nanoTime() < deadline) {
            for (Thread reaper : all()) {
                if (reaper.getName().equals(name)) {
                    return before.contains(reaper) ? Set.of() : Set.of(reaper);
                }
            }
            LockSupport.parkNanos(PAUSE);
        }
        Set<Thread> fresh = all();
        fresh.removeAll(before);
        return fresh;
    }

    private static boolean hasIdle() {
        for (Thread reaper : all()) {
            if (reaper.getName().equals(NAME) && reaper.getState() == Thread.State.TIMED_WAITING) {
                return true;
            }
        }
        return false;
    }

    /**
     * Waits until one is idle. One that is made too many would look as if the calling thread had made it: they are asked for one by
     * one.
     */
    static void awaitIdle() throws IOException {
        long deadline = System.nanoTime() + PATIENCE;
        for (int pauses = 0; asked || !hasIdle(); pauses++) {
            if (System.nanoTime() > deadline) {
                throw new IOException("cannot fork: the JDK has no thread to wait for a program");
            }
            if (!asked && pauses % PAUSES_BETWEEN == 0) {
                asked = true;
                LockSupport.unpark(MAKER);
            }
            LockSupport.parkNanos(PAUSE);
        }
    }

    private static void makeWhenAsked() {
        @Nullable ProcessHandle ended = null;
        while (true) {
            LockSupport.park();
            if (asked) {
                ended = make(ended);
                asked = false;
            }
        }
    }

    /**
     * Has the JDK wait for a process that has ended, so that the one who waits is idle at once.
     *
     * @param known an ended process; null: none is known
     * @return the process for the next time; null: it is of no use
     */
    private static @Nullable ProcessHandle make(@Nullable ProcessHandle known) {
        try {
            // Another process may have got its number. To wait for that one could take forever.
            ProcessHandle ended = known == null || ProcessHandle.of(known.pid()).isPresent() ? end() : known;
            ended.onExit().get(PATIENCE, TimeUnit.NANOSECONDS);
            return ended;
        } catch (IOException | ExecutionException | TimeoutException _) {
            // Whoever waits says so in the end; the system may start processes again later.
            return null;
        } catch (OutOfMemoryError _) {
            // No thread could be started.
            return null;
        } catch (InterruptedException _) {
            // Nobody has this thread to interrupt it; the next round goes on.
            return null;
        }
    }

    private static ProcessHandle end() throws IOException, InterruptedException {
        Process process = ChildProcess.seeingOnly(List.of("/bin/sh", "-c", ":")).start();
        process.waitFor();
        return process.toHandle();
    }
}
