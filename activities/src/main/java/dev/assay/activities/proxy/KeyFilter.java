package dev.assay.activities.proxy;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Takes a provider's key out of what the provider says, also where it comes in two pieces. */
final class KeyFilter {

    private static final byte[] HIDDEN = {'[', 'k', 'e', 'y', ']'};

    private final byte[] key;
    private byte[] held = {};

    /** @param key in ASCII; empty: there is none */
    KeyFilter(byte[] key) {
        this.key = key.clone();
    }

    /** What may be passed on after {@code count} further bytes. The begin of a key is held until more comes. */
    byte[] pass(byte[] bytes, int count) {
        if (key.length == 0) {
            return Arrays.copyOf(bytes, count);
        }
        byte[] all = Arrays.copyOf(held, held.length + count);
        System.arraycopy(bytes, 0, all, held.length, count);
        ByteArrayOutputStream passed = new ByteArrayOutputStream(all.length);
        int next = 0;
        while (next < all.length && all.length - next >= key.length) {
            if (startsKey(all, next, key.length)) {
                passed.writeBytes(HIDDEN);
                next += key.length;
            } else {
                passed.write(all[next++]);
            }
        }
        while (next < all.length && !startsKey(all, next, all.length - next)) {
            passed.write(all[next++]);
        }
        held = Arrays.copyOfRange(all, next, all.length);
        return passed.toByteArray();
    }

    /** What is held still. */
    byte[] rest() {
        byte[] rest = held;
        held = new byte[0];
        return rest;
    }

    private boolean startsKey(byte[] bytes, int from, int length) {
        return bytes[from] == key[0] && Arrays.equals(bytes, from, from + length, key, 0, length);
    }
}
