package dev.assay.store.access;

import dev.assay.domain.text.Excerpt;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The texts of clients as the audit keeps them: short, on one line, and without tokens that stand in an address by mistake. */
final class AuditText {

    /** Longest stored text, in characters. */
    private static final int LONGEST = 500;

    /** A token, or so much of one that the rest could be guessed. */
    private static final Pattern TOKEN =
            Pattern.compile(TokenRepository.PREFIX + "[0-9a-f]{16,}", Pattern.CASE_INSENSITIVE);

    private AuditText() {}

    static String of(String text) {
        return Excerpt.of(TOKEN.matcher(text).replaceAll("[token]"), LONGEST);
    }

    static @Nullable String orNull(@Nullable String text) {
        return text == null ? null : of(text);
    }
}
