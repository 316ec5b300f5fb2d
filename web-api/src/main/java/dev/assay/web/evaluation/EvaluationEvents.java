package dev.assay.web.evaluation;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.json.Json;
import dev.assay.store.evaluation.EvaluationEvent;
import dev.assay.store.evaluation.EventRepository;
import dev.assay.store.page.PageEnd;
import dev.assay.web.stream.SharedReading;
import io.micronaut.http.sse.Event;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The events of an evaluation as a stream: past ones, then new ones, until ParallelLoopEnd. New events are read once for all
 * followers. A client that is further behind reads from the store, at its own pace.
 */
@Singleton
final class EvaluationEvents {

    /** Half of what an answer's updates are apart, so that its first piece is seen within 200 ms. */
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private static final int PAGE = 200;

    private final EvaluationQueries reads;
    private final EventRepository events;
    private final EvaluationEnd end;
    private final ExecutorService blocking;
    private final SharedReading<Tail> tails;

    EvaluationEvents(
            EvaluationQueries reads,
            EventRepository events,
            EvaluationEnd end,
            @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
        this.reads = reads;
        this.events = events;
        this.end = end;
        this.blocking = blocking;
        this.tails = new SharedReading<>(INTERVAL, blocking, Tail::isLast);
    }

    /** An event as it is sent. */
    private record Sent(long number, int size, Event<String> event) {

        static Sent of(EvaluationEvent event) {
            return new Sent(
                    event.number(),
                    event.body().length(),
                    Event.of(Json.tree(event.body()).toString())
                            .name(event.name())
                            .id(Long.toString(event.number())));
        }
    }

    /**
     * The latest events that one look found.
     *
     * @param last number of the last event there is; 0: there is none
     * @param latest at most a page, ending on that one
     * @param isLast whether nothing follows
     */
    private record Tail(long last, List<Sent> latest, boolean isLast) {

        /** Whether the events after {@code number} are all here. */
        boolean covers(long number) {
            return number >= last || (!latest.isEmpty() && latest.getFirst().number() <= number + 1);
        }

        List<Sent> after(long number) {
            return latest.stream().filter(sent -> sent.number() > number).toList();
        }
    }

    /**
     * The events of an evaluation that exists.
     *
     * @param lastEventId number of the last one that the client has, as it sent it; null: none
     * @throws AssayException INVALID_INPUT when that is no number
     */
    Publisher<Event<String>> of(String evaluationId, @Nullable String lastEventId) {
        long after = number(lastEventId);
        AtomicLong last = new AtomicLong(after);
        return tails.of(evaluationId, id -> looking(id, after))
                .concatMap(tail -> following(evaluationId, tail, last), 1)
                .map(Sent::event);
    }

    private static long number(@Nullable String lastEventId) {
        if (lastEventId == null || lastEventId.isBlank()) {
            return 0;
        }
        try {
            return Math.max(0, Long.parseLong(lastEventId.strip()));
        } catch (NumberFormatException e) {
            throw AssayException.invalid(
                    "The id of the last event is not valid",
                    List.of(new FieldError("Last-Event-ID", "Send the id of an event, a whole number")));
        }
    }

    /** The source of the tails, which remembers how far the last one went. Looks never overlap. */
    private Supplier<Tail> looking(String evaluationId, long after) {
        AtomicLong seen = new AtomicLong(after);
        List<Sent> latest = new ArrayList<>();
        return () -> {
            synchronized (latest) {
                return look(evaluationId, seen, latest);
            }
        };
    }

    private Tail look(String evaluationId, AtomicLong seen, List<Sent> latest) {
        long before = seen.get();
        readOn(evaluationId, seen, latest);
        // While events arrive there is no need to ask whether it has ended.
        boolean isOver = seen.get() == before && end.tell(reads.required(evaluationId));
        if (isOver) {
            readOn(evaluationId, seen, latest);
        }
        return new Tail(seen.get(), List.copyOf(latest), isOver);
    }

    private void readOn(String evaluationId, AtomicLong seen, List<Sent> latest) {
        List<Sent> found;
        do {
            found = page(evaluationId, seen.get());
            latest.addAll(found);
            forget(latest);
            seen.set(found.isEmpty() ? seen.get() : found.getLast().number());
        } while (!found.isEmpty());
    }

    /** Keeps a page of the latest events at most; a follower that needs older ones reads them itself. */
    private static void forget(List<Sent> latest) {
        long bytes = 0;
        int kept = 0;
        while (kept < Math.min(PAGE, latest.size())) {
            bytes += latest.get(latest.size() - 1 - kept).size();
            if (kept > 0 && bytes > PageEnd.MOST) {
                break;
            }
            kept++;
        }
        latest.subList(0, latest.size() - kept).clear();
    }

    private Flux<Sent> following(String evaluationId, Tail tail, AtomicLong last) {
        Flux<List<Sent>> pages = tail.covers(last.get())
                ? Flux.just(tail.after(last.get()))
                : stored(evaluationId, last.get()).expand(page -> next(evaluationId, page, tail.last()));
        return pages.concatMapIterable(page -> page, 1).doOnNext(sent -> last.set(sent.number()));
    }

    /** The next page, which begins after the last one, however much of that the client has taken. */
    private Mono<List<Sent>> next(String evaluationId, List<Sent> before, long end) {
        return before.isEmpty() || before.getLast().number() >= end
                ? Mono.empty()
                : stored(evaluationId, before.getLast().number());
    }

    private Mono<List<Sent>> stored(String evaluationId, long after) {
        return SharedReading.uninterrupted(blocking, () -> page(evaluationId, after));
    }

    private List<Sent> page(String evaluationId, long after) {
        return events.after(evaluationId, after, PAGE).stream().map(Sent::of).toList();
    }
}
