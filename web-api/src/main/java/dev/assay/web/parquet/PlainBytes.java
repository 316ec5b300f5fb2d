package dev.assay.web.parquet;

import java.util.Arrays;

/** Bytes of values, the lowest first, as the encoding PLAIN has them. */
final class PlainBytes {

    private static final int FIRST = 1024;

    private byte[] bytes = new byte[FIRST];
    private int size;

    void addByte(int one) {
        room(1);
        bytes[size++] = (byte) one;
    }

    void addInt(int value) {
        room(Integer.BYTES);
        for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
            bytes[size++] = (byte) (value >>> shift);
        }
    }

    void addLong(long value) {
        addInt((int) value);
        addInt((int) (value >>> Integer.SIZE));
    }

    void add(byte[] from, int length) {
        room(length);
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
    }

    /** A number in as few bytes as it needs, seven bits in each (ULEB128). */
    void addVariable(int value) {
        int left = value;
        while (left > 0x7F) {
            addByte((left & 0x7F) | 0x80);
            left >>>= 7;
        }
        addByte(left);
    }

    void add(PlainBytes other) {
        add(other.bytes, other.size);
    }

    int size() {
        return size;
    }

    /** The array that holds them, from its begin; what follows behind {@link #size} is no part of them. */
    byte[] array() {
        return bytes;
    }

    void clear() {
        size = 0;
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), bytes.length * 2));
        }
    }
}
