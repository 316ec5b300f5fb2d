package dev.assay.web.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.baseline.Baselines;
import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.campaigns.launch.ReuseSources;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.command.CommandRules;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.document.RequestReader;
import jakarta.inject.Singleton;

/** Takes campaign files: it validates everything, then stores everything, and only then starts a workflow. */
@Singleton
public final class CampaignSubmitter {

    private final ProviderQueries providers;
    private final CampaignRepository campaigns;
    private final Baselines baselines;
    private final ReuseSources reuse;
    private final CampaignLauncher launcher;
    private final RequestReader reader;

    CampaignSubmitter(
            ProviderQueries providers,
            CampaignRepository campaigns,
            Baselines baselines,
            ReuseSources reuse,
            CampaignLauncher launcher,
            RequestReader reader) {
        this.reader = reader;
        this.providers = providers;
        this.campaigns = campaigns;
        this.baselines = baselines;
        this.reuse = reuse;
        this.launcher = launcher;
    }

    /**
     * Submits a campaign.
     *
     * @param document the campaign file with its suite and cassettes inlined
     * @param origin who sends it
     * @return the campaign, created now or earlier with the same key
     * @throws dev.assay.domain.error.AssayException with everything that is wrong; nothing is stored then
     */
    public StoredCampaign submit(JsonNode document, SubmissionOrigin origin) {
        WorkerCapabilities offer = providers.offer();
        CommandRules.fillParallel(document, Runtime.getRuntime().availableProcessors());
        CampaignSubmission submission =
                reader.read("Reading the campaign file", () -> CampaignReader.read(document, offer));
        baselines.check(submission.definition());
        reuse.check(submission.definition());
        String newId = CampaignIds.next(submission.definition().name());
        String campaignId = campaigns.create(newId, submission, origin);
        StoredCampaign campaign = campaigns.required(campaignId);
        if (campaignId.equals(newId)) {
            launcher.startSoon(campaign);
        }
        return campaign;
    }
}
