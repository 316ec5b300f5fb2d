package dev.assay.workflows.slice;

import java.util.List;

/**
 * Notices a slice that stands still: its batches finish no cell, and leave cells open that wait for nothing. Then one batch at a time
 * is tried, ever later. After a few tries the slice ends, and the campaign tells from all its slices whether it makes progress.
 *
 * <p>A cell that waits for the time of a retry, a permit or another worker is no such cell, however often it comes back. It has no
 * clock: callers pass the time.
 */
final class Standstill {

    /** The first of them is a whole window of batches; an event of the moment may have hit all of these. */
    static final int MOST_TRIES = 4;

    /** Doubled after each try. All waits together are longer than the 5 s between two renewals of a worker's lease. */
    static final long FIRST_WAIT_MS = 1_000;

    private final boolean looks;
    private boolean fruitless;
    private int tries;
    private long nextTryMs;

    /** @param looks whether the slice ends by it; else nothing is ever noticed */
    Standstill(boolean looks) {
        this.looks = looks;
    }

    /** Notes the results of activities that ran side by side. */
    void note(List<BatchResult> results) {
        if (results.stream().anyMatch(result -> result.ranCells() || result.waits())) {
            moved();
        } else if (results.stream().anyMatch(result -> !result.open().isEmpty())) {
            fruitless = looks;
        }
    }

    /** Notes that something was achieved. */
    void moved() {
        fruitless = false;
        tries = 0;
    }

    /** Notes that nothing is under way at {@code nowMs}. */
    void settled(long nowMs) {
        if (fruitless) {
            nextTryMs = nowMs + (FIRST_WAIT_MS << tries);
            tries++;
            fruitless = false;
        }
    }

    /** Whether batches are tried one at a time. */
    boolean isSuspected() {
        return fruitless || tries > 0;
    }

    /** The time before which the next try is too early, once nothing is under way. */
    long nextTryMs() {
        return nextTryMs;
    }

    /** Whether the slice should end. */
    boolean isReached() {
        return tries >= MOST_TRIES;
    }
}
