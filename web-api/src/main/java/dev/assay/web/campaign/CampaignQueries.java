package dev.assay.web.campaign;

import dev.assay.campaigns.account.CampaignAccounts;
import dev.assay.campaigns.health.StoredHealth;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.store.campaign.CampaignMarks;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.CampaignSearch;
import dev.assay.store.campaign.InterpreterRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.page.Page;
import dev.assay.store.page.PageRequest;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.stream.ChangeMarks;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Campaigns with their counters, as clients see them. */
@Singleton
public final class CampaignQueries {

    private static final Duration FRESH = Duration.ofMillis(250);

    /** What is said of a campaign changes with the time, too. */
    private static final long LONGEST = Duration.ofSeconds(15).toMillis();

    private final CampaignRepository campaigns;
    private final ProgressRepository progress;
    private final CampaignAccounts accounts;
    private final Summaries summaries;
    private final StoredHealth storedHealth;
    private final InterpreterRepository interpreters;
    private final ChangeMarks marks;

    CampaignQueries(
            CampaignRepository campaigns,
            ProgressRepository progress,
            CampaignAccounts accounts,
            Summaries summaries,
            StoredHealth storedHealth,
            InterpreterRepository interpreters,
            CampaignMarks marks) {
        this.interpreters = interpreters;
        this.marks = new ChangeMarks(marks, FRESH);
        this.campaigns = campaigns;
        this.progress = progress;
        this.accounts = accounts;
        this.summaries = summaries;
        this.storedHealth = storedHealth;
    }

    /**
     * The campaign.
     *
     * @throws AssayException NOT_FOUND
     */
    public StoredCampaign required(String campaignId) {
        return campaigns.required(campaignId);
    }

    /**
     * A text that differs when a view may. To be read before it.
     *
     * @return it differs after 15 s in any case
     */
    String tag(String campaignId) {
        long spread = System.currentTimeMillis() + Math.floorMod(campaignId.hashCode(), LONGEST);
        return "\"" + marks.of(campaignId) + "." + spread / LONGEST + "\"";
    }

    CampaignView view(String campaignId) {
        return view(required(campaignId));
    }

    /** The campaign as clients see it. */
    public CampaignView view(StoredCampaign campaign) {
        return CampaignView.of(campaign, accounts.read(campaign), interpreters.find(campaign.id()));
    }

    /**
     * What happened to a campaign, and what to do.
     *
     * @throws AssayException NOT_FOUND
     */
    public CampaignAccount account(String campaignId) {
        return accounts.read(required(campaignId)).account();
    }

    /** A page of campaigns, newest first. */
    public Page<CampaignView> list(CampaignSearch filter, PageRequest request) {
        Page<StoredCampaign> page = campaigns.list(filter, request);
        Map<String, CampaignCounters> counters =
                progress.find(page.items().stream().map(StoredCampaign::id).toList());
        return page.map(campaign -> listed(campaign, Objects.requireNonNull(counters.get(campaign.id()))));
    }

    private CampaignView listed(StoredCampaign campaign, CampaignCounters counters) {
        return CampaignView.of(campaign, counters, storedHealth.of(campaign, counters));
    }

    ProgressView progress(String campaignId) {
        StoredCampaign campaign = required(campaignId);
        return ProgressView.of(campaign, accounts.read(campaign));
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
}
