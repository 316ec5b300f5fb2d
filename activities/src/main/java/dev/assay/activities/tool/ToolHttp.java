package dev.assay.activities.tool;

import dev.assay.domain.tool.ToolException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The HTTP client of all tools. Redirects are not followed: they could lead off the allow-list. */
final class ToolHttp implements AutoCloseable {

    /** Bytes of an answer; more are an error. */
    static final long MAX_BODY_BYTES = 1024 * 1024;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(15);
    private static final BodyHandler<byte[]> BODY = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES);

    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(executor)
            .build();

    /**
     * Sends {@code request} and reads the whole answer.
     *
     * @throws ToolException when there is none
     */
    HttpResponse<byte[]> send(HttpRequest request) throws InterruptedException {
        CompletableFuture<HttpResponse<byte[]>> future = client.sendAsync(request, BODY);
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new ToolException("The server gave no answer that can be read: " + reason(e) + ".", e);
        } finally {
            // Without effect when the answer is there; else it aborts the request and closes its connection.
            future.cancel(true);
        }
    }

    private static String reason(ExecutionException failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return cause instanceof IOException && cause.getMessage() != null
                ? cause.getMessage()
                : cause.getClass().getSimpleName();
    }

    @Override
    public void close() {
        client.shutdownNow();
        executor.shutdownNow();
    }
}
