package dev.assay.web.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.CampaignDocument;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import dev.assay.web.fuzz.RequestGenerator.Request;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever is sent to whatever address: the answer is no 5xx, it comes within three seconds, and liveness answers all the while.
 * {@code benchmarks/fuzz} runs it longer, with bodies of full size.
 */
@Timeout(3_600)
class RequestFuzzTest {

    private static final int REQUESTS = Integer.getInteger("assay.fuzz.requests", 5_000);
    private static final long SEED = Long.getLong("assay.fuzz.seed", 9);
    private static final int LARGEST = Integer.getInteger("assay.fuzz.largest", 300_000);
    private static final int SMALL = 1 << 20;

    /** Stands for a 503 with a Retry-After. */
    private static final int BUSY = 453;

    private static final int CLIENTS = 4;
    private static final Duration SLOW = Duration.ofSeconds(Integer.getInteger("assay.fuzz.slow", 3));
    private static final Duration LIVE = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static ServerFixture server;

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
    private final AtomicLong slowest = new AtomicLong();
    private final AtomicLong slowestLiveness = new AtomicLong();
    private final AtomicLong livenessAnswers = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    @BeforeAll
    static void start() {
        server = ServerFixture.start(Map.of("assay.streams.per-address", 100));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldAnswerWithoutServerErrorsAndInTimeWhenRequestsAreHostile() throws Exception {
        RequestGenerator generator = generator();
        assertThat(generator.operations()).hasSizeGreaterThan(20);
        Thread liveness = Thread.ofPlatform().start(this::watchLiveness);
        List<Thread> clients = new ArrayList<>();
        AtomicLong number = new AtomicLong();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(Thread.ofPlatform().start(() -> ask(generator, number)));
        }
        for (Thread client : clients) {
            client.join();
        }
        over.set(true);
        liveness.join(PATIENCE);

        System.out.printf(
                "%d requests: %s; slowest %d ms; liveness asked %d times, slowest %d ms; heap %d MB%n",
                REQUESTS,
                statuses,
                slowest.get() / 1_000_000,
                livenessAnswers.get(),
                slowestLiveness.get() / 1_000_000,
                Runtime.getRuntime().maxMemory() >> 20);
        assertThat(failures).isEmpty();
        assertThat(slowestLiveness.get()).isLessThan(LIVE.toNanos());
        assertThat(livenessAnswers).hasValueGreaterThan(10);
    }

    private static RequestGenerator generator() {
        String openApi = server.fetch("/openapi").body();
        List<String> ids = new ArrayList<>();
        ids.add(server.submit(new SampleCampaign("fuzz", 2, 2, 1)));
        String evaluation = "{\"prompts\": [\"Why?\"], \"branches\": [{\"provider\": \"openai\", \"model\": \"m\"}]}";
        ids.add(Json.tree(server.post("/api/v1/evaluations", "application/json", evaluation)
                        .body())
                .path("id")
                .asText());
        return new RequestGenerator(SEED, CampaignDocument.parse(openApi), ids, LARGEST);
    }

    private void ask(RequestGenerator generator, AtomicLong number) {
        while (number.get() < REQUESTS) {
            Request request;
            synchronized (generator) {
                request = generator.request((int) number.getAndIncrement());
            }
            long start = System.nanoTime();
            int status = answer(request);
            long time = System.nanoTime() - start;
            statuses.merge(status, 1, Integer::sum);
            slowest.accumulateAndGet(time, Math::max);
            if (status >= 500 || time > SLOW.toNanos()) {
                failures.add(status + " after " + time / 1_000_000 + " ms: " + request.name());
            }
        }
    }

    private int answer(Request request) {
        try (RawClient client = new RawClient(server.uri(), PATIENCE)) {
            try {
                client.send(request.bytes());
            } catch (IOException closedWhileSending) {
                // The answer may be there all the same.
                return status(client);
            }
            return status(client);
        } catch (IOException e) {
            failures.add("No answer (" + e + "): " + request.name());
            return 0;
        }
    }

    /** Bodies of full size from all clients at once are more than the memory for them: then the server is busy, and says so. */
    private static int status(RawClient client) throws IOException {
        int status = client.status();
        if (status != 503 || LARGEST <= SMALL) {
            return status;
        }
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("retry-after:")) {
                return BUSY;
            }
        }
        return status;
    }

    private void watchLiveness() {
        while (!over.get()) {
            long start = System.nanoTime();
            int status = server.fetch("/health/liveness").statusCode();
            slowestLiveness.accumulateAndGet(System.nanoTime() - start, Math::max);
            livenessAnswers.incrementAndGet();
            if (status != 200) {
                failures.add("Liveness answered " + status);
            }
        }
    }
}
