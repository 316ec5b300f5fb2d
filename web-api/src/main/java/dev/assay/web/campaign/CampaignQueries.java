package dev.assay.web.campaign;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.result.SummaryRepository;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Campaigns with their counters, as clients see them. */
@Singleton
public final class CampaignQueries {

    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final SpendQueries spend;
    private final SummaryRepository summaries;
    private final HealthQueries health;

    CampaignQueries(
            CampaignRepository campaigns,
            ProgressRepository progress,
            SpendQueries spend,
            SummaryRepository summaries,
            HealthQueries health) {
        this.campaigns = campaigns;
        this.progress = progress;
        this.spend = spend;
        this.summaries = summaries;
        this.health = health;
    }

    /**
     * The campaign.
     *
     * @throws AssayException NOT_FOUND
     */
    public StoredCampaign required(String campaignId) {
        return campaigns.find(campaignId).orElseThrow(() -> missing(campaignId));
    }

    CampaignView view(String campaignId) {
        return view(required(campaignId));
    }

    CampaignView view(StoredCampaign campaign) {
        CampaignCounters counters = counters(campaign.id());
        return CampaignView.of(campaign, counters, health.of(campaign, counters));
    }

    Page<CampaignView> list(Set<CampaignState> states, @Nullable String pageToken, int pageSize) {
        Page<StoredCampaign> page = campaigns.list(states, pageToken, pageSize);
        Map<String, CampaignCounters> counters =
                progress.find(page.items().stream().map(StoredCampaign::id).toList());
        return page.map(
                campaign -> CampaignView.of(campaign, Objects.requireNonNull(counters.get(campaign.id())), null));
    }

    ProgressView progress(String campaignId) {
        StoredCampaign campaign = required(campaignId);
        CampaignCounters counters = counters(campaignId);
        return ProgressView.of(
                campaign, counters, spend.of(campaign, counters.cellsDone()), health.of(campaign, counters));
    }

    /** The campaign's summary as JSON: as it was stored at the end, else of the results as they stand now. */
    String report(String campaignId) {
        StoredCampaign campaign = required(campaignId);
        return campaigns.summary(campaignId).orElseGet(() -> Json.write(summaries.summarize(campaign)));
    }

    private CampaignCounters counters(String campaignId) {
        return progress.find(campaignId).orElseThrow(() -> missing(campaignId));
    }

    static AssayException missing(String campaignId) {
        return new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId);
    }
}
