package dev.assay.work.compute.pool;

import dev.assay.work.compute.Computed;
import dev.assay.work.compute.NamedDefinition;
import dev.assay.work.compute.Stop;
import dev.assay.work.compute.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** A task on its way from its caller to a compute process and back. */
final class Ticket<R> {

    private final String queue;
    private final Task<R> task;
    private final List<NamedDefinition> definitions;
    private final List<Computed<R>> answers = new ArrayList<>();
    private final long madeNanos = System.nanoTime();
    private boolean died;
    private boolean singly;
    private boolean over;
    private boolean closed;
    private @Nullable TaskRun running;

    Ticket(String queue, Task<R> task) {
        this.queue = queue;
        this.task = task;
        this.definitions = task.definitions();
    }

    String queue() {
        return queue;
    }

    Task<R> task() {
        return task;
    }

    List<NamedDefinition> definitions() {
        return definitions;
    }

    /** Whether it was made longer ago. */
    boolean isOlderThan(Duration age) {
        return System.nanoTime() - madeNanos > age.toNanos();
    }

    /** The index of the definition that is next, or running. */
    synchronized int next() {
        return answers.size();
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Whether each answer is asked for at once. */
    synchronized boolean isSingly() {
        return singly;
    }

    /** Asks for each answer at once from now on. True: until now several came together, and more than one is left. */
    synchronized boolean goesOnSingly() {
        boolean changes = !singly && definitions.size() - answers.size() > 1;
        singly = true;
        return changes;
    }

    /** Hands the task to a process. False: it is not wanted any more. */
    synchronized boolean begin(TaskRun run) {
        if (!over) {
            running = run;
        }
        return !over;
    }

    synchronized void end() {
        running = null;
    }

    void done(R answer) {
        add(new Computed.Done<>(answer));
    }

    /** The definition that runs was stopped. */
    void stopped(Stop stop) {
        add(new Computed.Stopped<>(stop));
    }

    private synchronized void add(Computed<R> answer) {
        answers.add(answer);
        died = false;
        boolean ends = answer instanceof Computed.Stopped && !task.goesOn();
        if (ends || answers.size() == definitions.size()) {
            over = true;
            notifyAll();
        }
    }

    /** The process of the definition that runs has died. True: it is the first one over this definition. */
    synchronized boolean diesFirst() {
        boolean first = !died;
        died = true;
        return first;
    }

    /** Refuses the task, because the pool is closed. */
    synchronized void close() {
        closed = true;
        over = true;
        notifyAll();
    }

    /** Waits for all answers; less than all, where the task does not go on after a definition that was stopped. */
    synchronized List<Computed<R>> await() throws InterruptedException {
        while (!over) {
            wait();
        }
        if (closed) {
            throw new CancellationException("The pool of compute processes is closed");
        }
        return List.copyOf(answers);
    }

    /** Gives the task up; a process that is at it is killed soon, unless it ends. */
    synchronized void giveUp() {
        over = true;
        if (running != null) {
            running.giveUp();
        }
    }
}
