package dev.assay.activities.provider.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

class SentOnceTest {

    private final SentOnce body = new SentOnce(BodyPublishers.ofString("all of it"));

    private CompletionStage<String> taken() {
        BodySubscriber<String> subscriber = BodySubscribers.ofString(StandardCharsets.UTF_8);
        body.subscribe(new Flow.Subscriber<>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscriber.onSubscribe(subscription);
            }

            @Override
            public void onNext(ByteBuffer piece) {
                subscriber.onNext(List.of(piece));
            }

            @Override
            public void onError(Throwable failure) {
                subscriber.onError(failure);
            }

            @Override
            public void onComplete() {
                subscriber.onComplete();
            }
        });
        return subscriber.getBody();
    }

    @Test
    void shouldBeGivenOutOnce() {
        assertThat(body.contentLength()).isEqualTo(9);
        assertThat(body.isSent()).isFalse();
        assertThat(taken()).isCompletedWithValue("all of it");
        assertThat(body.isSent()).isTrue();
        assertThat(taken())
                .failsWithin(Duration.ofSeconds(1))
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(IOException.class);
    }
}
