package dev.assay.web.evaluation;

import dev.assay.store.evaluation.StoredEvaluation;
import dev.assay.web.connection.OpenRequests;
import dev.assay.web.stream.SharedReading;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Waits for evaluations. The store is looked at once for all who wait for the same one. */
@Singleton
final class EvaluationWait implements ApplicationEventListener<ShutdownEvent> {

    private static final Duration LOOK = Duration.ofMillis(50);

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);

    private final Sinks.Empty<Void> stopping = Sinks.empty();
    private final AtomicInteger waits = new AtomicInteger();
    private final EvaluationQueries reads;
    private final OpenRequests requests;
    private final SharedReading<Boolean> settled;

    EvaluationWait(
            EvaluationQueries reads, OpenRequests requests, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reads = reads;
        this.requests = requests;
        this.settled = new SharedReading<>(LOOK, blocking, isSettled -> isSettled);
    }

    /**
     * Waits until the evaluation has settled, but no longer than {@code patience}, nor when nobody waits for the answer any more.
     *
     * @param left ends when the client leaves
     * @return the evaluation as it stands then
     */
    StoredEvaluation until(String evaluationId, Duration patience, Mono<Void> left) {
        StoredEvaluation evaluation = reads.required(evaluationId);
        if (patience.isZero() || reads.isSettled(evaluation)) {
            return evaluation;
        }
        waits.incrementAndGet();
        try {
            await(evaluationId, patience, left);
            return reads.required(evaluationId);
        } finally {
            waits.decrementAndGet();
        }
    }

    private void await(String evaluationId, Duration patience, Mono<Void> left) {
        settled.of(evaluationId, id -> () -> reads.isSettled(reads.required(id)))
                .filter(isSettled -> isSettled)
                .next()
                .takeUntilOther(Mono.firstWithSignal(left, stopping.asMono()))
                .timeout(patience, Mono.just(false))
                .block();
    }

    /** All waits end while their answers can still be written. */
    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        stopping.tryEmitEmpty();
        requests.awaitNone(LAST_ANSWERS);
    }

    /** How many requests wait now. */
    int waits() {
        return waits.get();
    }
}
