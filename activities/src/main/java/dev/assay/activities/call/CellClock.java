package dev.assay.activities.call;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The time of one cell. It stands still while the cell waits for a permit, for the ledger or for the budget. So a cell's timeout
 * bounds the time of the model, not the waiting in a busy campaign. Used by the cell's own thread only.
 */
final class CellClock implements LongSupplier {

    private final long started = System.nanoTime();
    private long waitedNanos;

    /** A wait that does not count. */
    @FunctionalInterface
    interface Wait<T> {
        T get() throws InterruptedException;
    }

    /** Nanoseconds since the cell began, without its waits. */
    @Override
    public long getAsLong() {
        return System.nanoTime() - started - waitedNanos;
    }

    Duration elapsed() {
        return Duration.ofNanos(getAsLong());
    }

    /** Stands still during {@code wait}. */
    <T> T standStill(Wait<T> wait) throws InterruptedException {
        long before = System.nanoTime();
        try {
            return wait.get();
        } finally {
            waitedNanos += System.nanoTime() - before;
        }
    }
}
