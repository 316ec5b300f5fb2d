package dev.assay.web.connection;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.page.AnswerRoom;
import io.micronaut.http.HttpRequest;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The memory that the answer to one request takes. It is taken before the answer's texts are read, and given back when its last byte is
 * sent or the client has left. It is not given back before the reading has ended: a client that leaves does not end it.
 */
public final class AnswerPlace {

    /** Bytes of heap for a byte of answer: as PostgreSQL sent it, as text, and as JSON. */
    private static final long BYTES_A_BYTE = 3;

    /** The longest wait for answers that are being written; also when a client that is refused may ask again. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final AnswerShare share;
    private int held;
    private boolean reading;
    private boolean over;

    AnswerPlace(AnswerShare share) {
        this.share = share;
    }

    /**
     * Reads the answer to {@code request}.
     *
     * @param reading takes its memory before it reads texts
     * @throws AssayException SERVER_BUSY when there is no memory within 5 s, or the client has left; BODY_TOO_LARGE when the heap is too
     *     small for the answer
     */
    public static <T> T whileReading(HttpRequest<?> request, Function<AnswerRoom, T> reading) {
        PlacedRequest placed = PlacedRequest.of(request);
        if (placed == null) {
            return reading.apply(AnswerRoom.UNBOUNDED);
        }
        AnswerPlace place = placed.places().answer();
        place.begin();
        try {
            return reading.apply(place::take);
        } finally {
            place.end();
        }
    }

    /**
     * Reads the answer to {@code request}, which is one item; see {@link #whileReading}.
     *
     * @param octets says the bytes of its texts
     */
    public static <T> T ofItem(HttpRequest<?> request, LongSupplier octets, Supplier<T> reading) {
        return whileReading(request, room -> {
            room.takeItem(octets.getAsLong());
            return reading.get();
        });
    }

    private void take(long bytes) {
        long needed = AnswerShare.units(bytes * BYTES_A_BYTE);
        if (!share.couldTake(needed)) {
            throw new AssayException(
                    ErrorCode.BODY_TOO_LARGE,
                    "The answer needs more memory than the server has for one: ask with a smaller pageSize where"
                            + " there is one, or give the server a larger heap (-Xmx)");
        }
        int units = (int) needed;
        // Without the lock of this place: the event loop takes it when the client leaves.
        if (!share.take(units, PATIENCE)) {
            throw AssayException.busy(
                    "The server is writing as many answers as its memory takes: ask again in " + PATIENCE.toSeconds()
                            + " seconds",
                    PATIENCE);
        }
        hold(units);
    }

    private synchronized void hold(int units) {
        held += units;
    }

    private synchronized void begin() {
        if (over) {
            throw new AssayException(ErrorCode.SERVER_BUSY, "The client left before its answer was read");
        }
        reading = true;
    }

    private synchronized void end() {
        reading = false;
        if (over) {
            giveAll();
        }
    }

    /** The last byte of the answer is written, or the client has left. */
    synchronized void leave() {
        over = true;
        if (!reading) {
            giveAll();
        }
    }

    private void giveAll() {
        share.give(held);
        held = 0;
    }
}
