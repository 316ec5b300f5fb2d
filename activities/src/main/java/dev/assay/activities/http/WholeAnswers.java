package dev.assay.activities.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * An HTTP/1.1 client with a pool of connections that reads answers to their end. It follows no redirects, retries nothing and logs
 * nothing. Safe for use by many threads.
 */
public final class WholeAnswers implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(100);

    /** Mebibytes of a line of a stream. */
    private static final int MAX_LINE = 4;

    /** Mebibytes of a stream. Streams of models take some 300 bytes a token: this is 200,000 tokens. */
    private static final int MAX_STREAM = 64;

    private final BodyHandler<byte[]> body;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client =
            DirectHttp.builder(DirectHttp.CONNECT_TIMEOUT).executor(executor).build();

    /**
     * @param maxBodyBytes bytes of an answer; a larger one is an {@link IOException}: a server that never stops must not fill
     *     the memory
     */
    public WholeAnswers(long maxBodyBytes) {
        this.body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBodyBytes);
    }

    /**
     * Sends {@code request} and reads the whole answer. A request that ends without one is aborted, and its connection closed.
     *
     * @param nanos time for all of it, body included, in nanoseconds; above 0
     * @throws AnswerTooLongException when its body is longer than it may be
     * @throws IOException when there is no answer, or none that can be read
     * @throws TimeoutException when it is not there in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    public HttpResponse<byte[]> send(HttpRequest request, long nanos)
            throws IOException, TimeoutException, InterruptedException {
        return await(client.sendAsync(request, body), nanos, () -> {});
    }

    /**
     * The same for an answer that is a stream of events. It hands the lines over as they arrive, on other threads and one at a
     * time; the body is empty then.
     *
     * @param pause run when nothing came for a moment
     * @throws IOException also when a line, or all of them, are longer than they may be
     */
    public HttpResponse<byte[]> send(HttpRequest request, long nanos, Consumer<String> lines, Runnable pause)
            throws IOException, TimeoutException, InterruptedException {
        BodyHandler<byte[]> handler = info ->
                isStream(info) ? new LineBody(new Lines(MAX_LINE, MAX_STREAM, lines::accept)) : body.apply(info);
        return await(client.sendAsync(request, handler), nanos, pause);
    }

    /** Whether an answer is a stream of events. */
    public static boolean isStream(ResponseInfo info) {
        return info.statusCode() / 100 == 2
                && info.headers()
                        .firstValue("Content-Type")
                        .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("text/event-stream"))
                        .isPresent();
    }

    private static <T> T await(CompletableFuture<T> answer, long nanos, Runnable pause)
            throws IOException, TimeoutException, InterruptedException {
        long deadline = System.nanoTime() + nanos;
        try {
            while (true) {
                long left = deadline - System.nanoTime();
                try {
                    return answer.get(Math.min(left, PAUSE.toNanos()), TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                    if (left <= PAUSE.toNanos()) {
                        throw e;
                    }
                    pause.run();
                }
            }
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw cause instanceof IOException io
                    ? AnswerTooLongException.is(io) ? new AnswerTooLongException(io) : io
                    : new IOException(cause.getClass().getSimpleName(), cause);
        } finally {
            // Without effect when the answer is there.
            answer.cancel(true);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }
}
