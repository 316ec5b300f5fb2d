package dev.assay.activities.selection;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Bounds the threads on which custom strategies run: how many compute at once, and how many exist, those that wait for a model
 * included. An abandoned thread keeps its place until it ends: nothing in Java can end it.
 */
final class StrategyPlaces {

    /** Threads that compute at once. */
    static final int COMPUTING = 8;

    /** Threads at once, each with a trial's transcripts. */
    static final int THREADS = 128;

    /** The time after which abandoned threads count as lost, in nanoseconds. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LOOK_MS = 100;

    private int threads;
    private int computing;
    private int abandoned;

    /** Waits for a place of a thread that is to begin; false: it was stopped, or all places are lost. */
    synchronized boolean begin(BooleanSupplier stopped) throws InterruptedException {
        if (!take(stopped, THREADS)) {
            return false;
        }
        threads++;
        return true;
    }

    /** Waits for a place of a thread that goes on after a {@link #pause}; false: it was stopped, or all places are lost. */
    synchronized boolean resume(BooleanSupplier stopped) throws InterruptedException {
        return take(stopped, Integer.MAX_VALUE);
    }

    private boolean take(BooleanSupplier stopped, int mostThreads) throws InterruptedException {
        long began = System.nanoTime();
        while (computing >= COMPUTING || threads >= mostThreads) {
            boolean lost = abandoned >= COMPUTING && System.nanoTime() - began > GRACE_NANOS;
            if (lost || stopped.getAsBoolean()) {
                return false;
            }
            wait(LOOK_MS);
        }
        computing++;
        return true;
    }

    /** A thread waits for a model. */
    synchronized void pause() {
        computing--;
        notifyAll();
    }

    /** Frees the place of a thread that has ended. */
    synchronized void end() {
        computing--;
        threads--;
        notifyAll();
    }

    /**
     * Abandons {@code thread}: interrupts it, and keeps its place until it ends.
     *
     * @param paused whether it waited for a model
     */
    synchronized void abandon(Thread thread, boolean paused) {
        computing += paused ? 1 : 0;
        abandoned++;
        thread.interrupt();
        Thread.ofVirtual().name("strategy-watch").start(() -> watch(thread));
    }

    private void watch(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            // This thread is never interrupted.
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            abandoned--;
            end();
        }
    }

    /** The number of abandoned threads that still run. */
    synchronized int abandoned() {
        return abandoned;
    }
}
