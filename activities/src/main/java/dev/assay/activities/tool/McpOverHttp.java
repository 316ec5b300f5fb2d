package dev.assay.activities.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.http.DirectHttp;
import dev.assay.domain.json.Json;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpClientRequest;
import dev.langchain4j.mcp.protocol.McpInitializationNotification;
import dev.langchain4j.mcp.protocol.McpInitializeRequest;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * MCP over streamable HTTP. The library's own transport reads answers of any length. It follows no redirects. It begins a session
 * anew that the server has forgotten, and sends a message again that the server did not take.
 */
final class McpOverHttp extends McpExchange {

    private static final String SESSION = "Mcp-Session-Id";
    private static final int MAX_NOTICES = 16;

    private final URI url;
    private final Supplier<Map<String, String>> headers;
    private final HttpClient client;

    /** Bounds requests that only tell the server something. A server that asks much is not answered on any number of connections. */
    private final Semaphore notices = new Semaphore(MAX_NOTICES);

    private volatile @Nullable McpOperationHandler operations;
    private volatile @Nullable String session;
    private @Nullable McpInitializeRequest first;
    private @Nullable String renewedSession;
    private CompletableFuture<JsonNode> renewal = new CompletableFuture<>();

    McpOverHttp(String url, Supplier<Map<String, String>> headers, Duration connectTimeout) {
        this.url = URI.create(url);
        this.headers = headers;
        this.client = DirectHttp.builder(connectTimeout).build();
    }

    @Override
    public void start(McpOperationHandler handler) {
        operations = handler;
    }

    @Override
    public CompletableFuture<JsonNode> initialize(McpInitializeRequest request) {
        first = request;
        return sendOnce(request)
                .thenCompose(
                        answer -> sendOnce(new McpInitializationNotification()).thenApply(_ -> answer));
    }

    @Override
    CompletableFuture<JsonNode> send(McpClientMessage message) {
        return sendOnce(message).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof ForgottenException forgotten
                    ? renewed(forgotten.session).thenCompose(_ -> sendOnce(message))
                    : CompletableFuture.failedFuture(failure);
        });
    }

    /** A new session in the place of {@code forgotten}, the same one for all who ask. */
    private synchronized CompletableFuture<JsonNode> renewed(String forgotten) {
        if (!forgotten.equals(renewedSession)) {
            renewedSession = forgotten;
            renewal = initialize(Objects.requireNonNull(first));
        }
        return renewal;
    }

    @SuppressWarnings("NullAway") // a message without an id is answered by nothing
    private CompletableFuture<JsonNode> sendOnce(McpClientMessage message) {
        McpOperationHandler handler = operations;
        if (handler == null) {
            throw new IllegalStateException("The transport was not started");
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        // An answer to the server bears an id too, of the server's.
        Long id = message instanceof McpClientRequest request ? request.getId() : null;
        if (id != null) {
            handler.startOperation(id, answer);
        } else if (!notices.tryAcquire()) {
            return CompletableFuture.failedFuture(new IOException("The MCP server takes no more messages"));
        }
        String known = message instanceof McpInitializeRequest ? null : session;
        try {
            var _ = client.sendAsync(
                            request(message, known),
                            info -> body(info, known, id == null ? null : answer, handler::handle))
                    .whenComplete((_, error) -> {
                        if (id == null) {
                            notices.release();
                        }
                        if (error != null) {
                            answer.completeExceptionally(error);
                        } else if (id == null) {
                            answer.complete(null);
                        } else {
                            // Without effect when the answer came.
                            answer.completeExceptionally(new IOException("The MCP server ended without an answer"));
                        }
                    });
        } catch (JsonProcessingException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private HttpRequest request(McpClientMessage message, @Nullable String known) throws JsonProcessingException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url);
        headers.get().forEach(request::header);
        if (known != null) {
            request.header(SESSION, known);
        }
        return request.header("Content-Type", "application/json")
                .header("Accept", "application/json,text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(Json.mapper().writeValueAsString(message)))
                .build();
    }

    /** @param answer null for a message that has none */
    private BodySubscriber<Void> body(
            ResponseInfo info,
            @Nullable String known,
            @Nullable CompletableFuture<JsonNode> answer,
            Consumer<JsonNode> handler) {
        if (info.statusCode() == 404 && known != null) {
            throw new ForgottenException(known);
        }
        if (info.statusCode() < 200 || info.statusCode() > 299) {
            throw new IllegalStateException("The MCP server answered HTTP " + info.statusCode());
        }
        info.headers().firstValue(SESSION).ifPresent(id -> session = id);
        String type = info.headers().firstValue("Content-Type").orElse("");
        if (answer != null && type.contains("text/event-stream")) {
            return McpAnswers.boundedStream(new McpEvents(handler, answer));
        }
        return McpAnswers.boundedMessage(BodySubscribers.mapping(
                BodySubscribers.ofString(StandardCharsets.UTF_8), text -> {
                    if (answer != null) {
                        accept(handler, text);
                    }
                    return null;
                }));
    }

    private static void accept(Consumer<JsonNode> handler, String text) {
        try {
            handler.accept(Json.tree(text));
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
    public void checkHealth() {
        // Each request says for itself whether the server is there.
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
