package dev.assay.activities.provider.delivery;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;

/**
 * The body of a submission that holds the lines of a file: {@code {"requests":[…]}}. It is written while it is sent. JSON holds line
 * feeds only between values. So each one of the file becomes a comma, but the last, with which the list ends.
 *
 * @param length bytes of the body
 */
record RequestsBody(Path file, long length) {

    private static final byte[] BEGIN = "{\"requests\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = "]}".getBytes(StandardCharsets.US_ASCII);

    /**
     * The body of the lines of {@code file}, of which each has a line feed.
     *
     * @throws UncheckedIOException when the file cannot be read
     * @throws IllegalArgumentException when it is empty
     */
    static RequestsBody of(Path file) {
        long size = BatchFiles.size(file);
        if (size == 0) {
            throw new IllegalArgumentException("A batch has no lines");
        }
        return new RequestsBody(file, BEGIN.length + size - 1 + END.length);
    }

    HttpRequest.BodyPublisher publisher() {
        return BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(this::stream), length);
    }

    /** The body as a stream. */
    InputStream stream() {
        try {
            InputStream lines = new Commas(Files.newInputStream(file), length - BEGIN.length - END.length);
            return new SequenceInputStream(Collections.enumeration(
                    List.of(new ByteArrayInputStream(BEGIN), lines, new ByteArrayInputStream(END))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first bytes of a stream, with commas in the place of line feeds. */
    private static final class Commas extends FilterInputStream {

        private long left;

        Commas(InputStream in, long left) {
            super(in);
            this.left = left;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int read = super.read(bytes, offset, (int) Math.min(length, left));
            for (int i = offset; i < offset + read; i++) {
                bytes[i] = bytes[i] == '\n' ? (byte) ',' : bytes[i];
            }
            left -= Math.max(0, read);
            return read;
        }
    }
}
