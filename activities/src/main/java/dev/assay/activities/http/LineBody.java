package dev.assay.activities.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** A body whose lines are handed over as they come, and which is empty then. */
public final class LineBody implements BodySubscriber<byte[]> {

    private final Lines lines;
    private final CompletableFuture<byte[]> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;

    public LineBody(Lines lines) {
        this.lines = lines;
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
                lines.take(bytes, bytes.length);
            }
        } catch (IOException | RuntimeException | Error e) {
            end.completeExceptionally(e);
            if (subscription != null) {
                subscription.cancel();
            }
        }
    }

    @Override
    public void onError(Throwable error) {
        end.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
        try {
            lines.end();
            end.complete(new byte[0]);
        } catch (IOException | RuntimeException | Error e) {
            end.completeExceptionally(e);
        }
    }
}
