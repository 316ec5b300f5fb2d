package dev.assay.cli.results;

import com.fasterxml.jackson.core.JsonParser;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;

/**
 * A part of a file, which may be all of it.
 *
 * @param from its first byte
 */
record FileText(FileChannel file, long from, long length, String place) implements JsonText {

    @Override
    public JsonParser open() throws IOException {
        return ResultTokens.factory().createParser(bytes());
    }

    /** The bytes of the part. */
    InputStream bytes() {
        return new Part();
    }

    @Override
    public JsonText part(long first, long bytes, String where) {
        return new FileText(file, from + first, bytes, where);
    }

    /** Reads by position: parts of one file do not move each other. */
    private final class Part extends InputStream {

        private long at;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int most) throws IOException {
            Objects.checkFromIndexSize(offset, most, into.length);
            long left = length - at;
            if (left <= 0) {
                return -1;
            }
            int read = file.read(ByteBuffer.wrap(into, offset, (int) Math.min(most, left)), from + at);
            if (read < 0) {
                throw new IOException("The file became shorter while it was read.");
            }
            at += read;
            return read;
        }
    }
}
