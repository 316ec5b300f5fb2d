package dev.assay.cli.results;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorOutputStream;

/** Archives that no tool would write: what they state of their entries is made up. */
final class MadeArchive {

    static final int DEFLATED = 8;
    static final int ZSTD = 93;

    private static final int PIECE = 64 << 20;
    private static final long TEN_GIB = 10L << 30;
    private static final long LARGE = 0xFFFFFFFFL;
    private static final byte[] NAME = "header.json".getBytes(StandardCharsets.UTF_8);

    private MadeArchive() {}

    /** Ten GiB of one byte, packed in a moment: the same piece stands there again and again. */
    static byte[] packed(int method, byte filled) throws IOException {
        byte[] piece = new byte[PIECE];
        Arrays.fill(piece, filled);
        byte[] once = method == ZSTD ? frame(piece) : blocks(piece);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long size = 0; size < TEN_GIB; size += PIECE) {
            all.writeBytes(once);
        }
        if (method == DEFLATED) {
            all.writeBytes(new byte[] {3, 0});
        }
        return all.toByteArray();
    }

    private static byte[] frame(byte[] piece) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZstdCompressorOutputStream zstd = new ZstdCompressorOutputStream(out)) {
            zstd.write(piece);
        }
        return out.toByteArray();
    }

    /** Blocks that end on a byte and refer to nothing before them. */
    private static byte[] blocks(byte[] piece) {
        try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
            deflater.setInput(piece);
            byte[] out = new byte[1 << 20];
            int length = deflater.deflate(out, 0, out.length, Deflater.FULL_FLUSH);
            return Arrays.copyOf(out, length);
        }
    }

    /**
     * Writes an archive with one entry, the header of a log.
     *
     * @param size that is stated of it, unpacked
     */
    static Path of(Path file, int method, byte[] packed, long size) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] local = header(0x04034b50, 26, method, packed.length, size);
            out.write(local);
            out.write(packed);
            byte[] listed = listed(method, packed.length, size);
            out.write(listed);
            out.write(end(listed.length, (long) local.length + packed.length));
        }
        return file;
    }

    /** The same without the list of its entries, as a process leaves it that was killed. */
    static Path cut(Path file, int method, byte[] packed, long size) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(header(0x04034b50, 26, method, packed.length, size));
            out.write(packed);
        }
        return file;
    }

    private static byte[] header(int signature, int names, int method, long packed, long size) {
        int at = names == 26 ? 0 : 2;
        byte[] extra = size >= LARGE ? extra(packed, size) : new byte[0];
        ByteBuffer header = ByteBuffer.allocate((names == 26 ? 30 : 46) + NAME.length + extra.length)
                .order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0, signature).putShort(8 + at, (short) method);
        header.putInt(18 + at, (int) (size >= LARGE ? LARGE : packed)).putInt(22 + at, (int) Math.min(size, LARGE));
        header.putShort(names, (short) NAME.length).putShort(names + 2, (short) extra.length);
        header.position(header.capacity() - NAME.length - extra.length);
        return header.put(NAME).put(extra).array();
    }

    private static byte[] extra(long packed, long size) {
        return ByteBuffer.allocate(20)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 1)
                .putShort((short) 16)
                .putLong(size)
                .putLong(packed)
                .array();
    }

    private static byte[] listed(int method, long packed, long size) {
        return header(0x02014b50, 28, method, packed, size);
    }

    private static byte[] end(long length, long begin) {
        return ByteBuffer.allocate(22)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x06054b50)
                .putShort(8, (short) 1)
                .putShort(10, (short) 1)
                .putInt(12, (int) length)
                .putInt(16, (int) begin)
                .array();
    }

    /** What the end of an archive says of its list of entries. */
    enum Stated {
        /** The truth. */
        TRUE,
        /** That the list begins near its end. */
        BEGINS_LATE,
        /** That the list is short. */
        IS_SHORT,
        /** The same, where the end for large archives says the truth. */
        IS_SHORT_BESIDE_THE_TRUTH
    }

    /** Writes an archive whose list names one empty entry again and again. */
    static Path listing(Path file, int entries, Stated stated) throws IOException {
        byte[] one = listed(0, 0, 0);
        long length = (long) one.length * entries;
        long begin = 4;
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(new byte[] {'P', 'K', 3, 4});
            ByteArrayOutputStream some = new ByteArrayOutputStream();
            for (int i = 0; i < 1_000; i++) {
                some.writeBytes(one);
            }
            for (int i = 0; i < entries; i += 1_000) {
                some.writeTo(out);
            }
            switch (stated) {
                case TRUE -> out.write(end(length, begin));
                case BEGINS_LATE -> out.write(end(length, begin + length - one.length));
                case IS_SHORT -> out.write(end(one.length, begin));
                case IS_SHORT_BESIDE_THE_TRUTH -> {
                    out.write(largeEnd(begin, begin + length));
                    out.write(end(one.length, begin + length - one.length));
                }
            }
        }
        return file;
    }

    private static byte[] largeEnd(long begin, long at) {
        return ByteBuffer.allocate(76)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0x06064b50)
                .putLong(44)
                .putLong(48, begin)
                .putInt(56, 0x07064b50)
                .putLong(64, at)
                .array();
    }
}
