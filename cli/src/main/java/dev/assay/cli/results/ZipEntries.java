package dev.assay.cli.results;

import dev.assay.domain.results.source.BadResults;
import dev.assay.domain.results.source.JsonText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** The entries of an archive, refused before anything is unpacked where they would take too much. */
final class ZipEntries {

    private static final int MOST_ENTRIES = 1_000_000;
    private static final long LARGEST = 1L << 30;
    private static final long LARGE = 100L << 20;
    private static final long MOST_PACKED = 1_000;

    /** Bytes of the list of entries: it is read into memory as a whole. */
    private static final long LONGEST_LIST = 64L << 20;

    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_LENGTH = 22;
    private static final int LONGEST_END = END_LENGTH + 0xFFFF;
    private static final int ENTRY_LENGTH = 46;
    private static final int LOCATOR_SIGNATURE = 0x07064b50;
    private static final int LOCATOR_LENGTH = 20;
    private static final int LARGE_END_SIGNATURE = 0x06064b50;
    private static final int LARGE_END_LENGTH = 56;

    private ZipEntries() {}

    /** Whether an archive has the end that names the list of its entries. */
    static boolean hasList(FileChannel file) throws IOException {
        return find(end(file)) >= 0;
    }

    /**
     * Refuses an archive whose list of entries is missing or too long.
     *
     * @param name of its file, for people
     */
    static void checkList(FileChannel file, String name) throws IOException {
        ByteBuffer end = end(file);
        int at = find(end);
        if (at < 0) {
            throw BadResults.at(
                    name,
                    "The archive is cut off: it has no list of its entries. --salvage reads those that are whole.");
        }
        long endAt = file.size() - end.limit() + at;
        long list = endAt - begin(file, end, at, endAt);
        if (list > LONGEST_LIST || list / ENTRY_LENGTH >= MOST_ENTRIES) {
            throw BadResults.at(name, "The archive has too many entries; fewer than " + MOST_ENTRIES + " are read.");
        }
    }

    /**
     * Where the list begins that will be read. What the end says of its length binds nobody: a reader goes on as long as there are
     * entries. So all that lies between here and the end may be entries.
     */
    private static long begin(FileChannel file, ByteBuffer end, int at, long endAt) throws IOException {
        ByteBuffer locator = read(file, endAt - LOCATOR_LENGTH, LOCATOR_LENGTH);
        if (locator.limit() < LOCATOR_LENGTH || locator.getInt(0) != LOCATOR_SIGNATURE) {
            long length = Integer.toUnsignedLong(end.getInt(at + 12));
            return Math.max(Integer.toUnsignedLong(end.getInt(at + 16)), endAt - length);
        }
        ByteBuffer large = read(file, locator.getLong(8), LARGE_END_LENGTH);
        boolean isEnd = large.limit() == LARGE_END_LENGTH && large.getInt(0) == LARGE_END_SIGNATURE;
        // Where it is none, nothing is read: the archive is broken.
        return isEnd ? large.getLong(48) : endAt;
    }

    /** Some bytes; none where the file has not all of them. */
    private static ByteBuffer read(FileChannel file, long from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        if (from < 0 || from > file.size() - length) {
            return bytes.limit(0);
        }
        while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) >= 0) {
            // Until all of it is there.
        }
        return bytes.flip();
    }

    private static ByteBuffer end(FileChannel file) throws IOException {
        long size = file.size();
        int length = (int) Math.min(size, LONGEST_END);
        return read(file, size - length, length);
    }

    private static int find(ByteBuffer end) {
        for (int at = end.limit() - END_LENGTH; at >= 0; at--) {
            if (end.getInt(at) == END_SIGNATURE) {
                return at;
            }
        }
        return -1;
    }

    /** The entries by name; of equal names the last one counts. */
    static Map<String, JsonText> of(ZipFile archive, String name) {
        List<ZipArchiveEntry> all = Collections.list(archive.getEntries());
        if (all.size() >= MOST_ENTRIES) {
            throw BadResults.at(
                    name, "The archive has " + all.size() + " entries; fewer than " + MOST_ENTRIES + " are read.");
        }
        Map<String, JsonText> entries = new LinkedHashMap<>();
        for (ZipArchiveEntry entry : all) {
            String place = name + ", entry " + entry.getName();
            check(entry, place);
            entries.put(entry.getName(), new EntryText(archive, entry, place));
        }
        return entries;
    }

    private static void check(ZipArchiveEntry entry, String place) {
        check(
                entry.getName(),
                entry.getGeneralPurposeBit().usesEncryption(),
                entry.getSize(),
                entry.getCompressedSize(),
                place);
    }

    /** Refuses an entry that must not, or cannot, be unpacked. */
    static void check(String name, boolean isEncrypted, long size, long packedSize, String place) {
        if (List.of(name.split("[/\\\\]", -1)).contains("..")) {
            throw BadResults.at(place, "A name of an entry must not hold `..`.");
        }
        if (isEncrypted) {
            throw BadResults.at(place, "It is encrypted.");
        }
        long packed = Math.max(1, packedSize);
        if (size < 0 || size > LARGEST) {
            throw BadResults.at(place, "It has " + size + " bytes unpacked; at most 1 GiB is read.");
        }
        if (size > LARGE && size / packed > MOST_PACKED) {
            throw BadResults.at(place, "It is packed " + size / packed + " times; that is no log.");
        }
    }
}
