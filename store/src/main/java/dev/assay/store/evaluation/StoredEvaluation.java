package dev.assay.store.evaluation;

import dev.assay.domain.campaign.CancelPolicy;
import dev.assay.store.campaign.StoredCampaign;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation.
 *
 * @param continuesId the evaluation from whose selected context it goes on; null: it began the session
 * @param onCancel the result when it is cancelled
 * @param keepsConcurrency whether {@code maxConcurrent} was written
 */
public record StoredEvaluation(
        StoredCampaign campaign, @Nullable String continuesId, CancelPolicy onCancel, boolean keepsConcurrency) {

    public String id() {
        return campaign.id();
    }

    /** The conversation that it belongs to. */
    public String sessionId() {
        return campaign.sessionId(0);
    }
}
