package dev.assay.web.problem;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.web.ServerFixture;
import io.micronaut.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ProblemResponsesTest {

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(
                Map.of("micronaut.server.max-request-size", 2_048, "micronaut.server.max-request-buffer-size", 2_048));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldHaveExactlyTheFieldsOfProblemDocumentWhenCampaignIsMissing() {
        HttpResponse<String> response =
                server.send(server.request("/api/v1/campaigns/nobody").header("X-Request-Id", "abc-1"));

        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(response.headers().firstValue("X-Request-Id")).hasValue("abc-1");
        assertThat(Json.tree(response.body())).isEqualTo(Json.tree("""
            {"type": "urn:assay:problem:not-found", "title": "Not found", "status": 404,
             "code": "NOT_FOUND", "detail": "There is no campaign nobody", "errors": [], "moreErrors": 0,
             "requestId": "abc-1"}\
            """));
    }

    @Test
    void shouldNotTellWhatTheDriverSaidWhenPostgresqlDoesNotAnswer() {
        SQLException cause = new SQLException("connection to 10.0.0.7:5432 refused", "08001");
        AssayException lost = new AssayException(ErrorCode.STORE_UNAVAILABLE, cause.getMessage(), cause);

        String body = server.get(ProblemResponses.class)
                .of(HttpRequest.GET("/api/v1/campaigns"), lost)
                .body();

        assertThat(Json.tree(body).path("code").asText()).isEqualTo("STORE_UNAVAILABLE");
        assertThat(Json.tree(body).path("detail").asText())
                .isEqualTo("PostgreSQL or Temporal does not answer: try again later");
    }

    @Test
    void shouldMakeRequestIdWhenClientSendsNoneOrAnUnusableOne() {
        HttpResponse<String> none = server.fetch("/api/v1/campaigns");
        HttpResponse<String> unusable =
                server.send(server.request("/api/v1/campaigns").header("X-Request-Id", "a b\"c"));

        assertThat(none.headers().firstValue("X-Request-Id").orElseThrow()).hasSize(36);
        assertThat(unusable.headers().firstValue("X-Request-Id").orElseThrow()).hasSize(36);
    }

    @Test
    void shouldAnswerNotFoundWhenRouteIsUnknown() {
        assertProblem(server.fetch("/api/v1/nowhere"), 404, "NOT_FOUND", "There is nothing at /api/v1/nowhere");
    }

    @Test
    void shouldAnswerMethodNotAllowedWhenRouteHasOtherMethods() {
        HttpResponse<String> response =
                server.send(server.request("/api/v1/campaigns").DELETE());

        assertProblem(response, 405, "METHOD_NOT_ALLOWED", "/api/v1/campaigns does not know the method DELETE");
        assertThat(response.headers().allValues("Allow").toString())
                .contains("GET")
                .contains("POST");
    }

    @Test
    void shouldAnswerUnsupportedMediaTypeWhenBodyIsSomethingElse() {
        HttpResponse<String> response = server.post("/api/v1/campaigns", "text/csv", "a,b");

        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(Json.tree(response.body()).get("code").asText()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void shouldAnswerNotAcceptableWhenClientWantsAnotherMediaType() {
        HttpResponse<String> response =
                server.send(server.request("/api/v1/campaigns").header("Accept", "text/html"));

        assertThat(response.statusCode()).isEqualTo(406);
        assertThat(Json.tree(response.body()).get("code").asText()).isEqualTo("NOT_ACCEPTABLE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/campaigns/%00", "/campaigns/a/outcomes/%00/b/1", "/campaigns?pageToken=%00", "/nowhere/%00"})
    void shouldAnswerMalformedWhenAddressHoldsNul(String path) {
        assertProblem(
                server.fetch("/api/v1" + path),
                400,
                "MALFORMED_INPUT",
                "The address holds the character U+0000 (%00); remove it");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /campaigns?state=DONE        | state    | Must be one of PENDING, RUNNING, PAUSED, COMPLETED, CANCELLED, FAILED
        /campaigns?pageSize=many     | pageSize | Must be a whole number, at most 2147483647
        /campaigns?pageSize=99999999999 | pageSize | Must be a whole number, at most 2147483647
        /campaigns/a/outcomes?status=DONE | status | Must be one of COMPLETED, LIMIT, MODEL_ERROR, TIMED_OUT, CANCELLED, BUDGET_SKIPPED, NOT_NEEDED
        /campaigns/a/outcomes/b/c/first | trial | Must be a whole number, at most 2147483647
        """)
    void shouldSayWhatParameterTakesWhenItsValueIsWrong(String path, String name, String expected) {
        HttpResponse<String> response = server.fetch("/api/v1" + path);

        assertThat(response.statusCode()).isEqualTo(422);
        JsonNode error = Json.tree(response.body()).get("errors").get(0);
        assertThat(error.get("path").asText()).isEqualTo(name);
        assertThat(error.get("message").asText()).isEqualTo(expected);
    }

    @Test
    void shouldAnswerBodyTooLargeWhenBodyExceedsTheLimit() {
        HttpResponse<String> response = server.send(server.request("/api/v1/campaigns")
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString("x".repeat(5_000))));

        assertThat(response.statusCode()).as(response.body()).isEqualTo(413);
        assertThat(Json.tree(response.body()).get("code").asText()).isEqualTo("BODY_TOO_LARGE");
    }

    @Test
    void shouldShowNoInternalsWhenServerFails() {
        server.store().execute("ALTER TABLE campaign RENAME TO hidden");
        try {
            HttpResponse<String> response = server.fetch("/api/v1/campaigns/any");

            JsonNode problem = Json.tree(response.body());
            assertProblem(
                    response,
                    500,
                    "INTERNAL",
                    "Assay failed; its log says why under request "
                            + problem.get("requestId").asText());
            assertThat(response.body()).doesNotContain("SELECT").doesNotContain("relation");
        } finally {
            server.store().execute("ALTER TABLE hidden RENAME TO campaign");
        }
    }

    @Test
    void shouldSayHowToStartWorkerWhenNoneIsAlive() {
        server.store().execute("UPDATE worker SET worker_id = 'gone', lease_until = 'epoch'");
        server.store().execute("""
            CREATE OR REPLACE FUNCTION worker_is_live(lease_until timestamptz) RETURNS boolean
            LANGUAGE sql STABLE RETURN lease_until > now()\
            """);
        HttpResponse<String> response = server.post("/api/v1/campaigns", "application/yaml", "name: a");

        assertProblem(
                response,
                503,
                "NO_WORKER",
                "No worker is running, so no provider can be asked: start one with `assay worker`");
        assertThat(server.json("/api/v1/providers").get("items")).isEmpty();
    }

    private static void assertProblem(HttpResponse<String> response, int status, String code, String detail) {
        JsonNode problem = Json.tree(response.body());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(problem.get("status").asInt()).isEqualTo(status);
        assertThat(problem.get("code").asText()).isEqualTo(code);
        assertThat(problem.get("detail").asText()).isEqualTo(detail);
    }
}
