package dev.assay.web.evaluation;

import dev.assay.domain.json.Json;
import dev.assay.store.evaluation.EvaluationEvent;
import dev.assay.store.evaluation.EventRepository;
import io.micronaut.http.sse.Event;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The events of an evaluation as a stream: those that happened, then those that happen, until ParallelLoopEnd. */
@Singleton
final class EvaluationEvents {

    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final int PAGE = 200;

    private final EvaluationReads reads;
    private final EventRepository events;
    private final EvaluationEnd end;
    private final Scheduler blocking;

    EvaluationEvents(
            EvaluationReads reads,
            EventRepository events,
            EvaluationEnd end,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reads = reads;
        this.events = events;
        this.end = end;
        this.blocking = Schedulers.fromExecutorService(blocking);
    }

    /**
     * The events of an evaluation that exists.
     *
     * @param after number of the last one that the client has; 0: none
     */
    Publisher<Event<String>> of(String evaluationId, long after) {
        AtomicLong last = new AtomicLong(after);
        return Flux.interval(Duration.ZERO, INTERVAL)
                .onBackpressureDrop()
                .concatMap(
                        tick -> Mono.fromCallable(() -> next(evaluationId, last))
                                .subscribeOn(blocking),
                        1)
                .takeUntil(Step::isLast)
                .concatMapIterable(Step::events);
    }

    /**
     * What one look found.
     *
     * @param isLast whether nothing follows
     */
    private record Step(List<Event<String>> events, boolean isLast) {}

    private Step next(String evaluationId, AtomicLong last) {
        // Asked first: what is told after that is found at the next look.
        boolean isTold = end.tell(reads.required(evaluationId));
        List<EvaluationEvent> found = events.after(evaluationId, last.get(), PAGE);
        if (!found.isEmpty()) {
            last.set(found.getLast().number());
        }
        return new Step(found.stream().map(EvaluationEvents::sent).toList(), isTold && found.size() < PAGE);
    }

    private static Event<String> sent(EvaluationEvent event) {
        return Event.of(Json.tree(event.body()).toString()).name(event.name()).id(Long.toString(event.number()));
    }
}
