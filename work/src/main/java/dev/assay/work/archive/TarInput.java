package dev.assay.work.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** The bytes of an archive, in blocks. Counts them, and the bytes of files that it hands on. */
final class TarInput {

    private static final int BUFFER = 1 << 16;

    private final InputStream source;
    private final byte[] buffer = new byte[BUFFER];
    private long read;
    private long written;

    TarInput(InputStream source) {
        this.source = source;
    }

    /** The next block; null at the end. */
    byte @Nullable [] block() throws IOException, RefusedArchiveException {
        byte[] block = source.readNBytes(TarHeader.BLOCK);
        count(block.length);
        if (block.length > 0 && block.length < TarHeader.BLOCK) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "ends within a header");
        }
        return block.length == 0 ? null : block;
    }

    /** Reads the block behind the first one that is all zero: it must be so, too. */
    void end() throws IOException, RefusedArchiveException {
        byte[] second = source.readNBytes(TarHeader.BLOCK);
        count(second.length);
        if (!isZero(second)) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "has a block of zeros before it");
        }
    }

    static boolean isZero(byte[] block) {
        for (byte one : block) {
            if (one != 0) {
                return false;
            }
        }
        return true;
    }

    /** The data of a header, with what fills its last block. */
    byte[] header(long size) throws IOException, RefusedArchiveException {
        if (size > ArchiveLimits.HEADER) {
            throw new RefusedArchiveException(ArchiveRule.AMOUNTS, "has a header of more than 1,048,576 bytes");
        }
        byte[] data = source.readNBytes((int) size);
        count(data.length);
        if (data.length < size) {
            throw early();
        }
        skipRestOfBlock(size);
        return data;
    }

    /** Hands on the data of a file, and skips what fills its last block. */
    void file(long size, OutputStream target) throws IOException, RefusedArchiveException {
        long left = size;
        while (left > 0) {
            int count = source.read(buffer, 0, (int) Math.min(BUFFER, left));
            if (count < 0) {
                throw early();
            }
            count(count);
            written += count;
            if (written > ArchiveLimits.WRITTEN) {
                throw new RefusedArchiveException(
                        ArchiveRule.AMOUNTS, "brings the files to more than 209,715,200 bytes together");
            }
            target.write(buffer, 0, count);
            left -= count;
        }
        skipRestOfBlock(size);
    }

    /** The bytes of all files so far. */
    long written() {
        return written;
    }

    private static RefusedArchiveException early() {
        return new RefusedArchiveException(ArchiveRule.KINDS, "is cut off: the archive ends within it");
    }

    /** The archive may end here as well. */
    private void skipRestOfBlock(long size) throws IOException, RefusedArchiveException {
        int rest = (int) (-size & (TarHeader.BLOCK - 1));
        count(source.readNBytes(buffer, 0, rest));
    }

    /** Reads on to the end, so that it is known whether the archive is too large. */
    void drain() throws IOException, RefusedArchiveException {
        for (int count = 0; count >= 0; count = source.read(buffer)) {
            count(count);
        }
    }

    private void count(int bytes) throws RefusedArchiveException {
        read += bytes;
        if (read > ArchiveLimits.STREAM) {
            throw new RefusedArchiveException(ArchiveRule.AMOUNTS, "has more than 268,435,456 bytes");
        }
    }
}
