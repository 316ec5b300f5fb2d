package dev.assay.activities.campaign;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.CampaignSummary;
import dev.assay.domain.json.Json;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.result.SummaryRepository;
import dev.assay.store.trial.TrialRepository;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a campaign with no open cell: recounts it, adds it up, asks the gate, stores the result. */
@Singleton
public class CampaignEnd {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignEnd.class);

    private final CampaignDirectory directory;
    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final SummaryRepository summaries;
    private final TrialRepository trials;

    public CampaignEnd(
            CampaignDirectory directory,
            CampaignRepository campaigns,
            ProgressRepository progress,
            SummaryRepository summaries,
            TrialRepository trials) {
        this.directory = directory;
        this.campaigns = campaigns;
        this.progress = progress;
        this.summaries = summaries;
        this.trials = trials;
    }

    /** Does nothing when the campaign is not RUNNING in {@code epoch} any more, or when trials were added meanwhile. */
    public void complete(String campaignId, int epoch) {
        StoredCampaign campaign = directory.get(campaignId);
        boolean wanted = campaign.epoch() == epoch && campaign.state() == CampaignState.RUNNING;
        if (!wanted || anyOpen(campaign)) {
            return;
        }
        progress.recount(campaignId);
        CampaignSummary summary = summaries.summarize(campaign);
        if (campaigns.complete(campaignId, epoch, summary.verdict(), Json.write(summary))) {
            LOG.info("Campaign {} ended: {}", campaignId, summary.verdict());
        }
    }

    private boolean anyOpen(StoredCampaign campaign) {
        return !trials.open(campaign.id(), campaign.epoch(), 0, campaign.grid().size(), 1)
                .isEmpty();
    }
}
