package dev.assay.activities.tool;

import dev.assay.activities.http.AnswerTooLongException;
import dev.assay.activities.http.DirectHttp;
import dev.assay.activities.http.LineBody;
import dev.assay.activities.http.Lines;
import dev.assay.activities.http.LostConnection;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.domain.json.Json;
import io.modelcontextprotocol.spec.HttpHeaders;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * MCP over streamable HTTP. It follows no redirects. It begins a session anew that the server has forgotten, and sends a request again
 * that the server did not take. The SDK would give up all other calls that run meanwhile, and send nothing again.
 */
final class McpOverHttp extends McpExchange {

    private static final int FORGOTTEN = 404;

    private final URI url;
    private final Supplier<Map<String, String>> headers;
    private final HttpClient http;
    private volatile @Nullable String session;
    private volatile @Nullable JSONRPCRequest first;

    /** @param limit the time of a connection, and of each message but the first */
    McpOverHttp(String url, Supplier<Map<String, String>> headers, Duration limit) {
        super(limit);
        this.url = URI.create(url);
        this.headers = headers;
        this.http = DirectHttp.builder(limit).build();
    }

    @Override
    void start() {
        // There is no connection but that of each message.
    }

    @Override
    void transmit(JSONRPCMessage message, CompletableFuture<Void> done) {
        Thread.ofVirtual().name("mcp").start(() -> {
            try {
                if (message instanceof JSONRPCRequest request) {
                    ask(request, done);
                    // Without effect when the answer came.
                    done.completeExceptionally(new IOException("The MCP server ended without an answer"));
                } else {
                    // It must not keep its connection.
                    var _ = done.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS);
                    succeeded(post(message, session, done));
                    done.complete(null);
                }
            } catch (IOException | RuntimeException e) {
                done.completeExceptionally(reason(e));
            }
        });
    }

    private static Throwable reason(Exception failure) {
        Throwable root = LostConnection.root(failure);
        if (AnswerTooLongException.is(root)) {
            return new IOException("The answer is longer than " + MAX_MESSAGE + " MiB");
        }
        return failure.getCause() instanceof ConnectException && root.getMessage() == null
                ? new IOException("No connection to the MCP server could be made")
                : root;
    }

    private void ask(JSONRPCRequest request, CompletableFuture<Void> done) throws IOException {
        if (isFirst(request)) {
            first = request;
        }
        String known = isFirst(request) ? null : session;
        HttpResponse<byte[]> answer = post(request, known, done);
        if (answer.statusCode() == FORGOTTEN && known != null) {
            renew(known);
            answer = post(request, session, done);
        }
        succeeded(answer);
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        if (!text.isBlank()) {
            read(text);
        }
    }

    private static boolean isSuccess(int status) {
        return status >= 200 && status <= 299;
    }

    private static void succeeded(HttpResponse<byte[]> answer) throws IOException {
        if (!isSuccess(answer.statusCode())) {
            throw new IOException("The MCP server answered HTTP " + answer.statusCode());
        }
    }

    private void read(String text) throws IOException {
        try {
            receive(Json.tree(text));
        } catch (RuntimeException e) {
            throw new IOException(NOT_READABLE);
        }
    }

    /** Begins a session in the place of {@code forgotten}, one for all who ask. */
    private synchronized void renew(String forgotten) {
        if (forgotten.equals(session)) {
            // No request of the client waits for this answer: what was agreed on holds.
            send(Objects.requireNonNull(first)).join();
            send(new JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED))
                    .join();
        }
    }

    /**
     * Sends a message.
     *
     * @param known the session that it names; null when none
     * @param done when it is, nothing more of the answer is read
     */
    private HttpResponse<byte[]> post(JSONRPCMessage message, @Nullable String known, CompletableFuture<Void> done) {
        CompletableFuture<HttpResponse<byte[]>> sent =
                http.sendAsync(request(message, known), info -> body(info, isFirst(message)));
        var _ = done.whenComplete((_, _) -> sent.cancel(true));
        return sent.join();
    }

    private HttpRequest request(JSONRPCMessage message, @Nullable String known) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url);
        headers.get().forEach(request::header);
        if (known != null) {
            request.header(HttpHeaders.MCP_SESSION_ID, known);
        }
        String version = version();
        if (version != null && !isFirst(message)) {
            request.header(HttpHeaders.PROTOCOL_VERSION, version);
        }
        return request.header("Content-Type", "application/json")
                .header("Accept", "application/json,text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(message)))
                .build();
    }

    private BodySubscriber<byte[]> body(ResponseInfo info, boolean ofFirst) {
        if (ofFirst) {
            // Servers name it again in later answers; one of those may belong to a session that is forgotten by now.
            info.headers().firstValue(HttpHeaders.MCP_SESSION_ID).ifPresent(id -> session = id);
        }
        if (!isSuccess(info.statusCode())) {
            return BodySubscribers.replacing(new byte[0]);
        }
        return WholeAnswers.isStream(info)
                ? new LineBody(new Lines(MAX_MESSAGE, MAX_STREAM, new McpEvents(this::read)))
                : BodySubscribers.limiting(BodySubscribers.ofByteArray(), MAX_MESSAGE * 1024L * 1024);
    }

    @Override
    void end() {
        http.shutdownNow();
    }
}
