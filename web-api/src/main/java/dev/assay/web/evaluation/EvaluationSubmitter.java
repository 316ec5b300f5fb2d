package dev.assay.web.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.domain.campaignfile.EvaluationReader;
import dev.assay.domain.campaignfile.EvaluationSubmission;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.store.campaign.SubmissionOrigin;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluation.EvaluationRepository.Place;
import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.campaign.CampaignIds;
import dev.assay.web.document.RequestReader;
import jakarta.inject.Singleton;

/** Takes evaluations and continuations: it validates everything, then stores everything, and only then starts a workflow. */
@Singleton
final class EvaluationSubmitter {

    private final ProviderQueries providers;
    private final EvaluationRepository evaluations;
    private final EvaluationQueries reads;
    private final CampaignLauncher launcher;
    private final RequestReader reader;

    EvaluationSubmitter(
            ProviderQueries providers,
            EvaluationRepository evaluations,
            EvaluationQueries reads,
            CampaignLauncher launcher,
            RequestReader reader) {
        this.reader = reader;
        this.providers = providers;
        this.evaluations = evaluations;
        this.reads = reads;
        this.launcher = launcher;
    }

    /**
     * Submits an evaluation that begins a session.
     *
     * @param origin who sends it
     * @throws AssayException with everything that is wrong; nothing is stored then
     */
    StoredEvaluation submit(JsonNode document, SubmissionOrigin origin) {
        WorkerCapabilities offer = providers.offer();
        EvaluationSubmission submission =
                reader.read("Reading the evaluation", () -> EvaluationReader.read(document, offer));
        return store(submission, new Place(CampaignIds.next("session"), null), origin);
    }

    /**
     * Continues from the selected context of an evaluation that has ended.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when it goes on or selected nothing; INVALID_INPUT with everything that is wrong
     */
    StoredEvaluation proceed(String evaluationId, JsonNode document, SubmissionOrigin origin) {
        StoredEvaluation earlier = reads.required(evaluationId);
        EvaluationView result = reads.view(earlier);
        if (!reads.isSettled(earlier)) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Evaluation " + evaluationId + " is " + result.state()
                            + ": wait until it has ended, or cancel it, before it is continued");
        }
        if (result.selectedIndex() == null || result.selectedContext() == null) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Evaluation " + evaluationId + " selected no branch, so there is no context to continue from; "
                            + "begin another evaluation");
        }
        EvaluationReader.Earlier before = new EvaluationReader.Earlier(
                earlier.campaign().definition(),
                result.selectedIndex(),
                result.selectedContext(),
                reads.evaluated(earlier).checks().all(),
                earlier.onCancel(),
                earlier.keepsConcurrency());
        WorkerCapabilities offer = providers.offer();
        EvaluationSubmission submission =
                reader.read("Reading the continuation", () -> EvaluationReader.continuation(document, before, offer));
        return store(submission, new Place(earlier.sessionId(), evaluationId), origin);
    }

    private StoredEvaluation store(EvaluationSubmission submission, Place place, SubmissionOrigin origin) {
        String newId = CampaignIds.next(submission.campaign().definition().name());
        StoredEvaluation evaluation = reads.required(evaluations.create(newId, submission, place, origin));
        if (evaluation.id().equals(newId)) {
            launcher.startSoon(evaluation.campaign());
        }
        return evaluation;
    }
}
