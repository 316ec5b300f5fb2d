package dev.assay.store.evaluation;

import dev.assay.domain.campaign.CancelRule;
import dev.assay.store.campaign.StoredCampaign;
import org.jspecify.annotations.Nullable;

/**
 * An evaluation.
 *
 * @param campaign what runs
 * @param sessionId the conversation that it belongs to
 * @param continuesId the evaluation from whose selected context it goes on; null: it began the session
 * @param onCancel what becomes of it when it is cancelled
 * @param events number of its latest event
 */
public record StoredEvaluation(
        StoredCampaign campaign, String sessionId, @Nullable String continuesId, CancelRule onCancel, long events) {

    public String id() {
        return campaign.id();
    }
}
