package dev.assay.web.stream;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a virtual thread writes while a client reads them. A few pieces at most wait between the two, so a slow client holds
 * no more memory than a fast one.
 *
 * <p>A client that leaves interrupts nothing: the PostgreSQL driver would close the connection on which it waits. The writer learns
 * of it with its next piece.
 */
public final class WrittenStream extends InputStream {

    private static final int PIECE = 64 * 1024;
    private static final int WAITING = 4;

    /** No other piece is empty. */
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(WAITING);
    private final Duration patience;
    private volatile boolean left;
    private volatile @Nullable Throwable failure;
    private byte[] piece = {};
    private int position;
    private boolean isAtEnd;

    private WrittenStream(Duration patience) {
        this.patience = patience;
    }

    /** Writes all bytes of a stream. */
    @FunctionalInterface
    public interface Writing {
        void to(OutputStream out) throws IOException;
    }

    /**
     * The bytes of {@code writing}. It returns with the first piece, so that a failure before it is thrown here.
     *
     * @param patience how long a client may take no piece before the writing is given up
     * @param end runs once when the writing has ended, however it did
     */
    public static InputStream of(Writing writing, Duration patience, Runnable end) throws IOException {
        WrittenStream stream = new WrittenStream(patience);
        Thread.startVirtualThread(() -> {
            try {
                stream.write(writing);
            } finally {
                end.run();
            }
        });
        try {
            stream.next();
        } catch (IOException | RuntimeException e) {
            stream.close();
            throw e;
        }
        return stream;
    }

    /**
     * An {@code Error} is a failure, too: without the end the reader would wait for ever. A piece that was not full yet is lost then, so
     * that nothing is sent when the writing fails soon.
     */
    private void write(Writing writing) {
        try {
            Pieces out = new Pieces();
            writing.to(out);
            out.close();
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        try {
            put(END);
        } catch (IOException e) {
            // The client has left, or reads nothing: it gets no end, and its connection is closed.
            left = true;
        }
    }

    private void put(byte[] one) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (!pieces.offer(one, 1, TimeUnit.SECONDS)) {
                if (left || System.nanoTime() > deadline) {
                    throw new IOException("The client takes no more");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while writing to a client");
        }
        if (left) {
            throw new IOException("The client has left");
        }
    }

    /** Takes the next piece. */
    private void next() throws IOException {
        try {
            byte[] taken = null;
            while (taken == null) {
                if (left) {
                    throw new IOException("The bytes were not written to their end");
                }
                taken = pieces.poll(1, TimeUnit.SECONDS);
            }
            piece = taken;
            position = 0;
            isAtEnd = taken.length == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for bytes to send");
        }
        if (isAtEnd) {
            failIfFailed();
        }
    }

    /** What was sent before cannot be taken back; an error cuts it off, so that nobody takes it for all. */
    private void failIfFailed() throws IOException {
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case IOException e -> throw e;
            case Throwable e -> throw new IOException("The bytes could not be written", e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        while (!isAtEnd && position == piece.length) {
            next();
        }
        if (isAtEnd) {
            return -1;
        }
        int count = Math.min(length, piece.length - position);
        System.arraycopy(piece, position, into, offset, count);
        position += count;
        return count;
    }

    @Override
    public void close() {
        left = true;
        pieces.clear();
    }

    /** Joins what is written to pieces. */
    private final class Pieces extends OutputStream {

        private byte[] open = new byte[PIECE];
        private int length;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int count) throws IOException {
            int written = 0;
            while (written < count) {
                int now = Math.min(count - written, open.length - length);
                System.arraycopy(from, offset + written, open, length, now);
                written += now;
                length += now;
                if (length == open.length) {
                    put(open);
                    open = new byte[PIECE];
                    length = 0;
                }
            }
        }

        @Override
        public void close() throws IOException {
            if (length > 0) {
                put(Arrays.copyOf(open, length));
                length = 0;
            }
        }
    }
}
