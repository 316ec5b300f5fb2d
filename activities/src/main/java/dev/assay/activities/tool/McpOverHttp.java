package dev.assay.activities.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.transport.McpOperationHandler;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.mcp.protocol.McpClientMessage;
import dev.langchain4j.mcp.protocol.McpInitializationNotification;
import dev.langchain4j.mcp.protocol.McpInitializeRequest;
import dev.langchain4j.mcp.protocol.McpListToolsRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** MCP over streamable HTTP. The library's own transport reads answers of any length. Redirects are not followed. */
final class McpOverHttp implements McpTransport {

    private static final String SESSION = "Mcp-Session-Id";

    private final URI url;
    private final Map<String, String> headers;
    private final HttpClient client;
    private final AtomicInteger pages = new AtomicInteger();
    private volatile @Nullable McpOperationHandler operations;
    private volatile @Nullable String session;

    McpOverHttp(String url, Map<String, String> headers, Duration connectTimeout) {
        this.url = URI.create(url);
        this.headers = headers;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(connectTimeout)
                .build();
    }

    @Override
    public void start(McpOperationHandler handler) {
        operations = handler;
    }

    @Override
    public CompletableFuture<JsonNode> initialize(McpInitializeRequest request) {
        return execute(request)
                .thenCompose(
                        answer -> execute(new McpInitializationNotification()).thenApply(_ -> answer));
    }

    @Override
    public CompletableFuture<JsonNode> executeOperationWithResponse(McpClientMessage request) {
        return execute(request);
    }

    @Override
    public CompletableFuture<JsonNode> executeOperationWithResponse(McpCallContext context) {
        return execute(context.message());
    }

    @Override
    public void executeOperationWithoutResponse(McpClientMessage request) {
        var _ = execute(request);
    }

    @Override
    public void executeOperationWithoutResponse(McpCallContext context) {
        var _ = execute(context.message());
    }

    /** The answer; null for a message that has none. */
    @SuppressWarnings("NullAway") // a message without an id is answered by nothing
    private CompletableFuture<JsonNode> execute(McpClientMessage message) {
        McpOperationHandler handler = operations;
        if (handler == null) {
            throw new IllegalStateException("The transport was not started");
        }
        if (message instanceof McpListToolsRequest && pages.incrementAndGet() > McpAnswers.MAX_PAGES) {
            return CompletableFuture.failedFuture(new IOException(McpAnswers.TOO_MANY_PAGES));
        }
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        Long id = message.getId();
        if (id != null) {
            handler.startOperation(id, answer);
        }
        try {
            var _ = client.sendAsync(request(message), info -> body(info, id != null, handler::handle))
                    .whenComplete((_, error) -> {
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

    private HttpRequest request(McpClientMessage message) throws JsonProcessingException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url);
        headers.forEach(request::header);
        String known = session;
        if (known != null) {
            request.header(SESSION, known);
        }
        return request.header("Content-Type", "application/json")
                .header("Accept", "application/json,text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(Json.mapper().writeValueAsString(message)))
                .build();
    }

    private BodySubscriber<Void> body(ResponseInfo info, boolean isAnswered, Consumer<JsonNode> handler) {
        if (info.statusCode() < 200 || info.statusCode() > 299) {
            throw new IllegalStateException("The MCP server answered HTTP " + info.statusCode());
        }
        info.headers().firstValue(SESSION).ifPresent(id -> session = id);
        String type = info.headers().firstValue("Content-Type").orElse("");
        if (isAnswered && type.contains("text/event-stream")) {
            return McpAnswers.bounded(BodySubscribers.fromLineSubscriber(new Events(handler)));
        }
        // One message, be it in several lines.
        return BodySubscribers.mapping(
                BodySubscribers.limiting(BodySubscribers.ofString(StandardCharsets.UTF_8), McpAnswers.MAX_BYTES),
                text -> {
                    if (isAnswered) {
                        handler.accept(Json.tree(text));
                    }
                    return null;
                });
    }

    /** The messages of a stream of events. */
    private record Events(Consumer<JsonNode> handler) implements Flow.Subscriber<String> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.startsWith("data:") && line.length() > 5) {
                handler.accept(Json.tree(line.substring(5)));
            }
        }

        @Override
        public void onError(Throwable error) {
            // The answer's own end tells who waits for it.
        }

        @Override
        public void onComplete() {
            // As above.
        }
    }

    @Override
    public void checkHealth() {
        // Each request says for itself whether the server is there.
    }

    @Override
    public void onFailure(Runnable action) {
        // A session that fails is not begun again: the next loop opens its own.
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
