package dev.assay.activities.provider.delivery;

import dev.assay.activities.model.ModelException;
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
     * @param asLive the same as the failure of a live call
     */
    record Refused(int status, boolean retryLater, String code, ModelException asLive) implements Submission {

        /** A sentence, with the provider's own words, without the key. */
        public String words() {
            return asLive.failure().message();
        }

        /** How long the provider asks to wait; null: it does not say. */
        public @Nullable Duration retryAfter() {
            return asLive.retryAfter();
        }
    }

    /**
     * The provider may have it: its answer was lost, or says neither.
     *
     * @param words a sentence that says what happened, without the key
     */
    record Unknown(String words) implements Submission {}
}
