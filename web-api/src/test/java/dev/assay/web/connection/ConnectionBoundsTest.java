package dev.assay.web.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that send slowly, too much, or from too many connections. */
@Tag("slow")
@Timeout(90)
class ConnectionBoundsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MAX = 20;
    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(Map.of(
                "assay.connections.max", MAX,
                "assay.connections.header-timeout", "2s",
                "assay.connections.body-window", "2s"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static RawClient client() throws IOException {
        return new RawClient(server.uri(), PATIENCE);
    }

    @Test
    void shouldCloseTheConnectionWhenHeadersComeAByteAtATime() throws Exception {
        long start = System.nanoTime();
        try (RawClient slow = client()) {
            assertThat(sendsAll(slow, "GET /health/liveness HTTP/1.1\r\nX-Slow: ", "a", 60))
                    .isFalse();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(9));
    }

    @Test
    void shouldCloseTheConnectionWhenNothingIsEverSent() throws Exception {
        try (RawClient silent = client()) {
            assertThat(silent.isClosed()).isTrue();
        }
    }

    @Test
    void shouldCloseTheConnectionWhenABodyComesAByteAtATime() throws Exception {
        try (RawClient slow = client()) {
            String head = "POST /api/v1/judge/preview HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 100000\r\n\r\n";
            assertThat(sendsAll(slow, head, " ", 60)).isFalse();
        }
    }

    /** It takes memory for its whole length: at 64 KiB in a window it would keep that for hours. */
    @Test
    void shouldCloseTheConnectionWhenALargeBodyComesSlowly() throws Exception {
        try (RawClient slow = client()) {
            String head = "POST /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 10000000\r\n\r\n";
            assertThat(sendsAll(slow, head, " ".repeat(20_000), 60)).isFalse();
        }
    }

    @Test
    void shouldKeepTheConnectionWhenAClientPausesBetweenRequests() throws Exception {
        try (RawClient client = client()) {
            for (int i = 0; i < 2; i++) {
                client.send("GET /health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(client.status()).isEqualTo(200);
                drain(client);
                // Longer than headers may take: nothing is being sent.
                pause(Duration.ofSeconds(3));
            }
        }
    }

    private static void drain(RawClient client) throws IOException {
        int length = 0;
        for (String line = client.line(); !line.isEmpty(); line = client.line()) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(
                        line.substring("content-length:".length()).strip());
            }
        }
        client.skip(length);
    }

    /** Whether all pieces, one each 200 ms, could be sent. */
    private static boolean sendsAll(RawClient client, String head, String piece, int pieces) throws Exception {
        client.send(head);
        for (int i = 0; i < pieces; i++) {
            try {
                client.send(piece);
            } catch (IOException closed) {
                return false;
            }
            pause(Duration.ofMillis(200));
        }
        return true;
    }

    /** The pace of a slow client is what is tested. */
    private static void pause(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }

    @Test
    void shouldRefuseConnectionsWhenTooManyAreOpen() throws Exception {
        List<RawClient> open = new ArrayList<>();
        try {
            for (int i = 0; i < MAX; i++) {
                open.add(client());
                // Its answer says that the server has counted it.
                open.getLast().send("GET /health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(open.getLast().status()).isEqualTo(200);
            }
            try (RawClient another = client()) {
                another.send("GET /health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n");
                assertThat(another.status()).isZero();
            } catch (IOException closed) {
                assertThat(closed).isNotNull();
            }
        } finally {
            for (RawClient client : open) {
                client.close();
            }
        }
        await("free places").atMost(PATIENCE).until(ConnectionBoundsTest::answers);
    }

    private static boolean answers() {
        try (RawClient client = client()) {
            client.send("GET /health/liveness HTTP/1.1\r\nHost: localhost\r\n\r\n");
            return client.status() == 200;
        } catch (IOException refused) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/campaigns, 67108865",
        "POST, /api/v1/evaluations, 16777217",
        "POST, /api/v1/evaluations/a/continue, 16777217",
        "POST, /api/v1/evaluations/a/cancel, 1048577",
        "POST, /api/v1/judge/preview, 1048577",
        "PATCH, /api/v1/campaigns/a, 1048577",
        "POST, /api/v1/campaigns/a/rerun, 1048577",
    })
    void shouldRefuseABodyBeforeItIsSentWhenItIsAnnouncedAsTooLarge(String method, String path, long length)
            throws Exception {
        try (RawClient client = client()) {
            client.send(method + " " + path
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + length
                    + "\r\n\r\n");

            assertThat(client.status()).isEqualTo(413);
        }
    }

    @ParameterizedTest
    @CsvSource({"POST, /api/v1/judge/preview", "PATCH, /api/v1/campaigns/a", "POST, /api/v1/campaigns/a/rerun"})
    void shouldRefuseABodyWhenItsChunksAreTooLargeTogether(String method, String path) throws Exception {
        try (RawClient client = client()) {
            client.send(method + " " + path
                    + " HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Content-Type: application/json\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n");
            String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
            for (int i = 0; i < 17; i++) {
                client.send(chunk);
            }

            assertThat(client.status()).isEqualTo(413);
        }
    }

    @Test
    void shouldRefuseABodyWhenItIsTooLargeUnpacked() throws Exception {
        byte[] packed = Gzip.of(new byte[8 * 1024 * 1024]);
        try (RawClient client = client()) {
            client.send("POST /api/v1/judge/preview HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Encoding: gzip\r\nContent-Length: " + packed.length + "\r\n\r\n");
            client.send(packed);

            assertThat(client.status()).isBetween(400, 415);
        }
    }

    @Test
    void shouldRefuseARequestWhenItsHeadersOrItsAddressAreTooLong() throws Exception {
        try (RawClient client = client()) {
            client.send("GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(client.status()).isBetween(400, 499);
        }
        try (RawClient client = client()) {
            client.send("GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + "a".repeat(100_000) + "\r\n\r\n");
            assertThat(client.status()).isBetween(400, 499);
        }
    }
}
