package dev.assay.activities.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The answers to a program over one connection. A program that stops reading is noticed by the time that a write takes. */
final class ClientOutput {

    private static final byte[] END = bytes("\r\n");
    private static final int CONTINUE = 100;

    private final OutputStream target;

    /** The time at which the write began that is under way, in nanoseconds; 0: none is. */
    private volatile long writing;

    private boolean isChunked;

    ClientOutput(OutputStream target) {
        this.target = target;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Nanoseconds for which the write under way has taken; 0: none is. */
    long stalledNanos() {
        long began = writing;
        return began == 0 ? 0 : System.nanoTime() - began;
    }

    private void write(byte[] bytes, int count) throws IOException {
        // An odd number is never the 0 of no write.
        writing = System.nanoTime() | 1;
        try {
            target.write(bytes, 0, count);
        } finally {
            writing = 0;
        }
    }

    /** Tells the program to send its body. */
    void proceed() throws IOException {
        byte[] head = bytes("HTTP/1.1 " + CONTINUE + " Continue\r\n\r\n");
        write(head, head.length);
    }

    /** Sends a whole answer. */
    void answer(int status, Map<String, String> headers, byte[] body, boolean staysOpen) throws IOException {
        String head = head(status, headers, staysOpen) + "Content-Length: " + body.length + "\r\n\r\n";
        byte[] all = new byte[head.length() + body.length];
        System.arraycopy(bytes(head), 0, all, 0, head.length());
        System.arraycopy(body, 0, all, head.length(), body.length);
        write(all, all.length);
    }

    /**
     * Begins an answer that comes in pieces.
     *
     * @param isChunked whether the client knows chunks; else the end of the connection is that of the answer
     */
    void begin(int status, Map<String, String> headers, boolean isChunked, boolean staysOpen) throws IOException {
        this.isChunked = isChunked;
        byte[] head =
                bytes(head(status, headers, staysOpen) + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "\r\n"));
        write(head, head.length);
    }

    /** Sends a piece at once. */
    void piece(byte[] bytes, int count) throws IOException {
        if (count == 0) {
            return;
        }
        if (!isChunked) {
            write(bytes, count);
            return;
        }
        byte[] size = bytes(Integer.toHexString(count) + "\r\n");
        byte[] chunk = new byte[size.length + count + END.length];
        System.arraycopy(size, 0, chunk, 0, size.length);
        System.arraycopy(bytes, 0, chunk, size.length, count);
        System.arraycopy(END, 0, chunk, size.length + count, END.length);
        write(chunk, chunk.length);
    }

    /** Ends an answer that came in pieces. One that is not ended is broken, and the program sees that. */
    void end() throws IOException {
        if (isChunked) {
            byte[] last = bytes("0\r\n\r\n");
            write(last, last.length);
        }
    }

    private static String head(int status, Map<String, String> headers, boolean staysOpen) {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " \r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return head.append(staysOpen ? "Connection: keep-alive\r\n" : "Connection: close\r\n")
                .toString();
    }
}
