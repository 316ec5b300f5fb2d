package dev.assay.web.campaign;

import dev.assay.campaigns.health.HealthQueries;
import dev.assay.campaigns.health.StoredHealth;
import dev.assay.campaigns.plan.ExpectedEnds;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** Campaigns with their counters, as clients see them. */
@Singleton
public final class CampaignQueries {

    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final SpendQueries spend;
    private final Summaries summaries;
    private final HealthQueries health;
    private final StoredHealth storedHealth;
    private final ExpectedEnds ends;

    CampaignQueries(
            CampaignRepository campaigns,
            ProgressRepository progress,
            SpendQueries spend,
            Summaries summaries,
            HealthQueries health,
            StoredHealth storedHealth,
            ExpectedEnds ends) {
        this.campaigns = campaigns;
        this.progress = progress;
        this.spend = spend;
        this.summaries = summaries;
        this.health = health;
        this.storedHealth = storedHealth;
        this.ends = ends;
    }

    /**
     * The campaign.
     *
     * @throws AssayException NOT_FOUND
     */
    public StoredCampaign required(String campaignId) {
        return campaigns.required(campaignId);
    }

    CampaignView view(String campaignId) {
        return view(required(campaignId));
    }

    CampaignView view(StoredCampaign campaign) {
        CampaignCounters counters = counters(campaign.id());
        return CampaignView.of(campaign, counters, ends.of(campaign, counters), health.of(campaign, counters));
    }

    Page<CampaignView> list(CampaignSearch filter, PageRequest request) {
        Page<StoredCampaign> page = campaigns.list(filter, request);
        Map<String, CampaignCounters> counters =
                progress.find(page.items().stream().map(StoredCampaign::id).toList());
        return page.map(campaign -> listed(campaign, Objects.requireNonNull(counters.get(campaign.id()))));
    }

    private CampaignView listed(StoredCampaign campaign, CampaignCounters counters) {
        return CampaignView.of(campaign, counters, null, storedHealth.of(campaign, counters));
    }

    ProgressView progress(String campaignId) {
        StoredCampaign campaign = required(campaignId);
        CampaignCounters counters = counters(campaignId);
        return ProgressView.of(
                campaign,
                counters,
                ends.of(campaign, counters),
                spend.of(campaign, counters.cellsDone()),
                health.of(campaign, counters));
    }

    /** The campaign's summary as JSON: as it was stored at the end, else of the results as they stand now. */
    byte[] report(String campaignId) {
        StoredCampaign campaign = required(campaignId);
        return campaigns
                .summary(campaignId)
                .map(stored -> stored.getBytes(StandardCharsets.UTF_8))
                .orElseGet(() -> Json.bytes(summaries.summarize(campaign)));
    }

    /** The campaign's summary: as it was stored at the end, else of the results as they stand now. */
    public CampaignSummary summary(StoredCampaign campaign) {
        return campaigns
                .summary(campaign.id())
                .map(stored -> Json.read(stored, CampaignSummary.class))
                .orElseGet(() -> summaries.summarize(campaign));
    }

    /** The report without the results of each case, which are most of a large one. */
    byte[] reportWithoutCases(String campaignId) {
        return ReportWithoutCases.of(report(campaignId));
    }

    private CampaignCounters counters(String campaignId) {
        return progress.find(campaignId).orElseThrow(() -> CampaignRepository.missing(campaignId));
    }
}
