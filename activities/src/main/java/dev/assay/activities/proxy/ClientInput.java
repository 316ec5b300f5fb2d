package dev.assay.activities.proxy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reader of what a program sends over one connection. Bytes and time are bounded, whatever comes. */
final class ClientInput {

    /** Bytes of a head. */
    private static final int MAX_HEAD = 32 * 1024;

    private static final int MAX_HEADERS = 100;

    /** Bytes of the line that says how long a chunk is. */
    private static final int MAX_CHUNK_LINE = 256;

    /** The time for which a connection may be quiet between requests. */
    private static final Duration IDLE = Duration.ofSeconds(30);

    /** The time for a head from its first byte on. */
    private static final Duration HEAD = Duration.ofSeconds(10);

    /** The time for a body. */
    private static final Duration BODY = Duration.ofSeconds(60);

    /** The time for what is thrown away. */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    /** Bytes that are thrown away. */
    private static final long DRAINED = 64L * 1024 * 1024;

    private static final int PIECE = 64 * 1024;
    private static final int HEXADECIMAL = 16;
    private static final int MAX_DIGITS = 7;

    private final Socket socket;
    private final byte[] buffer = new byte[PIECE];
    private int next;
    private int end;
    private long deadline;

    ClientInput(Socket socket) {
        this.socket = socket;
    }

    private void begin(Duration atMost) {
        deadline = System.nanoTime() + atMost.toNanos();
    }

    /** Reads more bytes; false at the end of the stream. */
    private boolean fill() throws IOException {
        long left = (deadline - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
            throw new SocketTimeoutException("The program sends too slowly");
        }
        socket.setSoTimeout((int) left);
        next = 0;
        end = Math.max(0, socket.getInputStream().read(buffer));
        return end > 0;
    }

    private int read() throws IOException {
        if (next == end && !fill()) {
            throw new EOFException("The program closed the connection");
        }
        return buffer[next++];
    }

    /** Waits for a request. False when the program closed the connection. */
    boolean awaitRequest() throws IOException {
        begin(IDLE);
        return next < end || fill();
    }

    /**
     * The lines of the head of a request.
     *
     * @throws RefusedException when it is too long
     */
    List<String> head() throws IOException, RefusedException {
        begin(HEAD);
        List<String> lines = new ArrayList<>();
        int left = MAX_HEAD;
        for (String line = line(left); !line.isEmpty() || lines.isEmpty(); line = line(left)) {
            left -= line.length() + 1;
            lines.add(line);
            if (lines.size() > MAX_HEADERS) {
                throw RefusedException.malformed("The request has too many headers.");
            }
        }
        return lines;
    }

    private String line(int most) throws IOException, RefusedException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = read(); c != '\n'; c = read()) {
            if (line.size() >= most) {
                throw RefusedException.malformed("The head of the request is too long.");
            }
            line.write(c);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    /**
     * The body of a request.
     *
     * @throws RefusedException when it is too long, or no body
     */
    byte[] body(RequestHead head, RequestMemory.Share memory)
            throws IOException, RefusedException, InterruptedException {
        begin(BODY);
        return head.isChunked() ? chunks(memory) : plain(head.length(), memory);
    }

    private byte[] plain(long length, RequestMemory.Share memory)
            throws IOException, RefusedException, InterruptedException {
        checkLength(length);
        memory.grow(length);
        byte[] body = new byte[(int) length];
        read(body, 0, body.length);
        return body;
    }

    private byte[] chunks(RequestMemory.Share memory) throws IOException, RefusedException, InterruptedException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            checkLength((long) body.size() + size);
            memory.grow((long) body.size() + size);
            byte[] chunk = new byte[size];
            read(chunk, 0, size);
            body.write(chunk);
            if (!line(MAX_CHUNK_LINE).isEmpty()) {
                throw RefusedException.malformed("A chunk of the body has no end.");
            }
        }
        // Trailers say nothing that is looked at.
        int left = MAX_HEAD;
        for (String trailer = line(left); !trailer.isEmpty(); trailer = line(left)) {
            left -= trailer.length() + 1;
        }
        return body.toByteArray();
    }

    private int chunkSize() throws IOException, RefusedException {
        String line = line(MAX_CHUNK_LINE);
        int extension = line.indexOf(';');
        String digits = (extension < 0 ? line : line.substring(0, extension)).strip();
        Integer size = digits.length() > MAX_DIGITS ? null : hexadecimal(digits);
        if (size == null) {
            throw RefusedException.malformed("A chunk of the body has no length.");
        }
        checkLength(size);
        return size;
    }

    private static @Nullable Integer hexadecimal(String digits) {
        int value = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = Character.digit(digits.charAt(i), HEXADECIMAL);
            if (digit < 0) {
                return null;
            }
            value = value * HEXADECIMAL + digit;
        }
        return digits.isEmpty() ? null : (Integer) value;
    }

    private static void checkLength(long bytes) throws RefusedException {
        if (bytes > RequestMemory.MAX_BODY) {
            throw RefusedException.tooLarge("The body is longer than 32 MiB.");
        }
    }

    /** Reads what a program still sends that has been refused, so that it sees why. Not for long. */
    void drain() throws IOException {
        begin(DRAIN);
        for (long left = DRAINED; left > 0 && fill(); left -= end) {
            next = end;
        }
    }

    private void read(byte[] target, int from, int count) throws IOException {
        int done = Math.min(count, end - next);
        System.arraycopy(buffer, next, target, from, done);
        next += done;
        while (done < count) {
            if (!fill()) {
                throw new EOFException("The program closed the connection");
            }
            int taken = Math.min(count - done, end);
            System.arraycopy(buffer, 0, target, from + done, taken);
            next = taken;
            done += taken;
        }
    }
}
