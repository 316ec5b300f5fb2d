package dev.assay.cli.results;

import com.fasterxml.jackson.core.JsonParser;
import dev.assay.domain.results.source.JsonText;
import dev.assay.domain.results.source.ResultTokens;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;
import org.jspecify.annotations.Nullable;

/** The entries of an archive that was cut off, found one behind the other from its begin. Those that are whole can be read. */
final class CutArchive {

    private static final int SIGNATURE = 0x04034b50;
    private static final int HEADER = 30;
    private static final int STORED = 0;
    private static final int DEFLATED = 8;
    private static final int ZSTD = 93;
    private static final int ENCRYPTED = 1;
    private static final long UNKNOWN = 0xFFFFFFFFL;
    private static final int MOST_ENTRIES = 1_000_000;

    private CutArchive() {}

    /**
     * The entries whose content is there; of equal names the last one counts.
     *
     * @param name of the file, for people
     */
    static Map<String, JsonText> entries(FileChannel file, String name) throws IOException {
        Map<String, JsonText> entries = new LinkedHashMap<>();
        long at = 0;
        ByteBuffer header = header(file, at);
        while (header != null && entries.size() < MOST_ENTRIES) {
            int nameLength = Short.toUnsignedInt(header.getShort(26));
            long begin = at + HEADER + nameLength + Short.toUnsignedInt(header.getShort(28));
            long packed = Integer.toUnsignedLong(header.getInt(18));
            long size = Integer.toUnsignedLong(header.getInt(22));
            boolean isStated = packed != UNKNOWN && size != UNKNOWN && (header.getShort(6) & 8) == 0;
            // Where a length stands behind the content, nothing says where the next entry begins.
            if (!isStated || begin + packed > file.size()) {
                return entries;
            }
            String entry = text(file, at + HEADER, nameLength);
            String place = name + ", entry " + entry;
            ZipEntries.check(entry, (header.getShort(6) & ENCRYPTED) != 0, size, packed, place);
            entries.put(
                    entry,
                    new Whole(
                            new FileText(file, begin, packed, place),
                            Short.toUnsignedInt(header.getShort(8)),
                            size,
                            Integer.toUnsignedLong(header.getInt(14))));
            at = begin + packed;
            header = header(file, at);
        }
        return entries;
    }

    private static @Nullable ByteBuffer header(FileChannel file, long at) throws IOException {
        ByteBuffer header = read(file, at, HEADER);
        return header.limit() == HEADER && header.getInt(0) == SIGNATURE ? header : null;
    }

    private static String text(FileChannel file, long at, int length) throws IOException {
        return StandardCharsets.UTF_8.decode(read(file, at, length)).toString();
    }

    private static ByteBuffer read(FileChannel file, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {
            // Until all of it is there.
        }
        return bytes.flip();
    }

    /**
     * An entry.
     *
     * @param packed as it stands in the file
     * @param method of its compression
     * @param sum its CRC-32
     */
    private record Whole(FileText packed, int method, long size, long sum) implements JsonText {

        @Override
        public String place() {
            return packed.place();
        }

        @Override
        public JsonParser open() throws IOException {
            InputStream content = switch (method) {
                case STORED -> packed.bytes();
                case DEFLATED -> new InflaterInputStream(packed.bytes(), new Inflater(true));
                case ZSTD -> new ZstdCompressorInputStream(packed.bytes());
                default -> throw new IOException("Its compression, " + method + ", is not known.");
            };
            return ResultTokens.factory().createParser(new CheckedEntry(content, size, sum));
        }

        @Override
        public JsonText part(long from, long length, String where) {
            throw new IllegalStateException("Entries are read as a whole");
        }
    }
}
