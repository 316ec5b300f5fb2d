package dev.assay.work.archive;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A tar archive header by header, as hostile as a test wants it: no library writes such ones. */
final class RawTar {

    private static final int BLOCK = 512;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    RawTar file(String name, String content) {
        return entry('0', utf8(name), utf8(""), 0644, utf8(content));
    }

    RawTar directory(String name) {
        return entry('5', utf8(name + "/"), utf8(""), 0755, utf8(""));
    }

    RawTar link(String name, String target) {
        return entry('2', utf8(name), utf8(target), 0777, utf8(""));
    }

    /** An entry of any kind. Names and targets that are too long for its header stand in PAX records before it. */
    RawTar entry(char kind, byte[] name, byte[] target, int mode, byte[] content) {
        if (name.length > 100) {
            pax("path", name);
        }
        if (target.length > 100) {
            pax("linkpath", target);
        }
        return header(kind, name, target, "%07o\0".formatted(mode), "%011o\0".formatted(content.length))
                .data(content);
    }

    /** A PAX header with one record. */
    RawTar pax(String key, byte[] value) {
        byte[] head = utf8(length(key, value) + " " + key + "=");
        byte[] record = Arrays.copyOf(head, head.length + value.length + 1);
        System.arraycopy(value, 0, record, head.length, value.length);
        record[record.length - 1] = '\n';
        return header('x', utf8("pax"), utf8(""), "0000644\0", "%011o\0".formatted(record.length))
                .data(record);
    }

    /** The number of bytes of a record, its own digits among them. */
    private static int length(String key, byte[] value) {
        int rest = key.length() + value.length + 3;
        int digits = 1;
        while (String.valueOf(rest + digits).length() > digits) {
            digits++;
        }
        return rest + digits;
    }

    /** A header alone, its mode and size as they stand in it. Its checksum is right. */
    RawTar header(char kind, byte[] name, byte[] target, String mode, String size) {
        byte[] block = new byte[BLOCK];
        System.arraycopy(name, 0, block, 0, Math.min(name.length, 100));
        put(block, 100, mode);
        put(block, 124, size);
        put(block, 136, "00000000000\0");
        block[156] = (byte) kind;
        System.arraycopy(target, 0, block, 157, Math.min(target.length, 100));
        put(block, 257, "ustar\00000");
        fixChecksums(block);
        bytes.writeBytes(block);
        return this;
    }

    /** Gives each block the checksum of a header, but for those that are all zero. */
    static void fixChecksums(byte[] archive) {
        for (int at = 0; at + BLOCK <= archive.length; at += BLOCK) {
            byte[] block = Arrays.copyOfRange(archive, at, at + BLOCK);
            put(block, 148, "        ");
            int sum = 0;
            for (byte one : block) {
                sum += one & 0xff;
            }
            if (sum != 8 * ' ') {
                put(archive, at + 148, "%06o\0 ".formatted(sum));
            }
        }
    }

    private static void put(byte[] block, int at, String field) {
        byte[] text = field.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(text, 0, block, at, text.length);
    }

    /** Bytes as they are, filled up to a block. */
    RawTar data(byte[] content) {
        bytes.writeBytes(content);
        bytes.writeBytes(new byte[-content.length & (BLOCK - 1)]);
        return this;
    }

    /** The archive without its end. */
    byte[] open() {
        return bytes.toByteArray();
    }

    /** The archive. */
    byte[] end() {
        return Arrays.copyOf(bytes.toByteArray(), bytes.size() + 2 * BLOCK);
    }
}
