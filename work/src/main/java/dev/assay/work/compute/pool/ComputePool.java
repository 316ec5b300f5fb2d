package dev.assay.work.compute.pool;

import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import dev.assay.work.compute.pool.TaskRun.End;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of compute processes. What is untrusted is computed there, and the operating system ends what takes too long or too much.
 * Decision 0051 says why. Nothing is started before the first task.
 */
public final class ComputePool implements Computing, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ComputePool.class);
    private static final long TICK_MILLIS = 100;
    private static final Duration SLOW = Duration.ofMillis(500);
    private static final Duration STEADY = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final ComputeSettings settings;
    private final Children children;
    private final Turns turns;
    private final Strikes strikes = new Strikes();
    private final Set<TaskRun> running = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new ArrayList<>();
    private volatile long lastTaskNanos = System.nanoTime();
    /** When the watch saw the first task since processes were dismissed; null: none yet. */
    private @Nullable Long firstTaskNanos;

    private boolean closed;

    public ComputePool(ComputeSettings settings) {
        this(settings, PAUSE, classPath -> ComputeCommand.of(settings, classPath));
    }

    /**
     * A pool of other processes.
     *
     * @param pause between two starts while none succeeds
     * @param command what starts one, from the class path
     */
    ComputePool(ComputeSettings settings, Duration pause, Function<List<Path>, List<String>> command) {
        this.settings = settings;
        this.turns = new Turns(settings.processes());
        this.children = new Children(settings, pause, command);
    }

    @Override
    public <R> List<Computed<R>> run(String queue, Task<R> task) throws InterruptedException {
        Ticket<R> ticket = queued(queue, task);
        try {
            return ticket.await();
        } catch (InterruptedException e) {
            ticket.giveUp();
            turns.remove(ticket);
            throw e;
        }
    }

    @Override
    public <R> List<Computed<R>> runToEnd(String queue, Task<R> task) {
        Ticket<R> ticket = queued(queue, task);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return ticket.await();
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <R> Ticket<R> queued(String queue, Task<R> task) {
        startThreads();
        Ticket<R> ticket = new Ticket<>(queue, task);
        if (!turns.add(ticket)) {
            throw new CancellationException("The pool of compute processes is closed");
        }
        return ticket;
    }

    private synchronized void startThreads() {
        if (!threads.isEmpty() || closed) {
            return;
        }
        for (int i = 0; i <= settings.processes(); i++) {
            threads.add(Thread.ofPlatform().daemon().name("compute-" + i).unstarted(this::serve));
        }
        threads.add(Thread.ofPlatform().daemon().name("compute-watch").unstarted(this::watch));
        threads.forEach(Thread::start);
    }

    private void serve() {
        try {
            for (Ticket<?> ticket = turns.take(); ticket != null; ticket = turns.take()) {
                try {
                    attend(ticket);
                } finally {
                    if (!turns.end(ticket)) {
                        ticket.close();
                    }
                }
            }
        } catch (InterruptedException | CancellationException _) {
            // The pool was closed.
            Thread.currentThread().interrupt();
        }
    }

    private void attend(Ticket<?> ticket) throws InterruptedException {
        skipStruck(ticket);
        if (ticket.isOver()) {
            return;
        }
        ComputeChild child;
        try {
            child = children.take(turns.isQuick(ticket.queue()));
        } catch (InterruptedException | CancellationException e) {
            ticket.close();
            throw e;
        }
        TaskRun run = new TaskRun(child, ticket, end(ticket), settings, () -> turns.mayBeSlow(ticket));
        if (!ticket.begin(run)) {
            children.giveBack(child);
            return;
        }
        running.add(run);
        End end;
        try {
            end = run.talk();
        } catch (RuntimeException | Error e) {
            LOG.error("A task could not be handed to a compute process", e);
            child.kill();
            end = new End.Stopped(new Stop.Failed(e.getClass().getSimpleName()));
        } finally {
            running.remove(run);
            ticket.end();
        }
        lastTaskNanos = System.nanoTime();
        turns.ran(ticket.queue(), end instanceof End.Well && run.isQuick());
        settle(ticket, child, end);
    }

    private void settle(Ticket<?> ticket, ComputeChild child, End end) {
        switch (end) {
            case End.Well() -> children.giveBack(child);
            case End.Slow(), End.Again() -> children.lost(child);
            case End.Stopped(Stop stop) -> {
                children.lost(child);
                stop(ticket, stop);
            }
            case End.Died(Stop ifAgain) -> {
                children.lost(child);
                if (!ticket.isOver() && !ticket.diesFirst()) {
                    stop(ticket, ifAgain);
                }
            }
        }
    }

    private void stop(Ticket<?> ticket, Stop stop) {
        if (ticket.isOver()) {
            return;
        }
        if (stop.isStrike()) {
            strikes.add(ticket.queue(), ticket.definitions().get(ticket.next()).hash());
        }
        ticket.stopped(stop);
    }

    private void skipStruck(Ticket<?> ticket) {
        while (!ticket.isOver() && isOut(ticket, ticket.next())) {
            ticket.stopped(new Stop.Struck(Strikes.OUT));
        }
    }

    private boolean isOut(Ticket<?> ticket, int item) {
        return strikes.isOut(ticket.queue(), ticket.definitions().get(item).hash());
    }

    /** The first definition behind the next one that is not run. */
    private int end(Ticket<?> ticket) {
        int end = ticket.next() + 1;
        while (end < ticket.definitions().size() && !isOut(ticket, end)) {
            end++;
        }
        return end;
    }

    private static void look(TaskRun run) {
        try {
            run.look();
        } catch (RuntimeException e) {
            // The others are still to be watched.
            LOG.error("A compute process could not be looked at", e);
        }
    }

    /** Whether a process may be killed soon, or those that compute are not enough, or there is work for long. */
    private boolean needsMore() {
        if (firstTaskNanos == null && !running.isEmpty()) {
            firstTaskNanos = System.nanoTime();
        }
        return running.stream().anyMatch(run -> run.isOlderThan(SLOW))
                || turns.isWaitingFor(Children.PATIENCE)
                || (firstTaskNanos != null && System.nanoTime() - firstTaskNanos > STEADY.toNanos());
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(TICK_MILLIS);
                running.forEach(ComputePool::look);
                if (running.isEmpty()
                        && System.nanoTime() - lastTaskNanos > settings.idle().toNanos()) {
                    children.dismissIdle();
                    firstTaskNanos = null;
                } else if (needsMore()) {
                    children.keepOneWarm();
                }
            }
        } catch (InterruptedException _) {
            // The pool was closed.
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isDown() {
        return children.isDown();
    }

    /** The process ids of the processes that live. */
    public List<Long> processes() {
        return children.pids();
    }

    /** The number of tasks that wait. */
    int waiting() {
        return turns.waiting();
    }

    /** Kills all processes. Whoever waits for a task is told by a {@link CancellationException}. */
    @Override
    public synchronized void close() {
        closed = true;
        turns.close();
        threads.forEach(Thread::interrupt);
        children.close();
    }
}
