package dev.assay.activities.campaign;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import jakarta.inject.Singleton;

/** Finds the campaigns that activities name. */
@Singleton
public class CampaignDirectory {

    private final CampaignRepository campaigns;

    public CampaignDirectory(CampaignRepository campaigns) {
        this.campaigns = campaigns;
    }

    /**
     * The campaign as it stands now.
     *
     * @throws AssayException NOT_FOUND
     */
    public StoredCampaign get(String campaignId) {
        return campaigns
                .find(campaignId)
                .orElseThrow(() -> new AssayException(
                        ErrorCode.NOT_FOUND, "There is no campaign " + campaignId + " in this database"));
    }
}
