package dev.assay.workflows.campaign;

import org.jspecify.annotations.Nullable;

/**
 * Answer of the query {@code progress}.
 *
 * @param phase what the workflow does: PLANNING, RUNNING, WAITING, AGGREGATING, ENDED
 * @param epoch the campaign's epoch as the workflow knows it
 * @param trialsDone trials done when the workflow last planned
 * @param observed what PostgreSQL said when it was last asked; null before
 */
public record CampaignProgress(
        String campaignId,
        String phase,
        int epoch,
        int trialsTotal,
        int trialsDone,
        int slicesRunning,
        int slicesDone,
        @Nullable Observation observed) {}
