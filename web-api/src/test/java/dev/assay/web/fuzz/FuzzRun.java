package dev.assay.web.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.web.RawClient;
import dev.assay.web.fuzz.RequestGenerator.Request;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** Four clients send hostile requests to a server, each from a generator of its own; a fifth asks for the server's liveness. */
final class FuzzRun {

    private static final int CLIENTS = 4;
    private static final Duration LIVE = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Of how many failures the requests are kept. */
    private static final int KEPT = 100;

    /** Small bodies never fill the memory for bodies, and a server answers before a client has sent more than fits its buffers. */
    private static final int SMALL = 1 << 20;

    private final URI server;
    private final Settings settings;
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong failed = new AtomicLong();
    private final Map<Integer, Integer> statuses = new ConcurrentSkipListMap<>();
    private final Longest request = new Longest();
    private final Longest liveness = new Longest();
    private final AtomicLong livenessAnswers = new AtomicLong();
    private volatile boolean over;

    /**
     * What is sent.
     *
     * @param requests how many
     * @param seed makes the same requests again; client {@code n} begins with {@code seed + n}
     * @param largest bytes of the largest bodies
     * @param slow an answer that takes longer is a failure
     */
    record Settings(int requests, long seed, int largest, Duration slow) {}

    /**
     * What came of it.
     *
     * @param statuses how often each status was answered; 0 stands for a connection that ended without an answer
     * @param slowest milliseconds of the slowest answer
     * @param livenessAnswers how often liveness answered 200 in time
     * @param slowestLiveness milliseconds of its slowest answer
     * @param failed how many requests, liveness included, were not answered as they should be
     * @param failures the first of them
     */
    record Result(
            Map<Integer, Integer> statuses,
            long slowest,
            long livenessAnswers,
            long slowestLiveness,
            long failed,
            List<String> failures) {

        @Override
        public String toString() {
            return "%d requests: %s; slowest %d ms; liveness answered %d times, slowest %d ms; failures %d"
                    .formatted(
                            statuses.values().stream()
                                    .mapToInt(Integer::intValue)
                                    .sum(),
                            statuses,
                            slowest,
                            livenessAnswers,
                            slowestLiveness,
                            failed);
        }
    }

    private record Answer(int status, boolean mayBeRepeated) {}

    private static final class Longest {

        private final AtomicLong nanos = new AtomicLong();

        Duration since(long start) {
            long time = System.nanoTime() - start;
            nanos.accumulateAndGet(time, Math::max);
            return Duration.ofNanos(time);
        }

        long millis() {
            return nanos.get() / 1_000_000;
        }
    }

    FuzzRun(URI server, Settings settings) {
        this.server = server;
        this.settings = settings;
    }

    /** Sends all requests for the addresses of {@code openApi}; {@code ids} are campaigns and evaluations that exist. */
    Result run(JsonNode openApi, List<String> ids) throws InterruptedException {
        Thread watch = Thread.ofPlatform().start(this::watchLiveness);
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            int first = client;
            RequestGenerator generator =
                    new RequestGenerator(settings.seed() + client, openApi, ids, settings.largest());
            clients.add(Thread.ofPlatform().start(() -> sendAll(generator, first)));
        }
        for (Thread client : clients) {
            client.join();
        }
        over = true;
        watch.join();
        return new Result(
                statuses,
                request.millis(),
                livenessAnswers.get(),
                liveness.millis(),
                failed.get(),
                List.copyOf(failures));
    }

    private void fail(String failure) {
        if (failed.incrementAndGet() <= KEPT) {
            failures.add(failure);
        }
    }

    private void sendAll(RequestGenerator generator, int first) {
        try {
            for (int number = first; number < settings.requests(); number += CLIENTS) {
                send(generator.request(number));
            }
        } catch (RuntimeException | Error e) {
            fail("Client " + first + " ended with " + e);
        }
    }

    private void send(Request sent) {
        long start = System.nanoTime();
        try {
            Answer answer = ask(sent.bytes());
            Duration time = request.since(start);
            statuses.merge(answer.status(), 1, Integer::sum);
            if (time.compareTo(settings.slow()) > 0 || !isRight(answer, sent.bytes().length)) {
                fail(answer.status() + " after " + time.toMillis() + " ms: " + sent.name());
            }
        } catch (IOException e) {
            request.since(start);
            fail("No answer (" + e + "): " + sent.name());
        }
    }

    /**
     * Bodies of full size from all clients at once are more than the memory for them: then the server is busy, and says when to
     * come again. The answer to a request that was still being sent may be lost with its connection.
     */
    private boolean isRight(Answer answer, int length) {
        boolean largeRun = settings.largest() > SMALL;
        return switch (answer.status()) {
            case 0 -> length > SMALL;
            case 503 -> largeRun && answer.mayBeRepeated();
            default -> answer.status() < 500;
        };
    }

    private Answer ask(byte[] bytes) throws IOException {
        try (RawClient client = new RawClient(server, PATIENCE)) {
            try {
                client.send(bytes);
            } catch (IOException closedWhileSending) {
                // The answer may be there all the same.
                return answer(client);
            }
            return answer(client);
        }
    }

    private static Answer answer(RawClient client) throws IOException {
        int status = client.status();
        boolean mayBeRepeated = false;
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            mayBeRepeated |= line.toLowerCase(Locale.ROOT).startsWith("retry-after:");
        }
        return new Answer(status, mayBeRepeated);
    }

    private void watchLiveness() {
        byte[] ask = "GET /health/liveness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.ISO_8859_1);
        while (!over) {
            long start = System.nanoTime();
            try {
                int status = ask(ask).status();
                Duration time = liveness.since(start);
                if (status == 200 && time.compareTo(LIVE) <= 0) {
                    livenessAnswers.incrementAndGet();
                } else {
                    fail("Liveness answered " + status + " after " + time.toMillis() + " ms");
                }
                Thread.sleep(PAUSE);
            } catch (IOException | InterruptedException e) {
                liveness.since(start);
                fail("Liveness did not answer: " + e);
            }
        }
    }
}
