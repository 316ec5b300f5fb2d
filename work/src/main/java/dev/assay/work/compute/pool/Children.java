package dev.assay.work.compute.pool;

import dev.assay.work.compute.process.Build;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compute processes of a pool. Beside those that compute for long, one is warm: what is killed is replaced at once. Where none
 * starts, the pool is down, tries again and waits.
 */
final class Children implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Children.class);

    /** The number of starts without a greeting, within {@link #DOWN_WITHIN}, after which the pool is down. */
    private static final int DOWN_AFTER = 5;

    private static final Duration DOWN_WITHIN = Duration.ofSeconds(60);
    private static final Duration GREETING = Duration.ofSeconds(30);

    /** How long a task waits for a process before one more is started. In that time a new process does what came before it. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    /** How long the last process is kept for quick tasks after one. */
    private static final long RESERVED_NANOS = 1_000_000_000;

    private final ComputeSettings settings;
    private final List<Path> classPath = ComputeCommand.classPath();
    private final Function<List<Path>, List<String>> command;
    private final Duration pause;
    private final Deque<ComputeChild> idle = new ArrayDeque<>();
    private final Set<ComputeChild> all = new HashSet<>();
    private final Deque<Long> failures = new ArrayDeque<>();
    private @Nullable Path directory;

    /** Of now: archives that are exchanged later hold other classes than this process has. */
    private final String build = build(classPath);

    private int starting;
    private long lastStartNanos = System.nanoTime();
    private long lastQuickNanos = System.nanoTime() - RESERVED_NANOS;
    private boolean down;
    private boolean closed;

    /**
     * Processes of which none is started yet.
     *
     * @param pause between two starts while the pool is down
     * @param command what starts one, from the class path; asked at each start
     */
    Children(ComputeSettings settings, Duration pause, Function<List<Path>, List<String>> command) {
        this.settings = settings;
        this.pause = pause;
        this.command = command;
    }

    private static String build(List<Path> classPath) {
        try {
            return Build.of(classPath);
        } catch (IOException e) {
            throw new UncheckedIOException("The class path of compute processes cannot be read", e);
        }
    }

    /**
     * Takes a process that waits for a task, as soon as there is one.
     *
     * @param quick whether the task is likely to be quick. While such tasks come, the last process waits for them alone
     */
    synchronized ComputeChild take(boolean quick) throws InterruptedException {
        long since = System.nanoTime();
        while (!closed) {
            idle.removeIf(child -> !child.isAlive() && all.remove(child));
            if (quick) {
                lastQuickNanos = System.nanoTime();
            }
            if (!idle.isEmpty() && (quick || idle.size() > 1 || System.nanoTime() - lastQuickNanos > RESERVED_NANOS)) {
                return idle.removeFirst();
            }
            if (all.isEmpty() || System.nanoTime() - Math.max(since, lastStartNanos) > PATIENCE.toNanos()) {
                keepWarm(2);
            }
            TimeUnit.NANOSECONDS.timedWait(this, PATIENCE.toNanos());
        }
        throw new CancellationException("The pool of compute processes is closed");
    }

    /**
     * Sees to it that a process waits for tasks: one that runs may be killed, or there are more tasks than they can do. While tasks
     * are quick, one process does them all. To start a second one would cost more than they do.
     */
    synchronized void keepOneWarm() {
        keepWarm(1);
    }

    /** @param number how many shall wait for tasks, as far as the pool may have so many */
    private synchronized void keepWarm(int number) {
        if (!closed && idle.size() < number && starting == 0 && all.size() <= settings.processes()) {
            starting++;
            Thread.ofPlatform().daemon().name("compute-start").start(this::startOne);
        }
    }

    /** Takes back a process whose task has ended well. The last one is the next: it is the warmest. */
    synchronized void giveBack(ComputeChild child) {
        if (child.isBehind()) {
            idle.addLast(child);
        } else {
            idle.addFirst(child);
        }
        if (closed) {
            close();
        }
        notifyAll();
    }

    /** Forgets a process that has ended. */
    synchronized void lost(ComputeChild child) {
        all.remove(child);
        keepWarm(1);
    }

    private void startOne() {
        while (true) {
            try {
                ComputeChild child = started();
                if (child == null) {
                    return;
                }
                synchronized (this) {
                    starting--;
                    lastStartNanos = System.nanoTime();
                    down = false;
                    failures.clear();
                    giveBack(child);
                    return;
                }
            } catch (IOException | IllegalStateException e) {
                if (!goesOnAfter(e)) {
                    return;
                }
            }
        }
    }

    /** A process that has greeted; null: the pool was closed. */
    private @Nullable ComputeChild started() throws IOException {
        ComputeChild child;
        synchronized (this) {
            if (closed) {
                starting--;
                return null;
            }
            if (directory == null) {
                directory = Files.createTempDirectory("assay-compute-");
            }
            child = ComputeChild.start(command.apply(classPath), directory);
            all.add(child);
        }
        try {
            greet(child);
            return child;
        } catch (IOException e) {
            synchronized (this) {
                all.remove(child);
            }
            child.kill();
            throw new IOException(e.getMessage() + "; it wrote: " + child.errors(), e);
        }
    }

    private void greet(ComputeChild child) throws IOException {
        var late = CompletableFuture.delayedExecutor(GREETING.toSeconds(), TimeUnit.SECONDS);
        var kill = CompletableFuture.runAsync(child::kill, late);
        try {
            String said = child.greet();
            if (!said.equals(build)) {
                synchronized (this) {
                    down = true;
                }
                throw new LieException("It is of another build than this process: restart this one");
            }
        } finally {
            kill.cancel(false);
        }
    }

    private boolean goesOnAfter(Exception failure) {
        boolean pauses;
        synchronized (this) {
            long now = System.nanoTime();
            failures.addLast(now);
            while (now - failures.getFirst() > DOWN_WITHIN.toNanos()) {
                failures.removeFirst();
            }
            boolean wasDown = down;
            down |= failures.size() >= DOWN_AFTER;
            pauses = down;
            if (closed) {
                starting--;
                return false;
            }
            if (!wasDown || failures.size() <= DOWN_AFTER) {
                LOG.error("A compute process did not start: {}", failure.getMessage());
            }
        }
        return !pauses || slept();
    }

    private synchronized boolean slept() {
        try {
            long until = System.nanoTime() + pause.toNanos();
            for (long left = pause.toNanos(); left > 0 && !closed; left = until - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (closed) {
            starting--;
        }
        return !closed;
    }

    /** Whether no process starts. */
    synchronized boolean isDown() {
        return down;
    }

    /** The process ids of those that live. */
    synchronized List<Long> pids() {
        return all.stream().map(ComputeChild::pid).toList();
    }

    /** Lets all processes end that have no task, but for one process. */
    synchronized void dismissIdle() {
        while (all.size() > 1 && idle.size() > 1) {
            ComputeChild child = idle.removeLast();
            all.remove(child);
            child.dismiss();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        all.forEach(ComputeChild::kill);
        all.clear();
        idle.clear();
        notifyAll();
        if (directory != null) {
            directory.toFile().delete();
        }
    }
}
