package dev.assay.web.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.baseline.Baselines;
import dev.assay.campaigns.scoring.AnswerCopies;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.campaignfile.CampaignSubmission;
import dev.assay.domain.campaignfile.ScoringReader;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.suite.Suite;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.store.scoring.ScoringRepository;
import dev.assay.store.suite.CaseRepository;
import dev.assay.web.campaign.CampaignIds;
import dev.assay.web.document.RequestReader;
import jakarta.inject.Singleton;
import java.util.List;

/** Takes scoring files: it validates everything, then stores everything, and only then has the answers copied. */
@Singleton
public final class ScoringSubmitter {

    private final CampaignRepository campaigns;
    private final CaseRepository cases;
    private final ScoringRepository scorings;
    private final ProviderQueries providers;
    private final Baselines baselines;
    private final AnswerCopies copies;
    private final RequestReader reader;

    ScoringSubmitter(
            CampaignRepository campaigns,
            CaseRepository cases,
            ScoringRepository scorings,
            ProviderQueries providers,
            Baselines baselines,
            AnswerCopies copies,
            RequestReader reader) {
        this.campaigns = campaigns;
        this.cases = cases;
        this.scorings = scorings;
        this.providers = providers;
        this.baselines = baselines;
        this.copies = copies;
        this.reader = reader;
    }

    /**
     * Submits a scoring.
     *
     * @param ofId the campaign whose answers are scored
     * @param document the scoring file
     * @param origin who sends it
     * @return the scoring, created now or earlier with the same key
     * @throws AssayException NOT_FOUND; CONFLICT when that campaign goes on, or is an evaluation; INVALID_INPUT with everything that
     *     is wrong. Nothing is stored then
     */
    public StoredCampaign submit(String ofId, JsonNode document, SubmissionOrigin origin) {
        StoredCampaign of = answers(ofId);
        CampaignSubmission submission = read(of, document, providers.offer());
        baselines.check(submission.definition());
        String newId = CampaignIds.next(submission.definition().name());
        String id = scorings.create(newId, of, branches(of, submission.definition()), submission, origin);
        StoredCampaign scoring = campaigns.required(id);
        if (scoring.awaitsAnswers()) {
            copies.begin(id);
        }
        return scoring;
    }

    /**
     * A campaign whose answers can be scored.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when it goes on, or is an evaluation
     */
    public StoredCampaign answers(String id) {
        StoredCampaign of = campaigns.required(id);
        requireAnswers(of);
        return of;
    }

    /**
     * Reads a scoring file.
     *
     * @param of the campaign whose answers are scored
     * @throws AssayException INVALID_INPUT with everything that is wrong
     */
    public CampaignSubmission read(StoredCampaign of, JsonNode document, WorkerCapabilities offer) {
        CampaignDefinition definition = of.definition().withTrials(of.trials());
        Suite suite = cases.all(of.suiteId(), of.suite().name(), of.caseCount());
        return reader.read("Reading the scoring file", () -> ScoringReader.read(document, definition, suite, offer));
    }

    private static void requireAnswers(StoredCampaign of) {
        if (of.isEvaluation() || of.scoresHypotheses()) {
            throw new AssayException(
                    ErrorCode.CONFLICT, of.id() + " is an evaluation, whose answers are not scored: score a campaign");
        }
        if (!of.state().ended()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + of.id() + " is " + of.state() + ": score it when it has ended, or cancel it first");
        }
    }

    /** The places of the scored branches among those of the campaign. */
    private static List<Integer> branches(StoredCampaign of, CampaignDefinition scoring) {
        List<String> ids = of.definition().branches().stream().map(Branch::id).toList();
        return scoring.branches().stream()
                .map(branch -> ids.indexOf(branch.id()))
                .toList();
    }
}
