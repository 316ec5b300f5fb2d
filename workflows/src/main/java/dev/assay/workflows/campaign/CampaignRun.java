package dev.assay.workflows.campaign;

import dev.assay.workflows.evaluation.Pace;

/**
 * Input of {@link CampaignWorkflow}.
 *
 * @param campaignId the campaign
 * @param epoch the campaign's epoch at the start
 * @param nextSlice number of the next slice; 0 at the start, carried over by continue-as-new
 * @param pace speed measured so far; {@link Pace#UNKNOWN} at the start
 */
public record CampaignRun(String campaignId, int epoch, int nextSlice, Pace pace) {

    /** The first run of a campaign's workflow in {@code epoch}. */
    public static CampaignRun start(String campaignId, int epoch) {
        return new CampaignRun(campaignId, epoch, 0, Pace.UNKNOWN);
    }
}
