package dev.assay.web.evaluation;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.web.campaign.CampaignSteering;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Mono;

/** Cancels evaluations, or single branches of them. Workers look twice a second at what was cancelled. */
@Singleton
final class EvaluationCancel {

    /** How long an answer waits for what is being aborted. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final CampaignSteering steering;
    private final EvaluationRepository evaluations;
    private final EvaluationQueries reads;
    private final EvaluationWait wait;

    EvaluationCancel(
            CampaignSteering steering, EvaluationRepository evaluations, EvaluationQueries reads, EvaluationWait wait) {
        this.steering = steering;
        this.evaluations = evaluations;
        this.reads = reads;
        this.wait = wait;
    }

    /**
     * Ends the evaluation; what was under way is recorded as CANCELLED. Once more changes nothing.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when it has ended otherwise
     */
    StoredEvaluation all(String evaluationId) {
        reads.required(evaluationId);
        steering.steer(evaluationId, SteeringVerb.CANCEL);
        return wait.until(evaluationId, PATIENCE, Mono.never());
    }

    /**
     * Ends one branch; the strategy chooses among the others. Once more changes nothing.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when the evaluation has ended; INVALID_INPUT when it has no such branch
     */
    StoredEvaluation branch(String evaluationId, String branchId) {
        StoredEvaluation evaluation = reads.required(evaluationId);
        List<String> ids = evaluation.campaign().definition().branches().stream()
                .map(Branch::id)
                .toList();
        int index = ids.indexOf(branchId);
        if (index < 0) {
            throw AssayException.invalid(
                    "The evaluation has no such branch",
                    List.of(new FieldError(
                            "branch", "There is no branch " + branchId + "; branches are " + String.join(", ", ids))));
        }
        if (evaluation.campaign().state().ended()) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Evaluation " + evaluationId + " is "
                            + evaluation.campaign().state() + ": no branch of it can be cancelled");
        }
        evaluations.cancelBranch(evaluationId, index);
        return evaluation;
    }
}
