package dev.assay.activities.agent;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The progress of a running tool: nothing after its end, and no more often than a person can read it. */
final class ToolUpdates implements Consumer<String> {

    static final Duration AT_LEAST = Duration.ofMillis(200);

    private final LongSupplier nanoTime;
    private final Consumer<String> listener;
    private long nextNanos;
    private boolean ended;

    /** @param listener receives the updates that pass, one after the other */
    ToolUpdates(LongSupplier nanoTime, Consumer<String> listener) {
        this.nanoTime = nanoTime;
        this.listener = listener;
        this.nextNanos = nanoTime.getAsLong();
    }

    @Override
    public synchronized void accept(String text) {
        long now = nanoTime.getAsLong();
        if (!ended && now - nextNanos >= 0) {
            nextNanos = now + AT_LEAST.toNanos();
            listener.accept(text);
        }
    }

    /** Ends the updates: the tool has ended, or the loop no longer waits for it. */
    synchronized void end() {
        ended = true;
    }
}
