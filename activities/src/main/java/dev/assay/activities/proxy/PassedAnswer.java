package dev.assay.activities.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** A provider's answer that is read and passed on to the program at once. Whoever reads it to its end has passed all of it on. */
final class PassedAnswer extends InputStream {

    /** Bytes of an answer. */
    private static final long MAX_BODY = 32L * 1024 * 1024;

    private final InputStream from;
    private final KeyFilter filter;
    private final ClientOutput to;
    private final int most;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private long read;

    /** @param most bytes that are kept for the trace */
    PassedAnswer(InputStream from, KeyFilter filter, ClientOutput to, int most) {
        this.from = from;
        this.filter = filter;
        this.to = to;
        this.most = most;
    }

    /** The program does not read any more. */
    static final class ProgramGoneException extends IOException {

        private static final long serialVersionUID = 1L;

        ProgramGoneException(IOException cause) {
            super(cause);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int count = from.read(target, offset, length);
        if (count < 0) {
            pass(filter.rest());
            return -1;
        }
        read += count;
        if (read > MAX_BODY) {
            throw new IOException("The answer is longer than 32 MiB");
        }
        byte[] piece = new byte[count];
        System.arraycopy(target, offset, piece, 0, count);
        pass(filter.pass(piece, count));
        return count;
    }

    private void pass(byte[] bytes) throws IOException {
        kept.write(bytes, 0, Math.min(bytes.length, most - kept.size()));
        try {
            to.piece(bytes, bytes.length);
        } catch (IOException e) {
            throw new ProgramGoneException(e);
        }
    }

    /** The first bytes that were passed on. */
    byte[] kept() {
        return kept.toByteArray();
    }
}
