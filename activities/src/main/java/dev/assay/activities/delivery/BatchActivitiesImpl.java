package dev.assay.activities.delivery;

import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.workflows.delivery.BatchActivities;
import io.temporal.activity.Activity;
import jakarta.inject.Singleton;
import java.util.List;

/** The activities of provider batches. */
@Singleton
public class BatchActivitiesImpl implements BatchActivities {

    private final CampaignDirectory campaigns;
    private final Enlisting enlisting;
    private final BatchSteps steps;

    public BatchActivitiesImpl(CampaignDirectory campaigns, Enlisting enlisting, BatchSteps steps) {
        this.campaigns = campaigns;
        this.enlisting = enlisting;
        this.steps = steps;
    }

    @Override
    public Enlisted enlist(EnlistRequest request) {
        StoredCampaign campaign = campaigns.get(request.campaignId());
        if (campaign.epoch() != request.epoch() || campaign.state() != CampaignState.RUNNING) {
            return new Enlisted(List.of(), true, 0);
        }
        try (Heartbeats ignored = Heartbeats.begin(Activity.getExecutionContext())) {
            return enlisting.enlist(campaign, request);
        } catch (InterruptedException e) {
            throw stopped(e);
        }
    }

    @Override
    public Step advance(String batchId) {
        try (Heartbeats ignored = Heartbeats.begin(Activity.getExecutionContext())) {
            return steps.next(batchId);
        } catch (InterruptedException e) {
            throw stopped(e);
        }
    }

    /** The worker ends: another one takes the step again. */
    private static IllegalStateException stopped(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("The worker ended during a step of a batch", e);
    }
}
