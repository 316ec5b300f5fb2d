package dev.assay.web.hypothesis;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.domain.campaignfile.HypothesisReader;
import dev.assay.domain.campaignfile.HypothesisReader.HypothesisSubmission;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.hypothesis.HypothesisRepository;
import dev.assay.store.hypothesis.StoredHypotheses;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.campaign.CampaignIds;
import dev.assay.web.document.RequestReader;
import jakarta.inject.Singleton;

/** The intake of hypothesis evaluations. */
@Singleton
final class HypothesisEvaluations {

    private final ProviderQueries providers;
    private final HypothesisRepository hypotheses;
    private final HypothesisQueries reads;
    private final CampaignLauncher launcher;
    private final RequestReader reader;

    HypothesisEvaluations(
            ProviderQueries providers,
            HypothesisRepository hypotheses,
            HypothesisQueries reads,
            CampaignLauncher launcher,
            RequestReader reader) {
        this.providers = providers;
        this.hypotheses = hypotheses;
        this.reads = reads;
        this.launcher = launcher;
        this.reader = reader;
    }

    /**
     * Submits an evaluation: it validates everything, then stores everything, and only then starts a workflow.
     *
     * @param origin who sends it
     * @throws dev.assay.domain.error.AssayException with everything that is wrong; nothing is stored then
     */
    StoredHypotheses submit(JsonNode document, SubmissionOrigin origin) {
        WorkerCapabilities offer = providers.offer();
        HypothesisSubmission submission =
                reader.read("Reading the hypothesis evaluation", () -> HypothesisReader.read(document, offer));
        String newId = CampaignIds.next(submission.campaign().definition().name());
        StoredHypotheses evaluation = reads.required(hypotheses.create(newId, submission, origin));
        if (evaluation.id().equals(newId)) {
            launcher.startSoon(evaluation.campaign());
        }
        return evaluation;
    }
}
