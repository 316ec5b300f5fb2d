package dev.assay.activities.cell;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.store.campaign.StoredCampaign;
import jakarta.inject.Singleton;

/** Says who listens to the agent loops of a campaign. */
@Singleton
public class CampaignEvents {

    /** Where the events of {@code campaign}'s loops go. */
    public AgentEvents of(StoredCampaign campaign) {
        return AgentEvents.NONE;
    }
}
