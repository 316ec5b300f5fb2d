package dev.assay.cli.results;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/** The content of an entry. Reading fails where its length or checksum is not what the archive states. */
final class CheckedEntry extends FilterInputStream {

    private final CRC32 sum = new CRC32();
    private final long size;
    private final long expected;
    private long read;

    /**
     * Checks content.
     *
     * @param expected its CRC-32
     */
    CheckedEntry(InputStream content, long size, long expected) {
        super(content);
        this.size = size;
        this.expected = expected;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
        int count = super.read(into, offset, most);
        if (count > 0) {
            sum.update(into, offset, count);
            read += count;
        }
        boolean isEnd = count < 0;
        if (read > size || (isEnd && read < size)) {
            throw new IOException("It does not have the length that the archive states.");
        }
        if (isEnd && sum.getValue() != expected) {
            throw new IOException("Its checksum is wrong: it is damaged.");
        }
        return count;
    }

    @Override
    public long skip(long bytes) throws IOException {
        return readNBytes((int) Math.min(bytes, 1 << 16)).length;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
