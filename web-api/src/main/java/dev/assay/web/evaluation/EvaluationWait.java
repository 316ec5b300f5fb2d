package dev.assay.web.evaluation;

import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.web.stream.SharedReading;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import reactor.core.publisher.Mono;

/** Waits for evaluations. The store is looked at once for all who wait for the same one. */
@Singleton
final class EvaluationWait {

    private static final Duration LOOK = Duration.ofMillis(50);

    private final EvaluationReads reads;
    private final SharedReading<Boolean> settled;

    EvaluationWait(EvaluationReads reads, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reads = reads;
        this.settled = new SharedReading<>(LOOK, blocking, isSettled -> isSettled);
    }

    /**
     * Waits until the evaluation has settled, but no longer than {@code patience}.
     *
     * @return the evaluation as it stands then
     */
    StoredEvaluation until(String evaluationId, Duration patience) {
        StoredEvaluation evaluation = reads.required(evaluationId);
        if (patience.isZero() || reads.isSettled(evaluation)) {
            return evaluation;
        }
        settled.of(evaluationId, id -> () -> reads.isSettled(reads.required(id)))
                .filter(isSettled -> isSettled)
                .next()
                .timeout(patience, Mono.just(false))
                .block();
        return reads.required(evaluationId);
    }
}
