package dev.assay.store.imported;

import org.jspecify.annotations.Nullable;

/**
 * An import whose results arrive.
 *
 * @param header as it was sent, JSON
 * @param createdBy who sends it; null: not known
 * @param pieces how many arrived
 * @param campaignId the campaign that was made of it; null: it is not finished
 */
public record ImportUpload(
        String id,
        String header,
        @Nullable String createdBy,
        int pieces,
        @Nullable String campaignId) {}
