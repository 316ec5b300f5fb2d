package dev.assay.store.campaign;

import org.jspecify.annotations.Nullable;

/**
 * The sender of a submission.
 *
 * @param createdBy a token's name; {@code local} or {@code command} without one; null: not known
 * @param idempotencyKey the client's name of this submission; null: none
 */
public record SubmissionOrigin(
        @Nullable String createdBy, @Nullable String idempotencyKey) {

    /** Of nobody that is known. */
    public static final SubmissionOrigin UNKNOWN = new SubmissionOrigin(null, null);
}
