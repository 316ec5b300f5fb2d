package dev.assay.activities.campaign;

import dev.assay.domain.error.ErrorCode;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import io.temporal.failure.ApplicationFailure;
import jakarta.inject.Singleton;

/** The campaigns that activities name. */
@Singleton
public class CampaignDirectory {

    private final CampaignRepository campaigns;

    public CampaignDirectory(CampaignRepository campaigns) {
        this.campaigns = campaigns;
    }

    /**
     * The campaign as it stands now.
     *
     * @throws ApplicationFailure NOT_FOUND, which ends its workflow: no retry would find it
     */
    public StoredCampaign get(String campaignId) {
        return campaigns
                .find(campaignId)
                .orElseThrow(() -> ApplicationFailure.newNonRetryableFailure(
                        "There is no campaign " + campaignId
                                + " in this database: it may have been restored from an older backup, or be another"
                                + " one",
                        ErrorCode.NOT_FOUND.name()));
    }
}
