package dev.assay.domain.limit.outage;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The watch of one worker on a pool: how its calls there end. For one thread at a time.
 *
 * <p>A cell whose signal was followed by an answer to another is the fault itself, not the provider. Its later signals do not
 * count, so that ten cells which always fail are no outage once they are the last.
 */
public final class PoolWatch {

    /** Cells of which more is kept than their number. What is beyond that counts as any other. */
    private static final int MOST_CELLS = 10_000;

    private final Set<String> cellsOfRun = new LinkedHashSet<>();
    private final Set<String> faulty = new LinkedHashSet<>();
    private SignalRun run = SignalRun.NONE;
    private int signalsInRow;
    private @Nullable Instant runSince;
    private @Nullable Instant lastAnswer;
    private @Nullable Instant lastSignal;

    /** A call of {@code cell} had an answer: a success, or a refusal that is no signal. The host is there. */
    public void answered(String cell, Instant now) {
        cellsOfRun.forEach(this::markFaulty);
        faulty.remove(cell);
        endRun();
        lastAnswer = now;
    }

    /**
     * A call of {@code cell} ended in a signal.
     *
     * @param inFlight calls of this worker in flight in the pool, this one included
     */
    public void failed(String cell, OutageSignal signal, int inFlight, Instant now) {
        signalsInRow++;
        if (faulty.contains(cell)) {
            return;
        }
        lastSignal = now;
        runSince = runSince == null ? now : runSince;
        run = run.with(cell, signal, inFlight);
        if (cellsOfRun.size() < MOST_CELLS) {
            cellsOfRun.add(cell);
        }
    }

    /** The pool is down: what was seen before says nothing of its cells. */
    public void wentDown() {
        endRun();
    }

    private void endRun() {
        cellsOfRun.clear();
        run = SignalRun.NONE;
        runSince = null;
        signalsInRow = 0;
    }

    /** Marks a cell whose signals do not count, as another worker saw. */
    public void markFaulty(String cell) {
        if (faulty.size() < MOST_CELLS) {
            faulty.add(cell);
        }
    }

    /** Whether signals of {@code cell} do not count. Such a cell does not probe. */
    public boolean isFaulty(String cell) {
        return faulty.contains(cell);
    }

    /** {@code cell} has ended. */
    public void forget(String cell) {
        faulty.remove(cell);
    }

    /** Whether the worker sends nothing until its next exchange: its last ends were all signals. */
    public boolean holdsBack() {
        return signalsInRow >= SignalRun.FEWEST;
    }

    /**
     * What it tells the others.
     *
     * @param oldestInFlight when the oldest call in flight was sent; null: none is
     */
    public WorkerSight sight(String workerId, @Nullable Instant oldestInFlight, Instant now) {
        return new WorkerSight(
                workerId,
                run.isLong() ? since(runSince, now) : null,
                since(lastAnswer, now),
                since(lastSignal, now),
                since(oldestInFlight, now));
    }

    private static @Nullable Duration since(@Nullable Instant time, Instant now) {
        return time == null ? null : Duration.between(time, now);
    }
}
