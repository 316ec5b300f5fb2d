package dev.assay.web.evaluation;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.store.campaign.CampaignMarks;
import dev.assay.web.connection.OpenRequests;
import dev.assay.web.stream.ChangeMarks;
import dev.assay.web.stream.SharedReading;
import dev.assay.web.stream.SleepingLook;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.context.event.ShutdownEvent;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Waits for evaluations of every kind. It reads one when something changed, once for all that wait for it. */
@Singleton
public final class EvaluationWait implements ApplicationEventListener<ShutdownEvent> {

    private static final Duration LOOK = Duration.ofMillis(50);

    /** An evaluation of which nothing is recorded is looked at all the same. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);

    private final Sinks.Empty<Void> stopping = Sinks.empty();
    private final AtomicInteger waits = new AtomicInteger();
    private final OpenRequests requests;
    private final ChangeMarks marks;
    private final SharedReading<Standing> standings;

    EvaluationWait(
            OpenRequests requests, CampaignMarks marks, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.requests = requests;
        this.marks = new ChangeMarks(marks, LOOK);
        this.standings = new SharedReading<>(LOOK, blocking, Standing.SETTLED::equals);
    }

    /** How far an evaluation is from its end. */
    private enum Standing {
        GOES_ON,
        /** It has ended, and a part of it still runs: nobody records when it stops. */
        ENDING,
        SETTLED
    }

    /**
     * Waits until the evaluation has settled, but no longer than {@code patience}, nor when the client has left.
     *
     * @param left ends when the client leaves
     * @return the evaluation as it stands then
     */
    <E> E until(EvaluationReads<E, ?> reads, String evaluationId, Duration patience, Mono<Void> left) {
        E evaluation = reads.required(evaluationId);
        if (patience.isZero() || reads.isSettled(evaluation)) {
            return evaluation;
        }
        until(evaluationId, () -> standing(reads, evaluationId), patience, left);
        return reads.required(evaluationId);
    }

    private static <E> Standing standing(EvaluationReads<E, ?> reads, String evaluationId) {
        E evaluation = reads.required(evaluationId);
        if (reads.isSettled(evaluation)) {
            return Standing.SETTLED;
        }
        return reads.hasEnded(evaluation) ? Standing.ENDING : Standing.GOES_ON;
    }

    private SleepingLook<Standing> sleeping(String evaluationId, Supplier<Standing> look) {
        return new SleepingLook<>(() -> marks.of(evaluationId), look, Standing.GOES_ON::equals, LONGEST);
    }

    private void until(String evaluationId, Supplier<Standing> look, Duration patience, Mono<Void> left) {
        waits.incrementAndGet();
        try {
            standings
                    .of(evaluationId, id -> sleeping(id, look))
                    .filter(Standing.SETTLED::equals)
                    .next()
                    .takeUntilOther(Mono.firstWithSignal(left, stopping.asMono()))
                    .timeout(patience, Mono.empty())
                    .block();
        } finally {
            waits.decrementAndGet();
        }
    }

    /**
     * The time that a client wants to wait.
     *
     * @param wait null: not at all
     * @throws AssayException INVALID_INPUT when it is negative or more than ten minutes
     */
    public static Duration patience(@Nullable Duration wait) {
        if (wait == null) {
            return Duration.ZERO;
        }
        if (wait.isNegative() || wait.compareTo(MAX_WAIT) > 0) {
            throw AssayException.invalid(
                    "The wait is not valid", List.of(new FieldError("wait", "Wait from 0s to 10m, as in 30s")));
        }
        return wait;
    }

    /** Ends all waits while their answers can still be written. */
    @Override
    public void onApplicationEvent(ShutdownEvent event) {
        stopping.tryEmitEmpty();
        requests.awaitNone(LAST_ANSWERS);
    }

    /** The number of requests that wait now. */
    int waits() {
        return waits.get();
    }
}
