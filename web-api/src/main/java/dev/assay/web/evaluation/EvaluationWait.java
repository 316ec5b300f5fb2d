package dev.assay.web.evaluation;

import dev.assay.store.evaluation.StoredEvaluation;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Waits for evaluations. */
@Singleton
final class EvaluationWait {

    private static final Duration LOOK = Duration.ofMillis(50);

    private final EvaluationReads reads;

    EvaluationWait(EvaluationReads reads) {
        this.reads = reads;
    }

    /**
     * Waits until the evaluation has settled, but no longer than {@code patience}.
     *
     * @return the evaluation as it stands then
     */
    StoredEvaluation until(String evaluationId, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        StoredEvaluation evaluation = reads.required(evaluationId);
        while (!reads.isSettled(evaluation) && System.nanoTime() < deadline) {
            Thread.sleep(LOOK);
            evaluation = reads.required(evaluationId);
        }
        return evaluation;
    }
}
