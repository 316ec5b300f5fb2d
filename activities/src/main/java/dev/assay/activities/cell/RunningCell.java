package dev.assay.activities.cell;

import dev.assay.domain.limit.ModelPool;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A cell that this worker runs now, and the means to stop it. */
public final class RunningCell {

    /** The progress of a cell. */
    public enum Phase {
        /** It waits for a permit; it has cost nothing yet. */
        WAITING,
        /** A request may be in flight. */
        CALLING,
        /** The paid answer is being recorded, which nothing interrupts. */
        RECORDING
    }

    private final CellKey key;
    private final int epoch;
    private Phase phase = Phase.WAITING;
    private @Nullable StopReason stopped;
    private @Nullable Thread thread;
    private @Nullable String provider;
    private @Nullable ModelPool pool;
    private boolean waitsForBudget;
    private boolean begun;
    private final Set<String> refusedKeys = new TreeSet<>();
    /** Why it is to stop once it has recorded; null: it is not. */
    private @Nullable StopReason pending;

    /** Whether the request in flight is the last one that this worker sends for it. */
    private boolean lastCall;

    RunningCell(CellKey key, int epoch) {
        this.key = key;
        this.epoch = epoch;
    }

    /** A cell that is out with its provider: no thread of this worker runs it, and nothing here stops it. */
    public static RunningCell out(CellKey key, int epoch) {
        return new RunningCell(key, epoch);
    }

    public CellKey key() {
        return key;
    }

    /** The claim of the worker that runs it. */
    public CellClaim claim(String workerId) {
        return new CellClaim(key, epoch, workerId);
    }

    /** The campaign's epoch in which it was claimed. */
    public int epoch() {
        return epoch;
    }

    public synchronized Phase phase() {
        return phase;
    }

    /** The reason why it was stopped; null while it was not. */
    public synchronized @Nullable StopReason stopped() {
        return stopped;
    }

    /** Called by the cell's own thread when it begins. */
    synchronized void begin() throws InterruptedException {
        thread = Thread.currentThread();
        if (stopped != null) {
            throw new InterruptedException("Stopped before it began");
        }
    }

    /** Whether it is or may be on record that the cell has begun. From then on the cell may be what kills this worker. */
    public synchronized boolean hasBegun() {
        return begun;
    }

    /** Called by the cell's own thread when that is or may be on record. */
    public synchronized void begun() {
        begun = true;
    }

    /** Called by the cell's own thread when it knows whom it asks. */
    public synchronized void asks(ModelPool asked) {
        pool = asked;
    }

    /** Whom it asks; null until it knows. */
    public synchronized @Nullable ModelPool pool() {
        return pool;
    }

    /** Called by the cell's own thread before it waits for a place among the calls to a provider. */
    public synchronized void permitAwaited(String asked) {
        provider = asked;
    }

    /** The provider that it asks; null until it waits for its permit. */
    public synchronized @Nullable String provider() {
        return provider;
    }

    /** Called by the cell's own thread when the budget does not cover its request for now, and when that is over. */
    public synchronized void waitForBudget(boolean waits) {
        waitsForBudget = waits;
    }

    synchronized boolean waitsForBudget() {
        return waitsForBudget;
    }

    /** Called by the cell's own thread when it may send requests. */
    public synchronized void callBegins() throws InterruptedException {
        if (stopped != null || lastCall) {
            throw new InterruptedException("Stopped while it waited");
        }
        phase = Phase.CALLING;
    }

    /** Called by the cell's own thread before it records; from here on it is not interrupted. */
    public synchronized void recordBegins() {
        phase = Phase.RECORDING;
        // An interrupt that came too late must not hit the database driver.
        Thread.interrupted();
    }

    /** Called by the cell's own thread when its request was refused for its key. */
    public synchronized void refusedBy(String keyName) {
        refusedKeys.add(keyName);
    }

    /** Names of the keys that refused it since it was claimed. */
    public synchronized Set<String> refusedKeys() {
        return Set.copyOf(refusedKeys);
    }

    /**
     * Called by the cell's own thread when the attempt that it recorded counts for nothing, and it is asked again at once.
     *
     * @throws InterruptedException when it was to stop meanwhile
     */
    public synchronized void asksAgain() throws InterruptedException {
        begun = false;
        phase = Phase.WAITING;
        if (pending != null || lastCall) {
            stopped = pending == null ? StopReason.SHUTDOWN : pending;
            throw new InterruptedException("Stopped while it recorded");
        }
    }

    /**
     * Lets the cell send no further request. One that is in flight goes on, so that its cost is not paid in vain. A cell that waits
     * for its first request is stopped.
     */
    public synchronized void stopBeforeNextCall(StopReason reason) {
        if (phase == Phase.WAITING) {
            stop(reason);
        } else {
            lastCall = true;
        }
    }

    /** Stops the cell if it still waits for its first permit. */
    public synchronized void stopIfWaiting(StopReason reason) {
        if (phase == Phase.WAITING) {
            stop(reason);
        }
    }

    /** Interrupts the cell, unless it records already or was stopped before. */
    public synchronized void stop(StopReason reason) {
        if (stopped == null && phase == Phase.RECORDING) {
            pending = reason;
        }
        if (stopped != null || phase == Phase.RECORDING) {
            return;
        }
        stopped = reason;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
