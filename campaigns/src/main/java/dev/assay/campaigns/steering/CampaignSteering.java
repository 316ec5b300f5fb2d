package dev.assay.campaigns.steering;

import dev.assay.campaigns.launch.BatchLauncher;
import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import jakarta.inject.Singleton;

/**
 * Steers campaigns: it first changes PostgreSQL, then signals the workflow. Repeating a request changes nothing, but signals the
 * workflow again, in case that it missed the first signal.
 */
@Singleton
public final class CampaignSteering {

    private final CampaignChanges changes;
    private final CampaignRepository campaigns;
    private final CampaignLauncher launcher;
    private final BatchLauncher batches;

    CampaignSteering(
            CampaignChanges changes, CampaignRepository campaigns, CampaignLauncher launcher, BatchLauncher batches) {
        this.changes = changes;
        this.campaigns = campaigns;
        this.launcher = launcher;
        this.batches = batches;
    }

    /**
     * Pauses, resumes or cancels a campaign (see {@link CampaignChanges#steer}).
     *
     * @throws AssayException NOT_FOUND; CONFLICT when its state refuses the verb
     */
    public StoredCampaign steer(String campaignId, SteeringVerb verb) {
        int epochBefore = campaigns.find(campaignId).map(StoredCampaign::epoch).orElse(0);
        StoredCampaign campaign = changes.steer(campaignId, verb);
        boolean unchanged = campaign.epoch() == epochBefore;
        boolean restart = verb == SteeringVerb.RESUME && unchanged && isLost(campaign);
        return told(
                restart
                        ? campaigns
                                .raiseEpoch(campaignId, SteeringVerb.RESUME.content())
                                .orElse(campaign)
                        : campaign,
                verb.participle());
    }

    /**
     * Changes the limits of a campaign (see {@link CampaignChanges#change}).
     *
     * @throws AssayException NOT_FOUND; INVALID_INPUT with everything that the campaign cannot take
     */
    public StoredCampaign change(String campaignId, LimitChange change) {
        return told(changes.change(campaignId, change), "limits changed");
    }

    /**
     * Runs cells again that failed or errored, or all of some branches (see {@link CampaignChanges#rerun}).
     *
     * @throws AssayException NOT_FOUND; INVALID_INPUT with every case and branch that the campaign does not have
     */
    public StoredCampaign rerun(String campaignId, Rerun rerun) {
        return told(changes.rerun(campaignId, rerun), "cells run again");
    }

    /** Signals the workflow that the campaign changed; a campaign that goes on gets a workflow if it has none. */
    private StoredCampaign told(StoredCampaign campaign, String what) {
        if (campaign.state().goesOn()) {
            launcher.wake(campaign, what);
        } else {
            launcher.tell(campaign, what);
            batches.lookAtAll(campaign.id());
        }
        return campaign;
    }

    /** A campaign that should go on and has no workflow lost its process: a new epoch frees the claims of the dead. */
    private boolean isLost(StoredCampaign campaign) {
        return campaign.state().goesOn() && !launcher.isRunning(campaign.id());
    }
}
