package dev.assay.activities.provider.delivery;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A body that its reader takes piece by piece. The next piece is asked for when the last one was used, so only one is held. */
final class BodyPieces implements BodySubscriber<BodyPieces>, AutoCloseable {

    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();

    private sealed interface Piece {
        record Bytes(List<ByteBuffer> buffers) implements Piece {}

        /** @param failure null: all of the body came */
        record End(@Nullable Throwable failure) implements Piece {}
    }

    @Override
    public CompletionStage<BodyPieces> getBody() {
        return CompletableFuture.completedFuture(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription body) {
        subscription.complete(body);
        body.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        pieces.add(new Piece.Bytes(buffers));
    }

    @Override
    public void onError(Throwable failure) {
        pieces.add(new Piece.End(failure));
    }

    @Override
    public void onComplete() {
        pieces.add(new Piece.End(null));
    }

    /**
     * The next piece; null: the body is at its end.
     *
     * @param stall how long nothing may come
     * @throws IOException when the body broke off, or nothing came
     */
    @Nullable
    List<ByteBuffer> next(Duration stall) throws IOException, InterruptedException {
        Piece piece = pieces.poll(stall.toNanos(), TimeUnit.NANOSECONDS);
        return switch (piece) {
            case null -> throw new IOException("Nothing came for " + stall.toSeconds() + " s");
            case Piece.Bytes(List<ByteBuffer> buffers) -> {
                subscription.join().request(1);
                yield buffers;
            }
            case Piece.End(Throwable failure) -> {
                if (failure != null) {
                    throw new IOException(Objects.toString(failure.getMessage(), "The body broke off"), failure);
                }
                yield null;
            }
        };
    }

    /** Closes the connection, unless all of the body came. */
    @Override
    public void close() {
        var _ = subscription.thenAccept(Flow.Subscription::cancel);
    }
}
