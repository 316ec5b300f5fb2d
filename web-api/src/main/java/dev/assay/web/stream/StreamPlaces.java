package dev.assay.web.stream;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import io.micronaut.http.HttpRequest;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The number of streams of events that each address may have open. */
@Singleton
public final class StreamPlaces {

    /** A stream that was never begun, since its client had left already, gives its place back after this time. */
    private static final Duration UNUSED = Duration.ofSeconds(30);

    private final int most;
    private final ConcurrentMap<String, Integer> taken = new ConcurrentHashMap<>();

    StreamPlaces(StreamSettings settings) {
        this.most = settings.perAddress();
    }

    /**
     * {@code stream}, which has a place from now until it ends.
     *
     * @throws AssayException TOO_MANY_STREAMS when the client's address has as many as it may
     */
    public <T> Publisher<T> take(HttpRequest<?> request, Publisher<T> stream) {
        InetAddress address = request.getRemoteAddress().getAddress();
        String client = address == null ? "" : address.getHostAddress();
        if (taken.merge(client, 1, Integer::sum) > most) {
            leave(client);
            throw new AssayException(
                    ErrorCode.TOO_MANY_STREAMS,
                    "The address " + client + " has " + most
                            + " streams of events open: close one, or ask without a stream");
        }
        AtomicBoolean begun = new AtomicBoolean();
        Mono.delay(UNUSED).subscribe(late -> {
            if (begun.compareAndSet(false, true)) {
                leave(client);
            }
        });
        return Flux.defer(() ->
                begun.compareAndSet(false, true) ? Flux.from(stream).doFinally(end -> leave(client)) : Flux.<T>empty());
    }

    /** Streams that are open now. */
    int open() {
        return taken.values().stream().mapToInt(Integer::intValue).sum();
    }

    private void leave(String client) {
        taken.computeIfPresent(client, (key, streams) -> streams == 1 ? null : streams - 1);
    }
}
