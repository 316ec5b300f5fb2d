package dev.assay.campaigns.launch;

import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.document.Problems;
import dev.assay.domain.draw.ReusePolicy;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.campaign.CampaignRepository;
import jakarta.inject.Singleton;

/** Checks the campaigns whose stored answers a campaign takes. */
@Singleton
public final class ReuseSources {

    private final CampaignRepository campaigns;

    ReuseSources(CampaignRepository campaigns) {
        this.campaigns = campaigns;
    }

    /**
     * Checks that each is there.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when one is not
     */
    public void check(CampaignDefinition definition) {
        ReusePolicy reuse = definition.reuse();
        if (reuse == null) {
            return;
        }
        Problems problems = new Problems();
        reuse.campaigns().stream()
                .filter(id -> campaigns.find(id).isEmpty())
                .forEach(id -> problems.add(
                        "reuse.from", "There is no campaign " + Excerpt.of(id) + "; name others, or `any`."));
        problems.throwIfAny("campaign file");
    }
}
