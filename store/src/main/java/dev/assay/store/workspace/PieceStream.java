package dev.assay.store.workspace;

import java.io.InputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;

/** The archive of a workspace as a stream. One piece is in memory at a time. */
final class PieceStream extends InputStream {

    private final IntFunction<Optional<byte[]>> pieces;
    private byte[] piece = {};
    private int place;
    private int count;
    private boolean over;

    /** @param pieces the piece at a place, from 0; empty behind the last one */
    PieceStream(IntFunction<Optional<byte[]>> pieces) {
        this.pieces = pieces;
    }

    /** The number of pieces that were read so far. */
    int count() {
        return count;
    }

    @Override
    public int read() {
        return hasMore() ? piece[place++] & 0xff : -1;
    }

    @Override
    public int read(byte[] buffer, int from, int length) {
        Objects.checkFromIndexSize(from, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        if (!hasMore()) {
            return -1;
        }
        int read = Math.min(length, piece.length - place);
        System.arraycopy(piece, place, buffer, from, read);
        place += read;
        return read;
    }

    private boolean hasMore() {
        while (place == piece.length && !over) {
            Optional<byte[]> next = pieces.apply(count);
            over = next.isEmpty();
            count += over ? 0 : 1;
            piece = next.orElse(piece);
            place = over ? piece.length : 0;
        }
        return place < piece.length;
    }
}
