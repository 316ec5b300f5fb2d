package dev.assay.activities.provider.delivery;

import dev.assay.activities.model.CallSign;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What is known of a batch after its one submission. */
public sealed interface Submission {

    /**
     * The provider has it.
     *
     * @param providerId its id there
     * @param expiresAt when the provider gives up on it; null: it does not say
     * @param account hash of the account that the answer names; null: it names none
     */
    record Accepted(
            String providerId,
            @Nullable Instant expiresAt,
            @Nullable String account) implements Submission {}

    /**
     * The provider surely does not have it.
     *
     * @param status of HTTP; 0: no connection was made
     * @param retryLater whether the same submission may be accepted later, or with another key: status 0, 401 and 429
     * @param code the provider's word; empty: none
     * @param words a sentence, with the provider's own words, without the key
     * @param retryAfter how long it asks to wait; null: it does not say
     * @param sign what it says of the key
     */
    record Refused(
            int status,
            boolean retryLater,
            String code,
            String words,
            @Nullable Duration retryAfter,
            CallSign sign) implements Submission {}

    /**
     * The provider may have it: its answer was lost, or says neither.
     *
     * @param words a sentence that says what happened, without the key
     */
    record Unknown(String words) implements Submission {}
}
