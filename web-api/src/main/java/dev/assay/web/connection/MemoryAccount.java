package dev.assay.web.connection;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/**
 * The account of the memory that requests may take, over all at once, each part by itself. Large bodies, and what is read from them,
 * have three eighths of the heap; those of up to 1 MiB an eighth; answers three eighths.
 */
@Singleton
final class MemoryAccount {

    private static final int PARTS = 8;
    private static final int LARGE = 3;
    private static final int SMALL = 1;
    private static final int ANSWERS = 3;

    /** Bounds nothing: for requests that did not come over a connection. */
    static final MemoryAccount UNBOUNDED = new MemoryAccount(Long.MAX_VALUE);

    private final Share large;
    private final Share small;
    private final AnswerShare answers;

    @Inject
    MemoryAccount(ConnectionSettings settings) {
        this(settings.heap() == 0 ? Runtime.getRuntime().maxMemory() : settings.heap());
    }

    private MemoryAccount(long shared) {
        large = new Share(shared / PARTS * LARGE);
        small = new Share(shared / PARTS * SMALL);
        answers = new AnswerShare(shared / PARTS * ANSWERS);
    }

    /** A place that takes nothing yet. */
    BodyPlace place() {
        return new BodyPlace(this);
    }

    /** The share of all answers. */
    AnswerShare answers() {
        return answers;
    }

    /** The share of a body of {@code bytes}. */
    Share shareOf(long bytes) {
        return bytes > BodyBound.SMALL ? large : small;
    }

    /** The memory that bodies take now, in bytes of the heap. */
    long taken() {
        return large.taken() + small.taken();
    }

    /** A part of the heap. */
    static final class Share {

        private final long capacity;
        private long taken;

        Share(long capacity) {
            this.capacity = capacity;
        }

        /** Whether {@code bytes} can be taken when no other request has any. */
        boolean couldTake(long bytes) {
            return bytes <= capacity;
        }

        synchronized boolean take(long bytes) {
            if (bytes > capacity - taken) {
                return false;
            }
            taken += bytes;
            return true;
        }

        synchronized void give(long bytes) {
            taken -= bytes;
        }

        synchronized long taken() {
            return taken;
        }
    }
}
