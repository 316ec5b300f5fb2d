package dev.assay.web.stream;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Looks at things again and again, once for all who watch the same thing. The looking begins with the first watcher and ends with
 * the last. Each watcher gets the latest look when it is ready for it, so a slow one holds up no other and keeps nothing.
 *
 * <p>A watcher that leaves interrupts nothing: the PostgreSQL driver would close the connection on which it waits.
 *
 * @param <T> what is seen
 */
public final class SharedReading<T> {

    private final Duration interval;
    private final Executor executor;
    private final Predicate<? super T> isLast;
    private final ConcurrentMap<String, Shared<T>> shared = new ConcurrentHashMap<>();

    /**
     * A reading of nothing yet.
     *
     * @param interval from one look to the next
     * @param executor where looks may block
     * @param isLast whether nothing follows
     */
    public SharedReading(Duration interval, Executor executor, Predicate<? super T> isLast) {
        this.interval = interval;
        this.executor = executor;
        this.isLast = isLast;
    }

    private record Shared<T>(Flux<T> flux, int watchers) {

        Shared<T> plus(int more) {
            return new Shared<>(flux, watchers + more);
        }
    }

    /**
     * The looks at the thing {@code id}, until the last one.
     *
     * @param looks makes the source of looks; called once while there are watchers
     */
    public Flux<T> of(String id, Function<String, Supplier<T>> looks) {
        return Flux.defer(() -> enter(id, looks).doFinally(end -> leave(id))).onBackpressureLatest();
    }

    private Flux<T> enter(String id, Function<String, Supplier<T>> looks) {
        return shared.merge(id, new Shared<>(looking(looks.apply(id)), 1), (there, one) -> there.plus(1))
                .flux();
    }

    private void leave(String id) {
        shared.computeIfPresent(id, (key, there) -> there.watchers() == 1 ? null : there.plus(-1));
    }

    private Flux<T> looking(Supplier<T> look) {
        return Flux.interval(Duration.ZERO, interval)
                .onBackpressureDrop()
                .concatMap(tick -> uninterrupted(executor, look), 1)
                .takeUntil(isLast)
                .replay(1)
                .refCount();
    }

    /** Runs code that may block. A watcher that leaves does not interrupt it. */
    public static <R> Mono<R> uninterrupted(Executor executor, Supplier<R> reading) {
        return Mono.fromFuture(() -> CompletableFuture.supplyAsync(reading, executor), true);
    }
}
