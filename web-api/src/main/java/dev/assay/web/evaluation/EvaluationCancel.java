package dev.assay.web.evaluation;

import dev.assay.domain.campaign.Branch;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.store.evaluation.EvaluationRepository;
import dev.assay.store.evaluation.StoredEvaluation;
import jakarta.inject.Singleton;
import java.util.List;

/** Cancels single branches of evaluations. Workers check twice a second for cancellations. */
@Singleton
final class EvaluationCancel {

    private final EvaluationRepository evaluations;
    private final EvaluationQueries reads;

    EvaluationCancel(EvaluationRepository evaluations, EvaluationQueries reads) {
        this.evaluations = evaluations;
        this.reads = reads;
    }

    /**
     * Ends one branch; the strategy chooses among the others. Idempotent.
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
