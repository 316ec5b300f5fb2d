package dev.assay.web.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.document.RequestReader;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Takes campaign files: everything is validated, then everything is stored, and only then a workflow starts. */
@Singleton
public final class CampaignSubmitter {

    private final ProviderQueries providers;
    private final CampaignRepository campaigns;
    private final CampaignLauncher launcher;
    private final RequestReader reader;

    CampaignSubmitter(
            ProviderQueries providers, CampaignRepository campaigns, CampaignLauncher launcher, RequestReader reader) {
        this.reader = reader;
        this.providers = providers;
        this.campaigns = campaigns;
        this.launcher = launcher;
    }

    /**
     * Submits a campaign.
     *
     * @param document the campaign file with its suite and cassettes inlined
     * @param idempotencyKey what the client calls this submission; null: nothing
     * @return the campaign, which was created now or earlier with the same key
     * @throws dev.assay.domain.error.AssayException with everything that is wrong; nothing is stored then
     */
    public StoredCampaign submit(JsonNode document, @Nullable String idempotencyKey) {
        WorkerCapabilities offer = providers.offer();
        CampaignSubmission submission =
                reader.compute("Reading the campaign file", () -> CampaignReader.read(document, offer));
        String newId = CampaignIds.next(submission.definition().name());
        String campaignId = campaigns.create(newId, submission, idempotencyKey);
        StoredCampaign campaign = campaigns.find(campaignId).orElseThrow(() -> CampaignQueries.missing(campaignId));
        if (campaignId.equals(newId)) {
            launcher.startSoon(campaign);
        }
        return campaign;
    }
}
