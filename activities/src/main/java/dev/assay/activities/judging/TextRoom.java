package dev.assay.activities.judging;

import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The room for the answers that are graded and judged at once, over all batches of this worker. Those who ask first get it first, so a
 * batch of long answers does not wait for ever behind short ones.
 */
@Singleton
public final class TextRoom {

    /** How long a wait is silent. */
    private static final long SILENCE_NANOS = 1_000_000_000;

    /** The turns of those who wait, in order. */
    private final Deque<Long> waiting = new ArrayDeque<>();

    private final long most;
    private final long together;
    private long turns;
    private long free;

    /**
     * Room of which nothing is taken.
     *
     * @param most bytes of all texts that are read at once. One trial may have more
     */
    TextRoom(@Value("${assay.judging.texts-bytes:67108864}") long most) {
        this.most = most;
        // Several batches go on beside each other.
        this.together = most / 4;
        this.free = most;
    }

    /** Trials that are read together. */
    public record Part(List<Integer> ordinals, long bytes) {}

    /** Room that is taken; to be closed when nobody needs the texts any more. */
    public interface Stay extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * The parts in which trials are read, in order. Each has at least one trial, and at most a quarter of the room if it has more.
     *
     * @param bytes of the texts of each trial; those that have none may be missing
     */
    public List<Part> parts(Collection<Integer> ordinals, Map<Integer, Long> bytes) {
        List<Part> parts = new ArrayList<>();
        List<Integer> part = new ArrayList<>();
        long sum = 0;
        for (int ordinal : ordinals) {
            long next = bytes.getOrDefault(ordinal, 0L);
            if (!part.isEmpty() && sum + next > together) {
                parts.add(new Part(part, sum));
                part = new ArrayList<>();
                sum = 0;
            }
            part.add(ordinal);
            sum += next;
        }
        if (!part.isEmpty()) {
            parts.add(new Part(part, sum));
        }
        return parts;
    }

    /**
     * Waits for room.
     *
     * @param bytes as much as it is; of more than there is, all is taken
     * @param silence called once a second meanwhile; what it throws ends the wait
     * @return null: this thread was interrupted
     */
    public @Nullable Stay enter(long bytes, Runnable silence) {
        long taken = Math.min(bytes, most);
        Long turn = lineUp();
        try {
            while (!takes(turn, taken)) {
                // Without the lock: Temporal may be slow, and others leave meanwhile.
                silence.run();
            }
            return () -> leave(taken);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            leaveLine(turn);
        }
    }

    private synchronized Long lineUp() {
        Long turn = turns++;
        waiting.addLast(turn);
        return turn;
    }

    private synchronized void leaveLine(Long turn) {
        waiting.remove(turn);
        notifyAll();
    }

    private synchronized boolean takes(Long turn, long taken) throws InterruptedException {
        long until = System.nanoTime() + SILENCE_NANOS;
        while (!isNext(turn, taken)) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        free -= taken;
        return true;
    }

    private boolean isNext(Long turn, long taken) {
        return turn.equals(waiting.peekFirst()) && taken <= free;
    }

    private synchronized void leave(long taken) {
        free += taken;
        notifyAll();
    }
}
