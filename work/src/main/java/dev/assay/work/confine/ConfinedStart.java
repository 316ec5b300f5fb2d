package dev.assay.work.confine;

import dev.assay.work.child.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The start of a process on a thread that is restricted and ends. No thread of this process may stay behind in the walls. What runs
 * in them could send it a signal, which is one for the whole process.
 */
public final class ConfinedStart {

    private static final int TRIES = 5;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(100);
    private static final File TASKS = new File("/proc/self/task");
    private static final Path SELF = Path.of("/proc/thread-self");

    /** Held while a process is started: an idle reaper is for one. */
    private static final ReentrantLock ONE = new ReentrantLock();

    /** Reapers that a thread made which had become another user. They are that user, as long as they live. */
    private static final Map<Thread, OtherUser> STRAYS = new ConcurrentHashMap<>();

    /** Whether a start has loaded all classes that it needs: a restricted thread might not read them. */
    private static volatile boolean warm;

    private ConfinedStart() {}

    /**
     * A start on a restricted thread.
     *
     * @param starter the thread, as the system names it
     * @param made the reapers that it may have made
     */
    private record Started(Process process, String starter, Set<Thread> made) {}

    /**
     * Starts {@code builder}. When this returns, the thread that started it has ended. Until then nothing that is not trusted may run
     * in the process: it should wait for a word.
     *
     * @param walls what restricts the process; none: it is started as usual
     * @throws IOException when the system starts no process, or not in these walls
     * @throws InterruptedException when the caller was interrupted; no process is left
     */
    public static Process start(List<? extends Restriction> walls, ProcessBuilder builder)
            throws IOException, InterruptedException {
        if (walls.isEmpty()) {
            return builder.start();
        }
        warmUp();
        OtherUser user = user(walls);
        for (int left = TRIES; left > 0 && (user == null || !isLeftBehind(user)); left--) {
            AtomicReference<@Nullable Process> process = new AtomicReference<>();
            try {
                Started started = once(walls, user, builder, process);
                if (leftNoThread(started)) {
                    return started.process();
                }
                started.process().destroyForcibly();
            } catch (IOException | InterruptedException e) {
                Process orphan = process.get();
                if (orphan != null) {
                    orphan.destroyForcibly();
                }
                throw e;
            }
        }
        throw new IOException("A thread that waits for the program could not be kept out of its walls; try again");
    }

    /**
     * Starts a process of ours without walls. It takes no reaper away that a restricted start counts on.
     *
     * @throws IOException when the system starts no process
     */
    public static Process startFree(ProcessBuilder builder) throws IOException {
        ONE.lock();
        try {
            return builder.start();
        } finally {
            ONE.unlock();
        }
    }

    private static void warmUp() throws IOException, InterruptedException {
        if (!warm) {
            ProcessBuilder nothing = ChildProcess.seeingOnly(List.of("/bin/sh", "-c", "read -r word"));
            Started started = once(List.of(), null, nothing, new AtomicReference<>());
            started.process().destroyForcibly();
            var _ = leftNoThread(started);
            warm = true;
        }
    }

    /** Whether a thread of this process has stayed {@code user}: then nothing else may be. */
    public static boolean isLeftBehind(OtherUser user) {
        STRAYS.keySet().removeIf(thread -> !thread.isAlive());
        return STRAYS.containsValue(user);
    }

    private static @Nullable OtherUser user(List<? extends Restriction> walls) {
        for (Restriction wall : walls) {
            if (wall instanceof OtherUser user) {
                return user;
            }
        }
        return null;
    }

    private static Started once(
            List<? extends Restriction> walls,
            @Nullable OtherUser user,
            ProcessBuilder builder,
            AtomicReference<@Nullable Process> process)
            throws IOException, InterruptedException {
        try {
            return ConfinedThread.callWith("start", walls, () -> startHere(user, builder, process));
        } catch (ExecutionException e) {
            // A class that the restricted thread could not load is no reason to end this process.
            if (e.getCause() instanceof Error error && !(error instanceof LinkageError)) {
                throw error;
            }
            throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
        }
    }

    /** On the restricted thread. */
    private static Started startHere(
            @Nullable OtherUser user, ProcessBuilder builder, AtomicReference<@Nullable Process> kept)
            throws IOException {
        ONE.lock();
        try {
            Reapers.awaitIdle();
            Set<Thread> before = Reapers.all();
            Process process = builder.start();
            kept.set(process);
            String starter = Files.readSymbolicLink(SELF).getFileName().toString();
            Set<Thread> made = Reapers.madeFor(process, before);
            if (user != null) {
                for (Thread reaper : made) {
                    STRAYS.put(reaper, user);
                }
            }
            return new Started(process, starter, made);
        } finally {
            ONE.unlock();
        }
    }

    /** Whether no thread of this process is in the walls; waits until the starting one has gone. */
    private static boolean leftNoThread(Started started) {
        long deadline = System.nanoTime() + PATIENCE;
        while (new File(TASKS, started.starter()).exists()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(PAUSE);
        }
        return started.made().isEmpty();
    }
}
