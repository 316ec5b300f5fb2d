package dev.assay.work.archive;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The fields of the next entry that headers before it state: PAX records, and GNU's long names. */
final class ExtendedHeader {

    private byte @Nullable [] name;
    private byte @Nullable [] target;
    private byte @Nullable [] size;

    byte[] nameOr(byte[] other) {
        return name == null ? other : name;
    }

    byte[] targetOr(byte[] other) {
        return target == null ? other : target;
    }

    /**
     * The size that a record states.
     *
     * @return at least 0; {@code other} where none does; a number too large for a long is its maximum
     * @throws RefusedArchiveException by rule 1 when it is no number
     */
    long sizeOr(long other) throws RefusedArchiveException {
        if (size == null) {
            return other;
        }
        Long stated = decimal(size, 0, size.length);
        if (stated == null) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "has a size that is no number");
        }
        return stated;
    }

    /** Takes GNU's long name of an entry. */
    void longName(byte[] data) {
        name = withoutNuls(data);
    }

    /** Takes GNU's long target of a link. */
    void longTarget(byte[] data) {
        target = withoutNuls(data);
    }

    private static byte[] withoutNuls(byte[] data) {
        int end = data.length;
        while (end > 0 && data[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(data, end);
    }

    /**
     * Takes PAX records: each its length in decimal digits, a space, {@code key=value} and a line feed.
     *
     * @throws RefusedArchiveException by rule 1 when one cannot be read, or is of a sparse file
     */
    void records(byte[] data) throws RefusedArchiveException {
        int start = 0;
        while (start < data.length) {
            int space = indexOf(data, ' ', start);
            Long length = decimal(data, start, space);
            if (length == null || length > data.length - start) {
                throw unreadable();
            }
            int end = start + length.intValue();
            int equals = indexOf(data, '=', space + 1);
            if (equals >= end || end < space + 1 || data[end - 1] != '\n') {
                throw unreadable();
            }
            take(data, space + 1, equals, end - 1);
            start = end;
        }
    }

    private static RefusedArchiveException unreadable() {
        return new RefusedArchiveException(ArchiveRule.KINDS, "has a PAX record that cannot be read");
    }

    private void take(byte[] data, int start, int equals, int end) throws RefusedArchiveException {
        String key = new String(data, start, equals - start, StandardCharsets.ISO_8859_1);
        if (key.startsWith("GNU.sparse.")) {
            throw new RefusedArchiveException(ArchiveRule.KINDS, "is a sparse file");
        }
        switch (key) {
            case "path" -> name = Arrays.copyOfRange(data, equals + 1, end);
            case "linkpath" -> target = Arrays.copyOfRange(data, equals + 1, end);
            case "size" -> size = Arrays.copyOfRange(data, equals + 1, end);
            default -> {
                // Owners, times and the like are not kept.
            }
        }
    }

    /** The place of {@code wanted}, or the end of {@code data} where there is none. */
    private static int indexOf(byte[] data, char wanted, int from) {
        int place = from;
        while (place < data.length && data[place] != wanted) {
            place++;
        }
        return place;
    }

    /** The number of decimal digits, at most the maximum of a long; null where they are none. */
    private static @Nullable Long decimal(byte[] data, int from, int end) {
        long value = 0;
        for (int i = from; i < end; i++) {
            int digit = data[i] - '0';
            if (digit < 0 || digit > 9) {
                return null;
            }
            value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : value * 10 + digit;
        }
        return from == end ? null : value;
    }
}
