package dev.assay.domain.text;

/** Texts by the bytes that they take in UTF-8. */
public final class Utf8 {

    private Utf8() {}

    /**
     * Bytes of {@code text} in UTF-8. An unpaired surrogate, which UTF-8 cannot hold, counts as the three bytes of the
     * replacement character that encoders write for it.
     */
    public static long length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int codePoint = text.codePointAt(i);
            bytes += length(codePoint);
            i += Character.charCount(codePoint);
        }
        return bytes;
    }

    /** The longest beginning of {@code text} that has at most {@code maxBytes} bytes in UTF-8; no code point is split. */
    public static String first(String text, long maxBytes) {
        long left = maxBytes;
        int end = 0;
        while (end < text.length()) {
            int codePoint = text.codePointAt(end);
            left -= length(codePoint);
            if (left < 0) {
                break;
            }
            end += Character.charCount(codePoint);
        }
        return text.substring(0, end);
    }

    private static int length(int codePoint) {
        if (codePoint < 0x80) {
            return 1;
        }
        if (codePoint < 0x800) {
            return 2;
        }
        return codePoint < 0x10000 ? 3 : 4;
    }
}
