package dev.assay.work.archive;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A header block of a tar archive, whose checksum is right. */
final class TarHeader {

    /** Bytes of a block. */
    static final int BLOCK = 512;

    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_END = 156;
    private static final int OWNER_MAY_EXECUTE = 0100;
    private static final byte[] USTAR = "ustar\0".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern OCTAL = Pattern.compile("[ \t\n\u000b\f\r]*([0-7]*)[ \t\n\u000b\f\r]*");

    private final byte[] block;

    /** @throws RefusedArchiveException by rule 1 when the checksum is wrong */
    TarHeader(byte[] block) throws RefusedArchiveException {
        this.block = block;
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= CHECKSUM && i < CHECKSUM_END ? ' ' : block[i] & 0xff;
        }
        Long stated = number(CHECKSUM, CHECKSUM_END);
        if (stated == null || stated != sum) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "has a header with a wrong checksum");
        }
    }

    /** The letter of its kind. */
    char kind() {
        return (char) (block[156] & 0xff);
    }

    /**
     * The number of bytes that follow it, as it declares them.
     *
     * @return at least 0; a number too large for a long is its maximum
     * @throws RefusedArchiveException by rule 1 when it is no number
     */
    long size() throws RefusedArchiveException {
        Long size = number(124, 136);
        if (size == null) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "has a size that is no number");
        }
        return size;
    }

    /** Whether its owner may execute the file; null where the mode is no number. */
    @Nullable
    Boolean isExecutable() {
        Long mode = number(100, 108);
        return mode == null ? null : (mode & OWNER_MAY_EXECUTE) != 0;
    }

    /** The name, with the prefix that POSIX puts before it. */
    byte[] name() {
        byte[] name = text(0, 100);
        byte[] prefix = text(345, 500);
        if (prefix.length == 0 || !Arrays.equals(block, 257, 263, USTAR, 0, USTAR.length)) {
            return name;
        }
        byte[] whole = Arrays.copyOf(prefix, prefix.length + 1 + name.length);
        whole[prefix.length] = '/';
        System.arraycopy(name, 0, whole, prefix.length + 1, name.length);
        return whole;
    }

    /** The target of a link. */
    byte[] target() {
        return text(157, 257);
    }

    /** The bytes of a field up to its first NUL. */
    private byte[] text(int from, int end) {
        int length = from;
        while (length < end && block[length] != 0) {
            length++;
        }
        return Arrays.copyOfRange(block, from, length);
    }

    /** The number in a field, in octal digits or, behind a byte of 0x80 or more, in bytes; null where it is none. */
    private @Nullable Long number(int from, int end) {
        if (block[from] < 0) {
            int sign = Byte.SIZE * (end - from) - 1;
            BigInteger value = new BigInteger(1, Arrays.copyOfRange(block, from, end)).clearBit(sign);
            return value.bitLength() < Long.SIZE ? value.longValue() : Long.MAX_VALUE;
        }
        Matcher octal = OCTAL.matcher(new String(text(from, end), StandardCharsets.ISO_8859_1));
        if (!octal.matches()) {
            return null;
        }
        return octal.group(1).isEmpty() ? 0 : Long.parseLong(octal.group(1), 8);
    }
}
