package dev.assay.activities.provider;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterruptionTest {

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\":["})
    void shouldAbortWithinTwoHundredMillisecondsWhenInterrupted(String written) throws Exception {
        try (RawServer server = RawServer.holding(written);
                ProviderCatalog catalog = Requests.catalog(server.url())) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    catalog.client("openai").ask(Requests.to("openai"));
                    thrown.complete(new AssertionError("answered"));
                } catch (Throwable e) {
                    thrown.complete(e);
                }
            });
            server.awaitRequest();

            long interrupted = System.nanoTime();
            caller.interrupt();
            Throwable failure = thrown.get(10, TimeUnit.SECONDS);
            long returned = System.nanoTime();

            assertThat(failure).isInstanceOf(InterruptedException.class);
            assertThat(Duration.ofNanos(returned - interrupted)).isLessThan(Duration.ofMillis(200));
            assertThat(Duration.ofNanos(server.awaitClose() - interrupted)).isLessThan(Duration.ofMillis(200));
        }
    }
}
