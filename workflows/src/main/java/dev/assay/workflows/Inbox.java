package dev.assay.workflows;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The unhandled messages of a workflow. Callbacks only post. An exception that one of them threw would vanish in its promise, while
 * one that is thrown in {@link #handleAll} ends the workflow and is seen.
 */
public final class Inbox {

    private final Queue<Runnable> events = new ArrayDeque<>();

    /** Keeps {@code event} until the workflow's main thread handles it. */
    public void post(Runnable event) {
        events.add(event);
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    /** Handles everything that was posted, in order, on the calling thread. */
    public void handleAll() {
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
    }
}
