package dev.assay.web.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bodies of many clients together take no more memory than there is for them. */
@Timeout(180)
class MemoryAccountTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LIVE = Duration.ofSeconds(2);
    private static final int LARGE = 60_000_000;
    private static final String CAMPAIGNS = "POST /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\nContent-Type: ";
    private static final String JSON = "application/json\r\n";

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        // The share is of 683 MiB whatever the heap is, so that one body of 60 MB fits and a second one does not.
        server = ServerFixture.start(Map.of("assay.connections.heap", 683 << 20));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void shouldHoldNothingWhenAllClientsHaveLeft() {
        await("memory to be given back").atMost(PATIENCE).until(() -> taken() == 0);
    }

    private static long taken() {
        return server.get(MemoryAccount.class).taken();
    }

    private static RawClient announce(int length) throws IOException {
        RawClient client = new RawClient(server.uri(), PATIENCE);
        client.send(CAMPAIGNS + JSON + "Content-Length: " + length + "\r\n\r\n");
        return client;
    }

    private static void awaitTaken(long bytes) {
        await("memory to be taken").atMost(PATIENCE).until(() -> taken() >= bytes);
    }

    /** The headers of the next answer after its status, in lower case. */
    private static List<String> headers(RawClient client) throws IOException {
        List<String> headers = new ArrayList<>();
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            headers.add(line.toLowerCase(Locale.ROOT));
        }
        return headers;
    }

    private static String submitted(String name) {
        String document = new SampleCampaign(name, 2, 2, 1).document().toString();
        var answer = server.post("/api/v1/campaigns", "application/json", document);
        return answer.statusCode() == 202 ? "accepted" : answer.statusCode() + " " + answer.body();
    }

    @Test
    void shouldRefuseALargeBodyAndTakeSmallOnesWhenAnotherLargeOneHasTheMemory() throws Exception {
        try (RawClient first = announce(LARGE)) {
            awaitTaken(LARGE);
            try (RawClient second = announce(LARGE)) {
                assertThat(second.status()).isEqualTo(503);
                List<String> headers = headers(second);
                assertThat(headers).contains("retry-after: 1");
                int length = headers.stream()
                        .filter(header -> header.startsWith("content-length: "))
                        .mapToInt(header -> Integer.parseInt(header.substring("content-length: ".length())))
                        .findFirst()
                        .orElseThrow();
                String problem = new String(second.rest(length), StandardCharsets.UTF_8);
                assertThat(Json.tree(problem).path("code").asText()).isEqualTo("SERVER_BUSY");
            }
            assertThat(submitted("beside")).isEqualTo("accepted");
            first.vanish();
        }
        shouldHoldNothingWhenAllClientsHaveLeft();
        try (RawClient third = announce(LARGE)) {
            awaitTaken(LARGE);
            sendDocument(third, "{},", LARGE);
            assertThat(third.status()).isBetween(400, 422);
        }
    }

    @Test
    void shouldAnswerTheNextRequestOfAConnectionWhenABodyWasRefused() throws Exception {
        try (RawClient first = announce(LARGE)) {
            awaitTaken(LARGE);
            try (RawClient second = announce(2_000_000)) {
                // 2 MB of body fit beside; what would be read from it does not matter here.
                assertThat(taken()).isLessThan(268_435_456);
                second.vanish();
            }
            try (RawClient refused = announce(LARGE / 2)) {
                sendDocument(refused, " ", LARGE / 2);
                assertThat(refused.status()).isEqualTo(503);
                skipAnswer(refused);
                refused.send("GET /health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(refused.status()).isEqualTo(200);
            }
            first.vanish();
        }
    }

    private static void skipAnswer(RawClient client) throws IOException {
        for (String header : headers(client)) {
            if (header.startsWith("content-length: ")) {
                client.skip(Integer.parseInt(header.substring("content-length: ".length())));
            }
        }
    }

    @Test
    void shouldRefuseABodyWhenItDoesNotSayHowLargeItIsAndTheMemoryIsTaken() throws Exception {
        try (RawClient first = announce(LARGE);
                RawClient chunked = new RawClient(server.uri(), PATIENCE)) {
            awaitTaken(LARGE);
            chunked.send(CAMPAIGNS + JSON + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "100000\r\n" + " ".repeat(0x100000) + "\r\n";
            try {
                for (int i = 0; i < 40; i++) {
                    chunked.send(chunk);
                }
            } catch (IOException closed) {
                assertThat(closed).isNotNull();
            }
            assertThat(chunked.status()).isIn(503, 0);
            first.vanish();
        }
    }

    @Test
    void shouldTakeTheMemoryOfTheLargestBodyWhenABodyIsPacked() throws Exception {
        try (RawClient packed = new RawClient(server.uri(), PATIENCE);
                RawClient another = new RawClient(server.uri(), PATIENCE)) {
            packed.send(CAMPAIGNS + JSON + "Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n");
            awaitTaken(64 << 20);
            another.send(CAMPAIGNS + JSON + "Content-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n");
            assertThat(another.status()).isEqualTo(503);
        }
    }

    @Test
    void shouldSayThatTheHeapIsTooSmallWhenADocumentWouldNeverFit() {
        String document = "[" + "{},".repeat(2_000_000) + "{}]";

        var answer = server.post("/api/v1/campaigns", "application/json", document);

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("-Xmx");
    }

    @Test
    void shouldStayAliveAndTakeCampaignsWhenTwentyClientsSendSixtyMegabytesAtOnce() throws Exception {
        Queue<String> seen = new ConcurrentLinkedQueue<>();
        AtomicInteger left = new AtomicInteger(20);
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            clients.add(Thread.ofPlatform().start(() -> {
                try {
                    seen.add(flood(number));
                } catch (Exception e) {
                    seen.add(e.toString());
                } finally {
                    left.decrementAndGet();
                }
            }));
        }
        long slowest = 0;
        int campaigns = 0;
        while (left.get() > 0) {
            long start = System.nanoTime();
            assertThat(server.fetch("/health/liveness").statusCode()).isEqualTo(200);
            slowest = Math.max(slowest, System.nanoTime() - start);
            assertThat(submitted("meanwhile-" + campaigns++)).isEqualTo("accepted");
        }
        for (Thread client : clients) {
            client.join(PATIENCE);
        }

        System.out.printf(
                "Clients: %s; campaigns meanwhile: %d; slowest liveness %d ms%n", seen, campaigns, slowest / 1_000_000);
        assertThat(seen).hasSize(20).allMatch(status -> status.matches("left|400|413|422|503|0"));
        assertThat(Duration.ofNanos(slowest)).isLessThan(LIVE);
        assertThat(submitted("afterwards")).isEqualTo("accepted");
    }

    @Test
    void shouldKeepItsThreadsFreeWhenALargeBodyComesInSmallPieces() throws Exception {
        long before = cpuOfEventLoops();
        try (RawClient client = announce(LARGE)) {
            sendDocument(client, "{},", LARGE);
            assertThat(client.status()).isBetween(400, 422);
        }
        assertThat(Duration.ofNanos(cpuOfEventLoops() - before)).isLessThan(Duration.ofSeconds(2));
    }

    private static long cpuOfEventLoops() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().contains("eventLoopGroup"))
                .mapToLong(thread -> threads.getThreadCpuTime(thread.getThreadId()))
                .sum();
    }

    /** Half of them leave before the end; what they send is dense, plain, or a comment. */
    private static String flood(int number) throws Exception {
        boolean leaves = number % 2 == 0;
        String piece = List.of("{},", "\"a, b\",", "# x\n", "- {a: b}\n").get(number / 2 % 4);
        String type = number / 2 % 4 < 2 ? JSON : "application/yaml\r\n";
        String status = "503";
        for (int again = 0; again < 3 && status.equals("503"); again++) {
            try (RawClient client = new RawClient(server.uri(), PATIENCE)) {
                client.send(CAMPAIGNS + type + "Content-Length: " + LARGE + "\r\n\r\n");
                try {
                    sendDocument(client, piece, leaves ? LARGE - 1_000 * number : LARGE);
                } catch (IOException closed) {
                    assertThat(closed).isNotNull();
                }
                if (leaves) {
                    client.vanish();
                    status = "left";
                } else {
                    status = Integer.toString(client.status());
                }
            }
        }
        return status;
    }

    /** Sends {@code length} bytes of a list of {@code piece}s. */
    private static void sendDocument(RawClient client, String piece, int length) throws IOException {
        byte[] block = ("[" + piece.repeat(100_000 / piece.length())).getBytes(StandardCharsets.ISO_8859_1);
        byte[] later = piece.repeat(100_000 / piece.length()).getBytes(StandardCharsets.ISO_8859_1);
        if (piece.startsWith("#") || piece.startsWith("-")) {
            block = later;
        }
        int sent = 0;
        while (sent < length) {
            byte[] next = sent == 0 ? block : later;
            int size = Math.min(next.length, length - sent);
            client.send(size == next.length ? next : Arrays.copyOf(next, size));
            sent += size;
        }
    }
}
