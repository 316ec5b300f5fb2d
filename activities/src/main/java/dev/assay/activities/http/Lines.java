package dev.assay.activities.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Hands over the lines of a body as they come. A server that never stops must not fill the memory: lines, and all of them, are bounded. */
final class Lines implements BodySubscriber<byte[]> {

    /** Bytes of a line. */
    static final int MAX_LINE = 4 * 1024 * 1024;

    /** Bytes of a body. Streams of models take some 300 bytes a token: this is 200,000 tokens. */
    static final long MAX_BODY = 64L * 1024 * 1024;

    private final Consumer<String> consumer;
    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;
    private boolean afterReturn;
    private long read;

    Lines(Consumer<String> consumer) {
        this.consumer = consumer;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
        subscription = body;
        body.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        if (end.isDone()) {
            return;
        }
        try {
            for (ByteBuffer buffer : buffers) {
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                take(bytes);
            }
        } catch (IOException | RuntimeException | Error e) {
            end.completeExceptionally(e);
            if (subscription != null) {
                subscription.cancel();
            }
        }
    }

    /** A line ends with a line feed, a carriage return, or both. */
    private void take(byte[] bytes) throws IOException {
        read += bytes.length;
        if (read > MAX_BODY) {
            throw new IOException("The answer is longer than 64 MiB");
        }
        int begin = 0;
        for (int i = 0; i < bytes.length; i++) {
            boolean isPair = bytes[i] == '\n' && afterReturn;
            afterReturn = bytes[i] == '\r';
            if (bytes[i] == '\n' || afterReturn) {
                if (!isPair) {
                    keep(bytes, begin, i);
                    consumer.accept(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                }
                begin = i + 1;
            }
        }
        keep(bytes, begin, bytes.length);
    }

    private void keep(byte[] bytes, int begin, int end) throws IOException {
        if (line.size() + end - begin > MAX_LINE) {
            throw new IOException("A line of the answer is longer than 4 MiB");
        }
        line.write(bytes, begin, end - begin);
    }

    @Override
    public void onError(Throwable error) {
        end.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        try {
            if (line.size() > 0) {
                consumer.accept(line.toString(StandardCharsets.UTF_8));
            }
            end.complete(new byte[0]);
        } catch (RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }
}
