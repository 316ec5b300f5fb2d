package dev.assay.web.connection;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/**
 * The share of the heap that bodies and what is read from them may take, over all requests at once. It is half of the heap for
 * large bodies. An eighth is for those of up to 1 MiB, and large ones cannot take it.
 */
@Singleton
final class BodyMemory {

    private static final int LARGE_PART = 2;
    private static final int SMALL_PART = 8;

    /** Bounds nothing: for requests that did not come over a connection. */
    static final BodyMemory UNBOUNDED = new BodyMemory(Long.MAX_VALUE);

    private final Share large;
    private final Share small;

    @Inject
    BodyMemory(ConnectionSettings settings) {
        this(settings.heap() == 0 ? Runtime.getRuntime().maxMemory() : settings.heap());
    }

    private BodyMemory(long shared) {
        large = new Share(shared / LARGE_PART);
        small = new Share(shared / SMALL_PART);
    }

    /** A place that takes nothing yet. */
    BodyPlace place() {
        return new BodyPlace(this);
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
