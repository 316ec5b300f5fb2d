package dev.assay.web.evaluation;

import dev.assay.campaigns.steering.CampaignSteering;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.web.connection.AnswerPlace;
import dev.assay.web.connection.Departure;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.uri.UriBuilder;
import jakarta.inject.Singleton;
import java.time.Duration;
import reactor.core.publisher.Mono;

/** The answers to clients that submit, read or cancel an evaluation of any kind. */
@Singleton
public final class EvaluationAnswers {

    /** The time that an answer waits for calls that are being aborted. */
    private static final Duration TO_ABORT = Duration.ofSeconds(3);

    private final EvaluationWait wait;
    private final CampaignSteering steering;

    EvaluationAnswers(EvaluationWait wait, CampaignSteering steering) {
        this.wait = wait;
        this.steering = steering;
    }

    /**
     * The answer to a submission: 200 when the evaluation ended within {@code patience}, else 202.
     *
     * @param path under which those of its kind are
     */
    public <E, V> HttpResponse<V> submitted(
            EvaluationReads<E, V> reads, String path, String evaluationId, Duration patience, HttpRequest<?> request) {
        E now = wait.until(reads, evaluationId, patience, Departure.of(request));
        // Not in the account: a submission that is stored is not refused.
        V view = reads.view(now);
        if (!patience.isZero() && reads.isSettled(now)) {
            return HttpResponse.ok(view);
        }
        return HttpResponse.<V>accepted(UriBuilder.of(path).path(evaluationId).build())
                .body(view);
    }

    /**
     * The evaluation after {@code patience}, or when it has ended.
     *
     * @throws dev.assay.domain.error.AssayException NOT_FOUND
     */
    public <E, V> V read(EvaluationReads<E, V> reads, String evaluationId, Duration patience, HttpRequest<?> request) {
        return view(reads, wait.until(reads, evaluationId, patience, Departure.of(request)), request);
    }

    /** The evaluation, whose memory is taken before it is read. */
    public <E, V> V view(EvaluationReads<E, V> reads, E evaluation, HttpRequest<?> request) {
        return AnswerPlace.ofItem(request, () -> reads.octets(evaluation), () -> reads.view(evaluation));
    }

    /**
     * The evaluation after its cancellation, which aborts calls in flight. Idempotent.
     *
     * @throws dev.assay.domain.error.AssayException NOT_FOUND; CONFLICT when it has ended otherwise
     */
    public <E, V> V cancelled(EvaluationReads<E, V> reads, String evaluationId, HttpRequest<?> request) {
        reads.required(evaluationId);
        steering.steer(evaluationId, SteeringVerb.CANCEL);
        return view(reads, wait.until(reads, evaluationId, TO_ABORT, Mono.never()), request);
    }
}
