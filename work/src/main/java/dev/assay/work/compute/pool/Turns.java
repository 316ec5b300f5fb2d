package dev.assay.work.compute.pool;

import dev.assay.work.compute.LastUsed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tasks that wait for a process: a queue for each campaign. The queues are served in turn. */
final class Turns {

    /** Queues whose last task is remembered. */
    private static final int REMEMBERED = 10_000;

    private final Map<String, Deque<Ticket<?>>> queues = new LinkedHashMap<>();
    private final Map<String, Boolean> quick = new LastUsed<>(REMEMBERED);
    private boolean closed;

    /** Adds a task; false: there are no more turns. */
    synchronized boolean add(Ticket<?> ticket) {
        if (!closed) {
            queues.computeIfAbsent(ticket.queue(), _ -> new ArrayDeque<>()).addLast(ticket);
            notifyAll();
        }
        return !closed;
    }

    /** Adds a task that a process was at already, before all others of its queue. */
    synchronized boolean addFirst(Ticket<?> ticket) {
        if (!closed) {
            queues.computeIfAbsent(ticket.queue(), _ -> new ArrayDeque<>()).addFirst(ticket);
            notifyAll();
        }
        return !closed;
    }

    /** Takes a task out; it need not be there. */
    synchronized void remove(Ticket<?> ticket) {
        Deque<Ticket<?>> queue = queues.get(ticket.queue());
        if (queue != null && queue.remove(ticket) && queue.isEmpty()) {
            queues.remove(ticket.queue());
        }
    }

    /**
     * Waits for the task whose turn it is.
     *
     * @param onlyQuick only of queues whose last task was quick, or that had none
     * @return null: there are no more turns
     */
    synchronized @Nullable Ticket<?> take(boolean onlyQuick) throws InterruptedException {
        while (!closed) {
            Iterator<Map.Entry<String, Deque<Ticket<?>>>> each =
                    queues.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<String, Deque<Ticket<?>>> queue = each.next();
                if (!onlyQuick || isQuick(queue.getKey())) {
                    Ticket<?> ticket = queue.getValue().removeFirst();
                    each.remove();
                    if (!queue.getValue().isEmpty()) {
                        // The end of the line: every other queue comes first.
                        queues.put(queue.getKey(), queue.getValue());
                    }
                    return ticket;
                }
            }
            wait();
        }
        return null;
    }

    /** Whether the last task of a queue was quick, or there was none. */
    synchronized boolean isQuick(String queue) {
        return quick.getOrDefault(queue, true);
    }

    /** Notes how the last task of a queue went. */
    synchronized void ran(String queue, boolean wasQuick) {
        quick.put(queue, wasQuick);
    }

    /** The number of tasks that wait. */
    synchronized int waiting() {
        return queues.values().stream().mapToInt(Deque::size).sum();
    }

    /** Whether a task has waited for longer. */
    synchronized boolean isWaitingFor(Duration age) {
        return queues.values().stream().anyMatch(queue -> queue.getFirst().isOlderThan(age));
    }

    /** Refuses tasks from now on, and closes those that wait. */
    synchronized void close() {
        closed = true;
        queues.values().forEach(queue -> queue.forEach(Ticket::close));
        queues.clear();
        notifyAll();
    }
}
