package dev.assay.web.hypothesis;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.HypothesisReader;
import dev.assay.domain.campaignfile.HypothesisReader.HypothesisSubmission;
import dev.assay.domain.provider.WorkerCapabilities;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.hypothesis.HypothesisRepository;
import dev.assay.store.hypothesis.StoredHypotheses;
import dev.assay.store.provider.ProviderQueries;
import dev.assay.web.campaign.CampaignIds;
import dev.assay.web.campaign.CampaignLauncher;
import dev.assay.web.campaign.CampaignSteering;
import dev.assay.web.document.RequestReader;
import dev.assay.web.evaluation.EvaluationWait;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Takes, waits for and cancels hypothesis evaluations. */
@Singleton
final class HypothesisEvaluations {

    /** How long an answer waits for what is being aborted. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ProviderQueries providers;
    private final HypothesisRepository hypotheses;
    private final HypothesisQueries reads;
    private final CampaignLauncher launcher;
    private final CampaignSteering steering;
    private final RequestReader reader;
    private final EvaluationWait wait;

    HypothesisEvaluations(
            ProviderQueries providers,
            HypothesisRepository hypotheses,
            HypothesisQueries reads,
            CampaignLauncher launcher,
            CampaignSteering steering,
            RequestReader reader,
            EvaluationWait wait) {
        this.providers = providers;
        this.hypotheses = hypotheses;
        this.reads = reads;
        this.launcher = launcher;
        this.steering = steering;
        this.reader = reader;
        this.wait = wait;
    }

    /**
     * Submits an evaluation: everything is validated, then everything is stored, and only then a workflow starts.
     *
     * @param idempotencyKey what the client calls this submission; null: nothing
     * @throws dev.assay.domain.error.AssayException with everything that is wrong; nothing is stored then
     */
    StoredHypotheses submit(JsonNode document, @Nullable String idempotencyKey) {
        WorkerCapabilities offer = providers.offer();
        HypothesisSubmission submission =
                reader.compute("Reading the hypothesis evaluation", () -> HypothesisReader.read(document, offer));
        String newId = CampaignIds.next(submission.campaign().definition().name());
        StoredHypotheses evaluation = reads.required(hypotheses.create(newId, submission, idempotencyKey));
        if (evaluation.id().equals(newId)) {
            launcher.startSoon(evaluation.campaign());
        }
        return evaluation;
    }

    /**
     * Waits until the evaluation has settled, but no longer than {@code patience}, nor when nobody waits for the answer any more.
     *
     * @param left ends when the client leaves
     * @return the evaluation as it stands then
     */
    StoredHypotheses until(String evaluationId, Duration patience, Mono<Void> left) {
        StoredHypotheses evaluation = reads.required(evaluationId);
        if (patience.isZero() || reads.isSettled(evaluation)) {
            return evaluation;
        }
        wait.until(evaluationId, () -> reads.isSettled(reads.required(evaluationId)), patience, left);
        return reads.required(evaluationId);
    }

    /**
     * Ends the evaluation. Once more changes nothing.
     *
     * @throws dev.assay.domain.error.AssayException NOT_FOUND; CONFLICT when it has ended otherwise
     */
    StoredHypotheses cancel(String evaluationId) {
        reads.required(evaluationId);
        steering.steer(evaluationId, SteeringVerb.CANCEL);
        return until(evaluationId, PATIENCE, Mono.never());
    }
}
