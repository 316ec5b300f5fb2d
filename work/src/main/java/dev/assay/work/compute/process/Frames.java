package dev.assay.work.compute.process;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Frames on a stream: the number of bytes in four bytes, big endian, and then the bytes. */
public final class Frames {

    /** Bytes of a frame to a compute process. */
    public static final int MAX_TASK = 96 << 20;

    /** Bytes of a frame from a compute process. */
    public static final int MAX_REPLY = 16 << 20;

    private Frames() {}

    /** A frame that is longer than it may be. */
    public static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLongException(long bytes) {
            super("A frame of " + bytes + " bytes is too long");
        }
    }

    /**
     * Writes a frame; the stream may keep it until it is flushed.
     *
     * @throws TooLongException when it has more than {@code most} bytes; nothing is written then
     */
    public static void write(OutputStream stream, byte[] bytes, int most) throws IOException {
        if (bytes.length > most) {
            throw new TooLongException(bytes.length);
        }
        stream.write(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        stream.write(bytes);
    }

    /**
     * Reads a frame.
     *
     * @return null: the stream ended before the frame
     * @throws TooLongException when it has more than {@code most} bytes, which are not read
     * @throws EOFException when the stream ended inside the frame
     */
    public static byte @Nullable [] read(DataInputStream stream, int most) throws IOException {
        int first = stream.read();
        if (first < 0) {
            return null;
        }
        int rest = stream.readUnsignedByte() << 16 | stream.readUnsignedShort();
        long length = (long) first << 24 | rest;
        if (length > most) {
            throw new TooLongException(length);
        }
        byte[] bytes = stream.readNBytes((int) length);
        if (bytes.length < length) {
            throw new EOFException("The stream ended inside a frame");
        }
        return bytes;
    }
}
