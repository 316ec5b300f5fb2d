package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The messages of a stream of events, until the answer is among them. Comments and the names of events are passed over. */
final class McpEvents implements Flow.Subscriber<String> {

    private static final String DATA = "data:";

    private final Consumer<JsonNode> handler;
    private final CompletableFuture<JsonNode> answer;
    private final StringBuilder data = new StringBuilder();
    private Flow.@Nullable Subscription subscription;

    /**
     * @param handler takes each message
     * @param answer done when the stream is of no more use; fails when it holds what cannot be read
     */
    McpEvents(Consumer<JsonNode> handler, CompletableFuture<JsonNode> answer) {
        this.handler = handler;
        this.answer = answer;
    }

    @Override
    public void onSubscribe(Flow.Subscription lines) {
        subscription = lines;
        lines.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String line) {
        if (answer.isDone()) {
            return;
        }
        if (line.isEmpty()) {
            deliver();
        } else if (line.startsWith(DATA)) {
            data.append(line, DATA.length(), line.length()).append('\n');
            if (data.length() > McpAnswers.MAX_BYTES) {
                end(new IOException(McpAnswers.TOO_LONG));
            }
        }
    }

    private void deliver() {
        if (data.isEmpty()) {
            return;
        }
        String message = data.toString();
        data.setLength(0);
        if (message.isBlank()) {
            return;
        }
        try {
            handler.accept(Json.tree(message));
        } catch (RuntimeException e) {
            end(new IOException(McpAnswers.NOT_READABLE, e));
        }
        if (answer.isDone()) {
            Objects.requireNonNull(subscription).cancel();
        }
    }

    private void end(Exception reason) {
        answer.completeExceptionally(reason);
        Objects.requireNonNull(subscription).cancel();
    }

    @Override
    public void onError(Throwable error) {
        answer.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        // Of a server that leaves out the empty line after its last event.
        deliver();
    }
}
