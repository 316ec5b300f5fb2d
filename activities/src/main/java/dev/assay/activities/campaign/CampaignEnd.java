package dev.assay.activities.campaign;

import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.trial.TrialRepository;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a campaign with no open cell: recount, sum, gate, stored result. */
@Singleton
public class CampaignEnd {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignEnd.class);

    private final CampaignDirectory directory;
    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final Summaries summaries;
    private final TrialRepository trials;

    public CampaignEnd(
            CampaignDirectory directory,
            CampaignRepository campaigns,
            ProgressRepository progress,
            Summaries summaries,
            TrialRepository trials) {
        this.directory = directory;
        this.campaigns = campaigns;
        this.progress = progress;
        this.summaries = summaries;
        this.trials = trials;
    }

    /**
     * Does nothing when the campaign is not RUNNING in the run's epoch any more, or when cells were opened meanwhile. Begins a new
     * epoch instead when the budget was raised while the campaign ran: what was skipped for it is open again.
     */
    public void complete(RunKey run) {
        StoredCampaign campaign = directory.get(run.campaignId());
        boolean wanted = campaign.epoch() == run.epoch() && campaign.state() == CampaignState.RUNNING;
        if (!wanted || anyOpen(campaign)) {
            return;
        }
        if (campaign.standing().reopensSkipped()) {
            campaigns.reopenSkipped(run);
            return;
        }
        progress.recount(campaign.id());
        CampaignSummary summary = summaries.summarize(campaign);
        Map<String, Proportion> rates = summary.branches().stream()
                .collect(Collectors.toMap(BranchSummary::branchId, BranchSummary::trialPassRate));
        if (campaigns.complete(campaign, summary.verdict(), Json.write(summary), rates)) {
            LOG.info("Campaign {} ended: {}", campaign.id(), summary.verdict());
        }
    }

    private boolean anyOpen(StoredCampaign campaign) {
        return !trials.open(campaign.run(), 0, campaign.grid().size(), 1).isEmpty();
    }
}
