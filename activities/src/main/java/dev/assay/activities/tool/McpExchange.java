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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A transport of the SDK's client. A request is sent when its answer came: so it ends in its time, and fails when the answer cannot
 * come any more.
 */
abstract class McpExchange implements McpClientTransport {

    /** Mebibytes of one message. */
    static final int MAX_MESSAGE = 1;

    /** Mebibytes of one answer over HTTP, or of all that a process says in a session. */
    static final int MAX_STREAM = 64;

    static final String TIMED_OUT = "The MCP server did not answer in time";

    static final String NOT_READABLE = "The MCP server sent a message that is no JSON or cannot be understood";

    /** The time for a server to start; the first start of a package manager's command is slow. */
    private static final Duration START = Duration.ofSeconds(60);

    /** Requests of the server that are not answered yet. */
    private static final int MAX_ASKED = 16;

    private static final String CANCELLED = "notifications/cancelled";

    /** The time of each message but the first. */
    final Duration limit;

    private final Map<String, CompletableFuture<Void>> waiting = new ConcurrentHashMap<>();
    private final Semaphore asked = new Semaphore(MAX_ASKED);
    private volatile @Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client;
    private volatile @Nullable String version;

    McpExchange(Duration limit) {
        this.limit = limit;
    }

    /** Begins to listen. */
    abstract void start();

    /**
     * Sends a message, and returns at once.
     *
     * @param done completed here for a message that has no answer; fails when the message, or its answer, is lost.
     *     Where it fails otherwise, nothing more is done for the message
     */
    abstract void transmit(JSONRPCMessage message, CompletableFuture<Void> done);

    /** Ends the session, and returns at once. */
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
            return Mono.fromFuture(send(message)).onErrorMap(TimeoutException.class, _ -> new IOException(TIMED_OUT));
        });
    }

    /** Sends a message; done when its answer came. One that has no answer is done when it is sent. */
    final CompletableFuture<Void> send(JSONRPCMessage message) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (message instanceof JSONRPCRequest request) {
            waiting.put(request.id().toString(), done);
        }
        var _ = done.whenComplete((_, failure) -> settle(message, failure));
        if (!(message instanceof JSONRPCResponse)) {
            // An answer to the server takes its memory until it is written, however long that is.
            var _ = done.orTimeout((isFirst(message) ? START : limit).toNanos(), TimeUnit.NANOSECONDS);
        }
        try {
            transmit(message, done);
        } catch (RuntimeException e) {
            done.completeExceptionally(e);
        }
        return done;
    }

    private void settle(JSONRPCMessage message, @Nullable Throwable failure) {
        if (message instanceof JSONRPCResponse) {
            asked.release();
        } else if (message instanceof JSONRPCRequest request) {
            waiting.remove(request.id().toString());
            if (failure instanceof TimeoutException && !isFirst(message)) {
                var _ = send(
                        new JSONRPCNotification(CANCELLED, Map.of("requestId", request.id(), "reason", TIMED_OUT)));
            }
        }
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
     *
     * @throws IOException when the server asks too much; the message says so
     */
    final void receive(JsonNode message) throws IOException {
        if (!message.has("method")) {
            CompletableFuture<Void> answered = waiting.get(message.path("id").asText());
            if (answered != null && hand(message, JSONRPCResponse.class)) {
                answered.complete(null);
            } else if (answered != null) {
                answered.completeExceptionally(new IOException(NOT_READABLE));
            }
        } else if (message.has("id")) {
            if (!asked.tryAcquire()) {
                throw new IOException("The MCP server asks more than " + MAX_ASKED + " things before it has answers");
            }
            if (!hand(message, JSONRPCRequest.class)) {
                asked.release();
            }
        } else if (message.path("method").asText().equals(McpSchema.METHOD_NOTIFICATION_PROGRESS)) {
            hand(message, JSONRPCNotification.class);
        }
    }

    /** Whether the client could be handed the message. */
    private boolean hand(JsonNode message, Class<? extends JSONRPCMessage> type) {
        try {
            JSONRPCMessage read = Json.mapper().treeToValue(message, type);
            var _ = Objects.requireNonNull(client).apply(Mono.just(read)).subscribe();
            return true;
        } catch (JsonProcessingException e) {
            return false;
        }
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
