package dev.assay.domain.compaction;

import dev.assay.domain.text.Utf8;

/** The estimated tokens of a text: a quarter of its UTF-8 bytes, rounded up (docs/judging.md). */
public final class TokenEstimate {

    private static final int BYTES_PER_TOKEN = 4;

    private TokenEstimate() {}

    /** The estimate for {@code text}, at least 0. */
    public static long of(String text) {
        return ofBytes(Utf8.length(text));
    }

    /** The estimate for a text of {@code bytes} bytes in UTF-8, at least 0. */
    public static long ofBytes(long bytes) {
        return Math.ceilDiv(bytes, BYTES_PER_TOKEN);
    }

    /** The bytes of the longest text that is taken to have {@code tokens} tokens. */
    static long bytes(long tokens) {
        return tokens * BYTES_PER_TOKEN;
    }
}
