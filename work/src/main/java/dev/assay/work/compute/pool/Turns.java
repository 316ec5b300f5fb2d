package dev.assay.work.compute.pool;

import dev.assay.work.compute.LastUsed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tasks that wait for a process: a queue for each campaign. The queues are served in turn. Tasks are handed out one after the other
 * while that is enough: a warm process does quick tasks sooner than several cold ones.
 */
final class Turns {

    /** How long a task runs, or tasks wait without a break, before others are handed out beside it. */
    static final Duration ALONE = Duration.ofMillis(100);

    /** Queues whose last task is remembered. */
    private static final int REMEMBERED = 10_000;

    private final Map<String, Deque<Ticket<?>>> queues = new LinkedHashMap<>();
    private final Map<String, Boolean> quick = new LastUsed<>(REMEMBERED);
    private final Map<Ticket<?>, Hand> handed = new HashMap<>();
    private final int maxSlow;

    /** Since when tasks have waited without a break. */
    private long waitingSinceNanos;

    private boolean closed;

    /**
     * Turns of which none is taken yet.
     *
     * @param maxSlow how many slow tasks are handed out at a time
     */
    Turns(int maxSlow) {
        this.maxSlow = maxSlow;
    }

    /**
     * That a task is handed out.
     *
     * @param isSlow whether it is slow, or the last one of its queue was
     */
    private record Hand(long sinceNanos, boolean isSlow) {}

    /** Adds a task; false: there are no more turns. */
    synchronized boolean add(Ticket<?> ticket) {
        if (!closed) {
            queue(ticket).addLast(ticket);
            wake();
        }
        return !closed;
    }

    private Deque<Ticket<?>> queue(Ticket<?> ticket) {
        if (queues.isEmpty()) {
            waitingSinceNanos = System.nanoTime();
        }
        return queues.computeIfAbsent(ticket.queue(), _ -> new ArrayDeque<>());
    }

    /** Wakes nobody where the task waits for one that runs: whoever runs that one takes it next, others look soon. */
    private void wake() {
        if (mayHandOut()) {
            notifyAll();
        }
    }

    private boolean mayHandOut() {
        long before = System.nanoTime() - ALONE.toNanos();
        return waitingSinceNanos - before < 0
                || handed.values().stream().allMatch(hand -> hand.sinceNanos() - before < 0);
    }

    private boolean isRoomForSlow() {
        return handed.values().stream().filter(Hand::isSlow).count() < maxSlow;
    }

    /** Takes a task out; it need not be there. */
    synchronized void remove(Ticket<?> ticket) {
        Deque<Ticket<?>> queue = queues.get(ticket.queue());
        if (queue != null && queue.remove(ticket) && queue.isEmpty()) {
            queues.remove(ticket.queue());
        }
    }

    /**
     * Waits for the task whose turn it is, and hands it out, until {@link #end}.
     *
     * @return null: there are no more turns
     */
    synchronized @Nullable Ticket<?> take() throws InterruptedException {
        while (!closed) {
            Ticket<?> ticket = mayHandOut() ? next(!isRoomForSlow()) : null;
            if (ticket != null) {
                handed.put(ticket, new Hand(System.nanoTime(), !isQuick(ticket.queue())));
                return ticket;
            }
            if (handed.isEmpty()) {
                wait();
            } else {
                wait(ALONE.toMillis());
            }
        }
        return null;
    }

    private @Nullable Ticket<?> next(boolean onlyQuick) {
        Iterator<Map.Entry<String, Deque<Ticket<?>>>> each = queues.entrySet().iterator();
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
        return null;
    }

    /** Notes that a task which was handed out is slow. False: there is no room for one more, quick ones would wait behind it. */
    synchronized boolean mayBeSlow(Ticket<?> ticket) {
        Hand hand = handed.get(ticket);
        if (hand == null || hand.isSlow()) {
            return true;
        }
        if (!isRoomForSlow()) {
            return false;
        }
        handed.put(ticket, new Hand(hand.sinceNanos(), true));
        return true;
    }

    /**
     * Notes that a task which was handed out runs no more. What is left of it comes before all others of its queue.
     *
     * @return false: something is left, and there are no more turns
     */
    synchronized boolean end(Ticket<?> ticket) {
        handed.remove(ticket);
        if (ticket.isOver()) {
            return true;
        }
        if (!closed) {
            queue(ticket).addFirst(ticket);
            wake();
        }
        return !closed;
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
