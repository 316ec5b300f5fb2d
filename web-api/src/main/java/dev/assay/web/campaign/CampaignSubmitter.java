package dev.assay.web.campaign;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignReader;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.command.CommandRules;
import dev.assay.domain.document.Problems;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.text.Excerpt;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.document.RequestReader;
import jakarta.inject.Singleton;
import java.util.List;

/** Takes campaign files: it validates everything, then stores everything, and only then starts a workflow. */
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
     * @param origin who sends it
     * @return the campaign, created now or earlier with the same key
     * @throws dev.assay.domain.error.AssayException with everything that is wrong; nothing is stored then
     */
    public StoredCampaign submit(JsonNode document, SubmissionOrigin origin) {
        WorkerCapabilities offer = providers.offer();
        CommandRules.fillParallel(document, Runtime.getRuntime().availableProcessors());
        CampaignSubmission submission =
                reader.read("Reading the campaign file", () -> CampaignReader.read(document, offer));
        checkBaseline(submission.definition());
        String newId = CampaignIds.next(submission.definition().name());
        String campaignId = campaigns.create(newId, submission, origin);
        StoredCampaign campaign = campaigns.find(campaignId).orElseThrow(() -> CampaignQueries.missing(campaignId));
        if (campaignId.equals(newId)) {
            launcher.startSoon(campaign);
        }
        return campaign;
    }

    /**
     * Checks that the campaign which the gate names is there, with a branch for each that the gate looks at.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when it is not
     */
    public void checkBaseline(CampaignDefinition definition) {
        GatePolicy gate = definition.gate();
        BaselineRule baseline = gate.baseline();
        if (baseline == null) {
            return;
        }
        Problems problems = new Problems();
        StoredCampaign earlier = campaigns.find(baseline.campaign()).orElse(null);
        if (earlier == null) {
            problems.add("gate.baseline.campaign", "There is no campaign " + Excerpt.of(baseline.campaign()) + ".");
        } else {
            List<String> gated = gate.branches().isEmpty() ? ids(definition) : gate.branches();
            checkBranches(baseline.branch() == null ? gated : List.of(baseline.branch()), baseline, earlier, problems);
        }
        problems.throwIfAny("campaign file");
    }

    private static void checkBranches(
            List<String> wanted, BaselineRule baseline, StoredCampaign earlier, Problems problems) {
        List<String> known = ids(earlier.definition());
        boolean takesTheOnlyOne = baseline.branch() == null && known.size() == 1;
        if (!takesTheOnlyOne && !known.containsAll(wanted)) {
            problems.add(
                    "gate.baseline.branch",
                    "Campaign " + earlier.id() + " has no branch "
                            + Excerpt.of(wanted.stream()
                                    .filter(id -> !known.contains(id))
                                    .findFirst()
                                    .orElseThrow())
                            + "; name one of " + String.join(", ", known) + ".");
        }
    }

    private static List<String> ids(CampaignDefinition definition) {
        return definition.branches().stream().map(Branch::id).toList();
    }
}
