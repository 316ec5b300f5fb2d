package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.RawServer;
import dev.assay.activities.provider.Requests;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterruptionTest {

    /** Tries on a machine that has other work; the fastest one tells what the code takes. */
    private static final int TRIES = 5;

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\":["})
    void shouldAbortWithinTwoHundredMillisecondsWhenInterrupted(String written) throws Exception {
        Duration fastest = Duration.ofDays(1);
        for (int i = 0; i < TRIES && fastest.toMillis() >= 200; i++) {
            Duration taken = interrupt(written);
            fastest = taken.compareTo(fastest) < 0 ? taken : fastest;
        }
        assertThat(fastest).isLessThan(Duration.ofMillis(200));
    }

    /** How long it takes until both the caller has returned and the server sees the connection closed. */
    private static Duration interrupt(String written) throws Exception {
        try (RawServer server = RawServer.holding(written);
                ProviderCatalog catalog = Requests.catalog(server.url())) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    Requests.to("openai").ask(catalog);
                    thrown.complete(new AssertionError("answered"));
                } catch (Throwable e) {
                    thrown.complete(e);
                }
            });
            server.awaitRequest();

            long interrupted = System.nanoTime();
            caller.interrupt();
            assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            long returned = System.nanoTime();
            long closed = server.awaitClose();

            return Duration.ofNanos(Math.max(returned, closed) - interrupted);
        }
    }
}
