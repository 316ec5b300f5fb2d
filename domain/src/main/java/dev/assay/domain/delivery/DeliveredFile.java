package dev.assay.domain.delivery;

import dev.assay.domain.provider.ProviderType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The lines of one result file, which comes in pieces. A line ends with a line feed; one that is blank is left out. No more than one
 * line is held, and of a line that is too long nothing.
 */
public final class DeliveredFile {

    /** Takes the lines of a file. An exception ends the reading. */
    @FunctionalInterface
    public interface Sink {
        void accept(DeliveredLine line);
    }

    /** Room that is kept from one line to the next; that of a rare long line is given back. */
    private static final int KEPT = 64 * 1024;

    private final ProviderType type;
    private final int maxLine;
    private final Sink sink;

    private ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean isTooLong;

    /** @param maxLine bytes of a line at most, at least 1; a longer one is unreadable */
    public DeliveredFile(ProviderType type, int maxLine, Sink sink) {
        this.type = type;
        this.maxLine = maxLine;
        this.sink = sink;
    }

    /** Takes the bytes that follow those before. */
    public void take(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            int length = untilLineFeed(bytes);
            keep(bytes, length);
            if (bytes.hasRemaining()) {
                bytes.get();
                hand();
            }
        }
    }

    private static int untilLineFeed(ByteBuffer bytes) {
        int at = bytes.position();
        while (at < bytes.limit() && bytes.get(at) != '\n') {
            at++;
        }
        return at - bytes.position();
    }

    private void keep(ByteBuffer bytes, int length) {
        if (isTooLong || line.size() + (long) length > maxLine) {
            isTooLong = true;
            empty();
            bytes.position(bytes.position() + length);
            return;
        }
        byte[] piece = new byte[length];
        bytes.get(piece);
        line.writeBytes(piece);
    }

    /**
     * Takes the end of the file.
     *
     * @param isComplete whether all of it came: only then its last line may lack a line feed
     */
    public void end(boolean isComplete) {
        if (isComplete) {
            hand();
        }
        empty();
        isTooLong = false;
    }

    private void empty() {
        if (line.size() > KEPT) {
            line = new ByteArrayOutputStream();
        } else {
            line.reset();
        }
    }

    private void hand() {
        String text = line.toString(StandardCharsets.UTF_8);
        empty();
        if (isTooLong) {
            isTooLong = false;
            sink.accept(DeliveredLine.UNREADABLE);
        } else if (!text.isBlank()) {
            sink.accept(DeliveredLine.of(type, text));
        }
    }
}
