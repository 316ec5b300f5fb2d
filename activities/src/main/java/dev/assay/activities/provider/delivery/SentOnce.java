package dev.assay.activities.provider.delivery;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A body that is given out once. The client of Java sends a GET again that was lost before its answer came. It does so with a POST
 * where the system property {@code jdk.httpclient.enableAllMethodRetry} is set. Without its body the second one is none.
 */
final class SentOnce implements BodyPublisher {

    private final BodyPublisher body;
    private final AtomicBoolean isSent = new AtomicBoolean();

    SentOnce(BodyPublisher body) {
        this.body = body;
    }

    /** Whether any of it may have been sent. */
    boolean isSent() {
        return isSent.get();
    }

    @Override
    public long contentLength() {
        return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        if (isSent.compareAndSet(false, true)) {
            body.subscribe(subscriber);
            return;
        }
        subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {}

            @Override
            public void cancel() {}
        });
        subscriber.onError(new IOException("A submission is sent once"));
    }
}
