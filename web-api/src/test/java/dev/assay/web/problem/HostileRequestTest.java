package dev.assay.web.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import dev.assay.web.document.RequestReader;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What once was answered by 500, or by more than a client can read. */
@Timeout(120)
class HostileRequestTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static ServerFixture server;

    @BeforeAll
    static void start() {
        // A million fields take 200 MB of the three eighths that large bodies have.
        server = ServerFixture.start(Map.of("assay.connections.heap", 768 << 20));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static int raw(String request) throws Exception {
        try (RawClient client = new RawClient(server.uri(), PATIENCE)) {
            client.send(request);
            return client.status();
        }
    }

    @Test
    void shouldCarryAHundredErrorsAndTheNumberOfTheOthersWhenAMillionFieldsAreUnknown() {
        String document = IntStream.range(0, 1_000_000)
                .mapToObj(i -> "\"u" + i + "\":1")
                .collect(Collectors.joining(",", "{", "}"));

        HttpResponse<String> response = server.post("/api/v1/campaigns", "application/json", document);

        JsonNode problem = Json.tree(response.body());
        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(problem.get("errors")).hasSize(100);
        assertThat(problem.get("moreErrors").asInt()).isBetween(999_900, 1_000_000);
        assertThat(response.body()).hasSizeLessThan(100_000);
    }

    @Test
    void shouldRefuseAPreviewWhenItIsSixtyThreeMegabytes() throws Exception {
        assertThat(raw("POST /api/v1/judge/preview HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/yaml\r\n"
                        + "Content-Length: 66060288\r\n\r\n" + "{},".repeat(10_000)))
                .isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"query\": \"\\ud83d\", \"responses\": [\"a\"]}",
                "{\"query\": \"a\", \"responses\": [\"\\u0000\"]}",
                "{\"query\": 1e99999999999, \"responses\": []}",
                "{\"maxContextTokens\": 10e2147483647}",
                "{\"maxContextTokens\": 1e-99999999999}",
                "[]",
                "",
                " "
            })
    void shouldRefuseABodyWhenItCannotBeAnsweredOrRead(String body) {
        assertThat(server.post("/api/v1/judge/preview", "application/json", body)
                        .statusCode())
                .isBetween(400, 422);
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 1_001, 100_000})
    void shouldRefuseABodyWhenItIsTooDeep(int levels) {
        String body = "[".repeat(levels) + "]".repeat(levels);

        for (String path : List.of("/campaigns", "/judge/preview", "/evaluations")) {
            for (String type : List.of("application/json", "application/yaml")) {
                assertThat(server.post("/api/v1" + path, type, body).statusCode())
                        .as(path + " " + type)
                        .isBetween(400, 422);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "application/json; charset=none-such, 415",
        "application/json; charset=utf-16, 415",
        "application/json; charset=UTF-8, 422",
        "application/json; charset=\"utf-8\", 422",
        "garbage, 415",
        "application/, 415",
        ";;;, 415"
    })
    void shouldRefuseABodyWhenItsTypeOrCharsetIsUnknown(String type, int status) throws Exception {
        for (String path : List.of("/api/v1/campaigns", "/api/v1/judge/preview", "/api/v1/evaluations")) {
            assertThat(raw("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + type
                            + "\r\nContent-Length: 2\r\n\r\n{}"))
                    .as(path)
                    .isEqualTo(status);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/campaigns/%zz, 400",
        "/campaigns?pageToken=%zz, 400",
        "/campaigns/%, 400",
        "/campaigns/%C0%80, 404",
        "/campaigns?pageToken=KzEwMDAwLTAxLTAxVDAwOjAwOjAwWgph, 422",
        "/campaigns?pageToken=MjAyNi0wMS0wMVQwMDowMDowMFoKYQBi, 422",
        "/campaigns?pageSize=0, 422",
        "/campaigns?pageSize=100000000000, 422",
        "/campaigns/a/outcomes?passed=maybe, 404",
        "/evaluations?sessionId=%00, 400",
    })
    void shouldAnswerAClientsErrorWhenTheAddressIsOdd(String path, int status) throws Exception {
        assertThat(raw("GET /api/v1" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
                .isEqualTo(status);
    }

    @Test
    void shouldAnswerAClientsErrorWhenAPackedBodyIsNone() throws Exception {
        assertThat(raw("POST /api/v1/judge/preview HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                        + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"))
                .isEqualTo(400);
    }

    @Test
    void shouldAnswerLivenessWhenAllThreadsThatReadAreBusy() throws Exception {
        RequestReader reader = server.get(RequestReader.class);
        int busy = 2 * Runtime.getRuntime().availableProcessors();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(Runtime.getRuntime().availableProcessors());
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < busy; i++) {
            callers.add(Thread.ofVirtual().start(() -> reader.read("Waiting", () -> held(begun, release))));
        }
        assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        try {
            long start = System.nanoTime();
            assertThat(server.fetch("/health/liveness").statusCode()).isEqualTo(200);
            assertThat(server.fetch("/api/v1/campaigns").statusCode()).isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
        } finally {
            release.countDown();
            for (Thread caller : callers) {
                caller.join(PATIENCE);
            }
        }
    }

    private static boolean held(CountDownLatch begun, CountDownLatch release) {
        begun.countDown();
        try {
            return release.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
