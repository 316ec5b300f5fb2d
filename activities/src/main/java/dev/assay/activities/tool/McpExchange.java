package dev.assay.activities.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A transport of the SDK's client. A request is sent when its answer came: so it ends in its time, and fails when the answer cannot
 * come any more.
 */
abstract class McpExchange implements McpClientTransport {

    /** The time for a server to start; the first start of a package manager's command is slow. */
    static final Duration START = Duration.ofSeconds(60);

    static final String TIMED_OUT = "The MCP server did not answer in time";

    private static final String CANCELLED = "notifications/cancelled";

    private final Duration limit;
    private final Map<String, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client;
    private volatile @Nullable String version;

    /** @param limit the time of each message but the first */
    McpExchange(Duration limit) {
        this.limit = limit;
    }

    /** Begins to listen. */
    abstract void start();

    /**
     * Sends a message at once, or later.
     *
     * @param done completed here for a message that has no answer; fails when the message, or its answer, is lost
     */
    abstract void transmit(JSONRPCMessage message, CompletableFuture<Void> done);

    /** Ends the session. It returns at once. */
    abstract void end();

    @Override
    public final Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
        client = handler;
        start();
        return Mono.empty();
    }

    @Override
    public final Mono<Void> sendMessage(JSONRPCMessage message) {
        return Mono.deferContextual(context -> {
            version = context.getOrDefault(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, version);
            return Mono.fromFuture(send(message))
                    .timeout(isFirst(message) ? START : limit, Mono.defer(() -> timedOut(message)));
        });
    }

    /** Sends a message; done when its answer came. One that has no answer is done when it is sent. */
    final CompletableFuture<Void> send(JSONRPCMessage message) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (message instanceof JSONRPCRequest request) {
            String id = request.id().toString();
            waiting.put(id, done);
            var _ = done.whenComplete((_, _) -> waiting.remove(id));
        }
        try {
            transmit(message, done);
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
        return done;
    }

    private Mono<Void> timedOut(JSONRPCMessage message) {
        if (message instanceof JSONRPCRequest request && !isFirst(message)) {
            var _ = send(new JSONRPCNotification(CANCELLED, Map.of("requestId", request.id(), "reason", TIMED_OUT)));
        }
        return Mono.error(new IOException(TIMED_OUT));
    }

    static boolean isFirst(JSONRPCMessage message) {
        return message instanceof JSONRPCRequest request && request.method().equals(McpSchema.METHOD_INITIALIZE);
    }

    /** The version of the protocol; null before it is agreed on. */
    final @Nullable String version() {
        return version;
    }

    /**
     * Hands on a message of the server. Only what is of use: of a changed list the client would read all pages, without a bound.
     * What answers nothing and cannot be understood is dropped.
     */
    final void receive(JsonNode message) {
        CompletableFuture<Void> asked =
                message.has("method") ? null : waiting.get(message.path("id").asText());
        try {
            if (asked != null) {
                hand(message, JSONRPCResponse.class);
                asked.complete(null);
            } else if (message.has("method") && message.has("id")) {
                hand(message, JSONRPCRequest.class);
            } else if (message.path("method").asText().equals(McpSchema.METHOD_NOTIFICATION_PROGRESS)) {
                hand(message, JSONRPCNotification.class);
            }
        } catch (JsonProcessingException e) {
            if (asked != null) {
                asked.completeExceptionally(new IOException(McpAnswers.NOT_READABLE, e));
            }
        }
    }

    private void hand(JsonNode message, Class<? extends JSONRPCMessage> type) throws JsonProcessingException {
        JSONRPCMessage read = Json.mapper().treeToValue(message, type);
        var _ = Objects.requireNonNull(client).apply(Mono.just(read)).subscribe();
    }

    /** Fails all that waits for an answer. */
    final void fail(String reason) {
        waiting.values().forEach(done -> done.completeExceptionally(new IOException(reason)));
    }

    @Override
    public final Mono<Void> closeGracefully() {
        return Mono.fromRunnable(this::end);
    }

    @Override
    public final <T> T unmarshalFrom(Object data, TypeRef<T> type) {
        return Json.mapper().convertValue(data, Json.mapper().constructType(type.getType()));
    }
}
