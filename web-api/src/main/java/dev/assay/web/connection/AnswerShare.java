package dev.assay.web.connection;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The part of the heap for answers, in KiB, given out in the order in which it is asked for. */
final class AnswerShare {

    private static final long UNIT = 1024;

    private final int capacity;
    private final Semaphore free;

    /**
     * A share of which all is free.
     *
     * @param bytes its size
     */
    AnswerShare(long bytes) {
        capacity = (int) Math.min(Integer.MAX_VALUE, bytes / UNIT);
        free = new Semaphore(capacity, true);
    }

    /** The units of {@code bytes}. */
    static long units(long bytes) {
        return Math.ceilDiv(bytes, UNIT);
    }

    /** Whether {@code units} can be taken when no other answer has any. */
    boolean couldTake(long units) {
        return units <= capacity;
    }

    /** Takes {@code units}, after those who asked before; false: they were not free within {@code patience}. */
    boolean take(int units, Duration patience) {
        try {
            return free.tryAcquire(units, patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void give(int units) {
        free.release(units);
    }

    /** What answers take now. */
    int taken() {
        return capacity - free.availablePermits();
    }
}
