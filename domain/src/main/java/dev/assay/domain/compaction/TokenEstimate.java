package dev.assay.domain.compaction;

/** How many tokens a text is taken to have: a quarter of its UTF-8 bytes, rounded up (semantics A4). */
public final class TokenEstimate {

    private static final int BYTES_PER_TOKEN = 4;

    private TokenEstimate() {}

    /** The estimate for {@code text}, at least 0. */
    public static long of(String text) {
        return Math.ceilDiv(utf8Bytes(text), BYTES_PER_TOKEN);
    }

    /**
     * Bytes of {@code text} in UTF-8. An unpaired surrogate, which UTF-8 cannot hold, counts as the three bytes of the
     * replacement character that encoders write for it.
     */
    public static long utf8Bytes(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            bytes += utf8Bytes(codePoint);
            i += Character.charCount(codePoint);
        }
        return bytes;
    }

    /** The longest beginning of {@code text} that has at most {@code maxBytes} bytes in UTF-8; no code point is split. */
    public static String firstBytes(String text, long maxBytes) {
        long left = maxBytes;
        int end = 0;
        while (end < text.length()) {
            int codePoint = text.codePointAt(end);
            left -= utf8Bytes(codePoint);
            if (left < 0) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        return text.substring(0, end);
    }

    static int utf8Bytes(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }
}
