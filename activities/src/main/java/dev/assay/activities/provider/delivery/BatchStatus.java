package dev.assay.activities.provider.delivery;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a batch is.
 *
 * @param ended whether none of its lines changes any more. Words that are not known do not say so
 * @param failed why the provider took none of its lines; null: it took them, or has not looked yet
 * @param total its lines; 0: not known yet
 * @param completed lines that were answered, as far as the provider says
 * @param failedLines lines that ended otherwise, as far as it says
 * @param files what there is to read when it ended, as {@link BatchWire#results} reads it
 * @param expiresAt when the provider gives up on it; null: it does not say
 * @param account hash of the account that the answer names; null: it names none
 */
public record BatchStatus(
        String providerId,
        boolean ended,
        @Nullable Failed failed,
        long total,
        long completed,
        long failedLines,
        List<String> files,
        @Nullable Instant expiresAt,
        @Nullable String account) {

    /**
     * Why a batch as a whole failed.
     *
     * @param code the provider's word, such as {@code token_limit_exceeded}; empty: none
     * @param words the provider's own sentence on one line, at most 300 characters, without the key
     */
    public record Failed(String code, String words) {}

    public BatchStatus {
        files = List.copyOf(files);
    }
}
