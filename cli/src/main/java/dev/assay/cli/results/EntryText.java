package dev.assay.cli.results;

import dev.assay.domain.results.source.JsonText;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** An entry of an archive. Its length and checksum are those that the archive states, or reading fails. */
record EntryText(ZipFile archive, ZipArchiveEntry entry, String place) implements JsonText {

    @Override
    public InputStream open() throws IOException {
        InputStream content = archive.getInputStream(entry);
        if (content == null) {
            throw new IOException("Its compression is not known.");
        }
        return new Checked(content, entry);
    }

    @Override
    public JsonText part(long from, long length, String where) {
        throw new IllegalStateException("Entries are read as a whole");
    }

    private static final class Checked extends FilterInputStream {

        private final CRC32 sum = new CRC32();
        private final long size;
        private final long expected;
        private long read;

        Checked(InputStream content, ZipArchiveEntry entry) {
            super(content);
            this.size = entry.getSize();
            this.expected = entry.getCrc();
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
}
