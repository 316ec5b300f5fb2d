package dev.assay.activities.call;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evaluation.EventRepository;
import jakarta.inject.Singleton;
import java.util.List;

/** Says who listens to the agent loops of a campaign: the events of evaluations are recorded, nobody reads those of others. */
@Singleton
public class CampaignEvents {

    private final EventRepository events;

    public CampaignEvents(EventRepository events) {
        this.events = events;
    }

    /** Where the events of {@code campaign}'s loops go. */
    public AgentEvents of(StoredCampaign campaign) {
        return campaign.isEvaluation() ? event -> events.append(campaign.id(), List.of(event)) : AgentEvents.NONE;
    }
}
