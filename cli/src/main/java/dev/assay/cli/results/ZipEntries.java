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

    private ZipEntries() {}

    /**
     * Refuses an archive whose list of entries is missing or too long.
     *
     * @param name of its file, for people
     */
    static void checkList(FileChannel file, String name) throws IOException {
        long size = file.size();
        int length = (int) Math.min(size, LONGEST_END);
        ByteBuffer end = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (end.hasRemaining() && file.read(end, size - length + end.position()) >= 0) {
            // Until all of it is there.
        }
        for (int at = length - END_LENGTH; at >= 0; at--) {
            if (end.getInt(at) == END_SIGNATURE) {
                long begin = Integer.toUnsignedLong(end.getInt(at + 16));
                int entries = Short.toUnsignedInt(end.getShort(at + 10));
                long list = begin == 0xFFFFFFFFL || entries == 0xFFFF
                        ? Integer.toUnsignedLong(end.getInt(at + 12))
                        : size - length + at - begin;
                if (list == 0xFFFFFFFFL || list > LONGEST_LIST || list / ENTRY_LENGTH >= MOST_ENTRIES) {
                    throw BadResults.at(
                            name, "The archive has too many entries; fewer than " + MOST_ENTRIES + " are read.");
                }
                return;
            }
        }
        throw BadResults.at(name, "The archive is cut off: it has no list of its entries.");
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
        if (List.of(entry.getName().split("[/\\\\]", -1)).contains("..")) {
            throw BadResults.at(place, "A name of an entry must not hold `..`.");
        }
        if (entry.getGeneralPurposeBit().usesEncryption()) {
            throw BadResults.at(place, "It is encrypted.");
        }
        long size = entry.getSize();
        long packed = Math.max(1, entry.getCompressedSize());
        if (size < 0 || size > LARGEST) {
            throw BadResults.at(place, "It has " + size + " bytes unpacked; at most 1 GiB is read.");
        }
        if (size > LARGE && size / packed > MOST_PACKED) {
            throw BadResults.at(place, "It is packed " + size / packed + " times; that is no log.");
        }
    }
}
