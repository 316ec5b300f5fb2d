package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ConnectionReuseTest {

    private static final int CONCURRENT = 200;
    private static final int ROUNDS = 10;

    @Test
    void shouldReuseConnectionsWhenManyRequestsRunAtOnce() throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> {
                    Thread.sleep(20);
                    StubProvider.answer(exchange, 200, Requests.OPENAI_ANSWER);
                });
                ProviderCatalog catalog = Requests.catalog(stub.url());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int caller = 0; caller < CONCURRENT; caller++) {
                results.add(callers.submit(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        Requests.to("openai").ask(catalog);
                    }
                    return ROUNDS;
                }));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get()).isEqualTo(ROUNDS);
            }

            assertThat(stub.asked()).hasSize(CONCURRENT * ROUNDS);
            // A request may find the connection of the one before it not yet back in the pool; hence a margin.
            assertThat(stub.connections()).isBetween(1, CONCURRENT * 5 / 4);
        }
    }

    @Test
    void shouldReuseConnectionWhenAnswersAreErrors() throws Exception {
        try (StubProvider stub = StubProvider.answering(429, "{\"error\":{\"message\":\"slow down\"}}");
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            for (int i = 0; i < 20; i++) {
                try {
                    Requests.to("openai").ask(catalog);
                } catch (ModelException expected) {
                    // Each answer is a 429.
                }
            }
            assertThat(stub.asked()).hasSize(20);
            assertThat(stub.connections()).isEqualTo(1);
        }
    }
}
