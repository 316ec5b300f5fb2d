package dev.assay.web.connection;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.web.connection.MemoryAccount.Share;
import io.micronaut.http.HttpRequest;
import java.util.function.Supplier;

/**
 * The memory that the body of one request takes while it arrives and is read. It is given back when the answer was written or the
 * client left. It is not given back before the reading has ended: a client that leaves does not end it.
 */
public final class BodyPlace {

    /** Bytes of heap for a byte of body: as it came, as characters, as text, and in what is read from it. */
    private static final long BYTES_A_BYTE = 4;

    /** Bytes of heap for a value or a name in the tree of a document. */
    private static final long BYTES_A_NODE = 96;

    private final MemoryAccount memory;
    private Share share;
    private long body;
    private long held;
    private boolean reading;
    private boolean over;

    BodyPlace(MemoryAccount memory) {
        this.memory = memory;
        this.share = memory.shareOf(0);
    }

    private static BodyPlace of(HttpRequest<?> request) {
        PlacedRequest placed = PlacedRequest.of(request);
        return placed == null
                ? new BodyPlace(MemoryAccount.UNBOUNDED)
                : placed.places().body();
    }

    /**
     * Reads the body of {@code request}; its memory stays taken until the reading has ended, even if the client leaves.
     *
     * @param reading reads the body, and keeps nothing of it
     * @throws AssayException SERVER_BUSY when the client has left already
     */
    public static <T> T whileReading(HttpRequest<?> request, Supplier<T> reading) {
        BodyPlace place = of(request);
        place.begin();
        try {
            return reading.get();
        } finally {
            place.end();
        }
    }

    /**
     * Takes the memory for {@code nodes} more values and names of the document that {@code request} brings.
     *
     * @throws AssayException SERVER_BUSY when others take it now; BODY_TOO_LARGE when the heap is too small for it
     */
    public static void takeNodes(HttpRequest<?> request, long nodes) {
        of(request).grow(nodes * BYTES_A_NODE);
    }

    /**
     * Takes the memory for a body of {@code bytes} in all.
     *
     * @throws AssayException as {@link #takeNodes}
     */
    synchronized void takeBody(long bytes) {
        if (bytes > body) {
            move(memory.shareOf(bytes));
            grow((bytes - body) * BYTES_A_BYTE);
            body = bytes;
        }
    }

    /**
     * As {@link #takeBody}, for {@code next} bytes, when {@code arrived} bytes are more than what was taken.
     *
     * @throws AssayException as {@link #takeNodes}
     */
    synchronized void takeArriving(long arrived, long next) {
        if (arrived > body) {
            takeBody(next);
        }
    }

    private void move(Share to) {
        if (to == share) {
            return;
        }
        Share from = share;
        long moved = held;
        held = 0;
        share = to;
        from.give(moved);
        grow(moved);
    }

    private synchronized void grow(long bytes) {
        if (over && !reading) {
            return;
        }
        if (!share.couldTake(held + bytes)) {
            throw new AssayException(
                    ErrorCode.BODY_TOO_LARGE,
                    "The body, or what is read from it, needs more memory than the server has for one:"
                            + " send a smaller document, or give the server a larger heap (-Xmx)");
        }
        if (!share.take(bytes)) {
            throw new AssayException(
                    ErrorCode.SERVER_BUSY,
                    "The server is reading as many bodies as its memory takes: send this one again in a second");
        }
        held += bytes;
    }

    private synchronized void begin() {
        if (over) {
            throw new AssayException(ErrorCode.SERVER_BUSY, "The client left before its body was read");
        }
        reading = true;
    }

    /** The body itself may be held until the answer is written. */
    private synchronized void end() {
        reading = false;
        keep(over ? 0 : Math.min(body, held));
    }

    /** The answer is written, or the client has left. */
    synchronized void leave() {
        over = true;
        if (!reading) {
            keep(0);
        }
    }

    private synchronized void keep(long bytes) {
        share.give(held - bytes);
        held = bytes;
    }
}
