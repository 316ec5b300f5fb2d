package dev.assay.activities.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Splits bytes of UTF-8 into lines as they come. A line ends with a line feed, a carriage return, or both. A server that never stops
 * must not fill the memory: lines, and all of them, are bounded.
 */
public final class Lines {

    private static final int MEBIBYTE = 1024 * 1024;

    /** Takes each line. An exception ends the reading. */
    public interface EachLine {
        void accept(String line) throws IOException;

        /** Takes the end of them all. */
        default void end() throws IOException {}
    }

    private final int maxLine;
    private final int maxAll;
    private final EachLine taker;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean afterReturn;
    private long read;

    public Lines(int maxLine, int maxAll, EachLine taker) {
        this.maxLine = maxLine;
        this.maxAll = maxAll;
        this.taker = taker;
    }

    /**
     * Takes the first {@code count} of {@code bytes}, which follow those before.
     *
     * @throws IOException when a line, or all of them, have become too long
     */
    public void take(byte[] bytes, int count) throws IOException {
        read += count;
        if (read > (long) maxAll * MEBIBYTE) {
            throw new IOException("The answer is longer than " + maxAll + " MiB");
        }
        int begin = 0;
        for (int i = 0; i < count; i++) {
            boolean isPair = bytes[i] == '\n' && afterReturn;
            afterReturn = bytes[i] == '\r';
            if (bytes[i] == '\n' || afterReturn) {
                if (!isPair) {
                    keep(bytes, begin, i);
                    hand();
                }
                begin = i + 1;
            }
        }
        keep(bytes, begin, count);
    }

    private void keep(byte[] bytes, int begin, int end) throws IOException {
        if (line.size() + end - begin > maxLine * MEBIBYTE) {
            throw new IOException("A line of the answer is longer than " + maxLine + " MiB");
        }
        line.write(bytes, begin, end - begin);
    }

    private void hand() throws IOException {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        taker.accept(text);
    }

    /** Takes the end of the bytes: the last line may lack its own. */
    public void end() throws IOException {
        if (line.size() > 0) {
            hand();
        }
        taker.end();
    }
}
