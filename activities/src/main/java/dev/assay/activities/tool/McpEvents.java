package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a stream of events, until the answer is among them. Comments and the names of events are passed over. Lines are
 * split here: the JDK's own line subscriber needs seconds of a processor for a line of a mebibyte.
 */
final class McpEvents implements BodySubscriber<Void> {

    private static final String DATA = "data:";

    private final Consumer<JsonNode> handler;
    private final CompletableFuture<Void> answer;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private boolean afterReturn;
    private Flow.@Nullable Subscription subscription;

    /**
     * @param handler takes each message
     * @param answer done when the stream is of no more use; fails when it holds what cannot be read
     */
    McpEvents(Consumer<JsonNode> handler, CompletableFuture<Void> answer) {
        this.handler = handler;
        this.answer = answer;
    }

    @Override
    public CompletionStage<Void> getBody() {
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription buffers) {
        subscription = buffers;
        buffers.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining() && !answer.isDone()) {
                take(buffer.get());
            }
        }
        if (answer.isDone()) {
            Objects.requireNonNull(subscription).cancel();
            end.complete(null);
        }
    }

    /** A line ends with a line feed, a carriage return, or both. */
    private void take(byte octet) {
        boolean isSecondOfTwo = octet == '\n' && afterReturn;
        afterReturn = octet == '\r';
        if (isSecondOfTwo) {
            return;
        }
        if (octet == '\n' || octet == '\r') {
            takeLine(line.toString(StandardCharsets.UTF_8));
            line.reset();
        } else {
            line.write(octet);
        }
    }

    private void takeLine(String text) {
        if (text.isEmpty()) {
            deliver();
        } else if (text.startsWith(DATA)) {
            data.append(text, DATA.length(), text.length()).append('\n');
            if (data.length() > McpAnswers.MAX_BYTES) {
                answer.completeExceptionally(new IOException(McpAnswers.TOO_LONG));
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
            answer.completeExceptionally(new IOException(McpAnswers.NOT_READABLE, e));
        }
    }

    @Override
    public void onError(Throwable error) {
        answer.completeExceptionally(error);
        end.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        // Of a server that leaves out the empty line, or even the end of the line, after its last event.
        takeLine(line.toString(StandardCharsets.UTF_8));
        deliver();
        end.complete(null);
    }
}
