package dev.assay.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.store.SampleCampaign;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What pages of others make a browser send to a server on the same machine. */
@Timeout(120)
class LocalRequestsTest {

    private static final List<String> ADDRESSES = List.of(
            "/api/v1/campaigns",
            "/api/v1/audit",
            "/health",
            "/health/liveness",
            "/prometheus",
            "/openapi",
            "/schemas/campaign.json",
            "/nowhere");

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(Map.of("assay.access.hosts", List.of("assay.example")));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static int raw(String request) throws Exception {
        try (RawClient client = new RawClient(server.uri(), Duration.ofSeconds(20))) {
            client.send(request.replace("PORT", String.valueOf(server.uri().getPort())));
            return client.status();
        }
    }

    private static int post(String path, String headers, String body) throws Exception {
        return raw("POST " + path + " HTTP/1.1\r\n" + headers + "Content-Length: " + body.length() + "\r\n\r\n" + body);
    }

    @Test
    void shouldRefuseEveryAddressWhenTheNameOfAnotherLeadsHere() throws Exception {
        for (String address : ADDRESSES) {
            assertThat(raw("GET " + address + " HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n"))
                    .as(address)
                    .isEqualTo(403);
            assertThat(raw("GET " + address + " HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n"))
                    .as(address)
                    .isNotEqualTo(403);
        }
        assertThat(raw("GET /health HTTP/1.0\r\n\r\n")).isEqualTo(403);
        assertThat(raw("GET /health HTTP/1.1\r\nHost: assay.example\r\n\r\n")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://localhost:3000", "http://127.0.0.1:PORT"})
    void shouldRefuseARequestWhenItComesFromAPageOfAnother(String origin) throws Exception {
        String headers = "Host: localhost:PORT\r\nOrigin: " + origin + "\r\n";
        assertThat(post("/api/v1/campaigns/a/cancel", headers, "")).isEqualTo(403);
        assertThat(post("/api/v1/campaigns", headers + "Content-Type: application/json\r\n", "{}"))
                .isEqualTo(403);
        assertThat(raw("GET /api/v1/campaigns HTTP/1.1\r\n" + headers + "\r\n")).isEqualTo(403);
        assertThat(raw("OPTIONS /api/v1/campaigns HTTP/1.1\r\n" + headers
                        + "Access-Control-Request-Method: POST\r\n\r\n"))
                .isEqualTo(403);
    }

    @Test
    void shouldAnswerAPageOfItsOwn() throws Exception {
        String headers = "Host: localhost:PORT\r\nOrigin: http://localhost:PORT\r\n";
        assertThat(post("/api/v1/campaigns/a/cancel", headers, "")).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "'', 415",
        "text/plain, 415",
        "application/x-www-form-urlencoded, 415",
        "multipart/form-data; boundary=a, 415",
        "application/json, 404|422"
    })
    void shouldRefuseABodyWhenAnyPageMaySendItsType(String type, String expected) throws Exception {
        String header = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        for (String path : List.of(
                "/api/v1/campaigns",
                "/api/v1/evaluations",
                "/api/v1/campaigns/a/cancel",
                "/api/v1/campaigns/a/pause",
                "/api/v1/campaigns/a/rerun",
                "/api/v1/judge/preview",
                "/api/v1/evaluations/a/cancel")) {
            assertThat(String.valueOf(post(path, "Host: localhost\r\n" + header, "{}")))
                    .as("%s as %s", path, type)
                    .matches(expected);
            assertThat(String.valueOf(raw("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + header
                            + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n")))
                    .as("%s as %s in pieces", path, type)
                    .matches(expected);
        }
    }

    @Test
    void shouldWriteDownAChangeThatNeedsNoToken() throws Exception {
        assertThat(post("/api/v1/campaigns/unknown/cancel", "Host: localhost\r\n", ""))
                .isEqualTo(404);
        assertThat(server.store()
                        .count("SELECT count(*) FROM audit WHERE actor = 'local' AND status = 404"
                                + " AND action = 'POST /api/v1/campaigns/unknown/cancel'"))
                .isEqualTo(1);
    }

    @Test
    void shouldCallTheCreatorLocalWhenNoTokenIsNeeded() {
        String id = server.submit(new SampleCampaign("mine", 1, 1, 1));
        assertThat(server.json("/api/v1/campaigns/" + id).get("createdBy").asText())
                .isEqualTo("local");
    }

    @Test
    void shouldWriteDownAPageOfAnotherThatWasRefused() throws Exception {
        assertThat(raw("GET /api/v1/campaigns/seen HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
                .isEqualTo(403);
        await().atMost(Duration.ofSeconds(20))
                .until(() -> server.store()
                                .count("SELECT count(*) FROM audit WHERE refused AND status = 403 AND actor = 'local'"
                                        + " AND origin = '127.0.0.1' AND object = 'seen'")
                        == 1);
    }
}
