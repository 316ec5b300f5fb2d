package dev.assay.activities.tool;

import dev.assay.activities.http.DirectHttp;
import dev.assay.domain.json.Json;
import io.modelcontextprotocol.spec.HttpHeaders;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * MCP over streamable HTTP. It follows no redirects. It begins a session anew that the server has forgotten, and sends a request again
 * that the server did not take. The SDK would give up all other calls that run meanwhile, and send nothing again.
 */
final class McpOverHttp extends McpExchange {

    private static final int MAX_NOTICES = 16;

    private final URI url;
    private final Supplier<Map<String, String>> headers;
    private final HttpClient http;

    /** Bounds requests that only tell the server something. A server that asks much is not answered on any number of connections. */
    private final Semaphore notices = new Semaphore(MAX_NOTICES);

    private volatile @Nullable String session;
    private volatile @Nullable JSONRPCRequest first;
    private @Nullable String renewedSession;
    private CompletableFuture<Void> renewal = new CompletableFuture<>();

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
        if (message instanceof JSONRPCRequest request) {
            ask(request, done, !isFirst(request));
        } else {
            tell(message, done);
        }
    }

    /** @param mayRenew whether the session is begun anew when the server has forgotten it */
    private void ask(JSONRPCRequest request, CompletableFuture<Void> done, boolean mayRenew) {
        if (isFirst(request)) {
            first = request;
        }
        String known = isFirst(request) ? null : session;
        var _ = http.sendAsync(request(request, known), info -> body(info, known, done))
                .whenComplete((_, failure) -> {
                    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
                    if (mayRenew && cause instanceof ForgottenException forgotten) {
                        var _ = renewed(forgotten.session)
                                .thenRun(() -> ask(request, done, false))
                                .exceptionally(e -> fail(done, e));
                    } else {
                        // Without effect when the answer came.
                        fail(done, cause == null ? new IOException("The MCP server ended without an answer") : cause);
                    }
                });
    }

    private static @Nullable Void fail(CompletableFuture<Void> done, Throwable failure) {
        done.completeExceptionally(failure);
        return null;
    }

    private void tell(JSONRPCMessage message, CompletableFuture<Void> done) {
        HttpRequest request = request(message, session);
        if (!notices.tryAcquire()) {
            done.completeExceptionally(new IOException("The MCP server takes no more messages"));
            return;
        }
        var _ = http.sendAsync(request, info -> body(info, null, null)).whenComplete((_, failure) -> {
            notices.release();
            if (failure == null) {
                done.complete(null);
            } else {
                done.completeExceptionally(failure);
            }
        });
    }

    /** A new session in the place of {@code forgotten}, the same one for all who ask. */
    private synchronized CompletableFuture<Void> renewed(String forgotten) {
        if (!forgotten.equals(renewedSession)) {
            renewedSession = forgotten;
            // No request of the client waits for this answer: what was agreed on holds.
            renewal = send(Objects.requireNonNull(first))
                    .thenCompose(_ -> send(new JSONRPCNotification(McpSchema.METHOD_NOTIFICATION_INITIALIZED)));
        }
        return renewal;
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

    /**
     * Reads an answer.
     *
     * @param known the session that the request named; null when none
     * @param answer null for a message that has none
     */
    private BodySubscriber<Void> body(
            ResponseInfo info, @Nullable String known, @Nullable CompletableFuture<Void> answer) {
        if (info.statusCode() == 404 && known != null) {
            throw new ForgottenException(known);
        }
        if (info.statusCode() < 200 || info.statusCode() > 299) {
            throw new IllegalStateException("The MCP server answered HTTP " + info.statusCode());
        }
        info.headers().firstValue(HttpHeaders.MCP_SESSION_ID).ifPresent(id -> session = id);
        String type = info.headers().firstValue("Content-Type").orElse("");
        if (answer != null && type.contains("text/event-stream")) {
            return McpAnswers.boundedStream(new McpEvents(this::receive, answer));
        }
        return McpAnswers.boundedMessage(
                BodySubscribers.mapping(BodySubscribers.ofString(StandardCharsets.UTF_8), text -> {
                    if (answer != null) {
                        read(text);
                    }
                    return null;
                }));
    }

    private void read(String text) {
        try {
            receive(Json.tree(text));
        } catch (RuntimeException e) {
            throw new UncheckedIOException(new IOException(McpAnswers.NOT_READABLE, e));
        }
    }

    /** The server knows a session no more, and has not taken the message. */
    private static final class ForgottenException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String session;

        ForgottenException(String session) {
            super("The MCP server has forgotten the session (HTTP 404)");
            this.session = session;
        }
    }

    @Override
    void end() {
        http.shutdownNow();
    }
}
