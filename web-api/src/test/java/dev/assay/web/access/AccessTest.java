package dev.assay.web.access;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.access.Scope;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.access.Actor;
import dev.assay.store.access.TokenRepository;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that others can reach. */
@Timeout(120)
class AccessTest {

    private static final Actor TEST = new Actor("test", "AccessTest");
    private static final List<String> OPEN = List.of("/health/liveness", "/health/readiness");

    private static ServerFixture server;
    private static TokenRepository tokens;
    private static Map<String, String> refused;
    private static Map<Scope, String> valid;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(Map.of("assay.access.tokens", true));
        tokens = server.get(TokenRepository.class);
        refused = Map.of(
                "wrong",
                "assay_" + "0".repeat(64),
                "expired",
                tokens.create("expired", Scope.ADMIN, Duration.ofDays(1), TEST),
                "revoked",
                tokens.create("revoked", Scope.ADMIN, null, TEST));
        server.store().execute("UPDATE api_token SET expires_at = now() - interval '1 s' WHERE name = 'expired'");
        tokens.revoke("revoked", TEST);
        valid = Map.of(
                Scope.READ, tokens.create("reader", Scope.READ, Duration.ofDays(1), TEST),
                Scope.RUN, tokens.create("runner", Scope.RUN, null, TEST),
                Scope.ADMIN, tokens.create("chief", Scope.ADMIN, null, TEST));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private record Route(String method, String path) {}

    /** All addresses of the API's own description, and those beside it. */
    private static List<Route> routes() {
        JsonNode description =
                Json.tree(server.send(authorized("/openapi", token(Scope.READ)).header("Accept", "application/json"))
                        .body());
        List<Route> routes = new ArrayList<>();
        description
                .get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> routes.add(new Route(
                                method.toUpperCase(Locale.ROOT), path.getKey().replaceAll("\\{\\w+}", "1")))));
        for (String path : List.of("/health", "/prometheus", "/openapi", "/schemas/campaign.json", "/nowhere", "/")) {
            routes.add(new Route("GET", path));
        }
        OPEN.forEach(path -> routes.add(new Route("GET", path)));
        return routes;
    }

    private static String token(Scope scope) {
        return requireNonNull(valid.get(scope));
    }

    private static HttpRequest.Builder authorized(String path, @Nullable String token) {
        HttpRequest.Builder request = server.request(path);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private static HttpResponse<String> ask(Route route, @Nullable String token) {
        HttpRequest.Builder request = authorized(route.path(), token);
        return server.send(
                route.method().equals("GET")
                        ? request.GET()
                        : request.header("Content-Type", "application/json")
                                .method(route.method(), BodyPublishers.ofString("{}")));
    }

    @Test
    void shouldAskEveryRouteForATokenButTheHealth() {
        List<Route> routes = routes();
        assertThat(routes).hasSizeGreaterThan(20);
        for (Route route : routes) {
            boolean open = OPEN.contains(route.path());
            List<@Nullable String> none = new ArrayList<>(refused.values());
            none.add(null);
            for (String token : none) {
                HttpResponse<String> answer = ask(route, token);
                if (open) {
                    assertThat(answer.statusCode()).as("%s", route).isEqualTo(200);
                } else {
                    assertThat(answer.statusCode())
                            .as("%s with %s", route, token)
                            .isEqualTo(401);
                    assertThat(Json.tree(answer.body()).get("code").asText()).isEqualTo("UNAUTHENTICATED");
                    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
                }
            }
            Scope needed = Scope.neededFor(route.method(), route.path());
            valid.forEach((scope, token) -> {
                int status = ask(route, token).statusCode();
                if (open || scope.covers(needed)) {
                    assertThat(status).as("%s with %s", route, scope).isNotIn(401, 403, 500, 503);
                } else {
                    assertThat(status).as("%s with %s", route, scope).isEqualTo(403);
                }
            });
        }
    }

    @Test
    void shouldAnswerUnderAnyHostAndOriginWhenATokenIsThere() throws Exception {
        try (RawClient client = new RawClient(server.uri(), Duration.ofSeconds(20))) {
            client.send("GET /api/v1/campaigns HTTP/1.1\r\nHost: assay.example\r\nOrigin: https://a.example\r\n"
                    + "Authorization: Bearer " + token(Scope.READ) + "\r\n\r\n");
            assertThat(client.status()).isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseATokenAtOnceWhenItIsRevoked() {
        String token = tokens.create("brief", Scope.READ, null, TEST);
        assertThat(ask(new Route("GET", "/api/v1/campaigns"), token).statusCode())
                .isEqualTo(200);
        tokens.revoke("brief", TEST);
        assertThat(ask(new Route("GET", "/api/v1/campaigns"), token).statusCode())
                .isEqualTo(401);
    }

    @Test
    void shouldWriteDownWhoChangedWhatAndFromWhere() {
        ask(new Route("POST", "/api/v1/campaigns/none-such/cancel"), token(Scope.RUN));
        ask(new Route("POST", "/api/v1/campaigns/not-allowed/cancel"), token(Scope.READ));
        ask(new Route("GET", "/api/v1/campaigns/looked-at"), token(Scope.RUN));

        String audit = ask(new Route("GET", "/api/v1/audit?refused=false&pageSize=1000"), token(Scope.ADMIN))
                .body();

        List<JsonNode> rows = new ArrayList<>();
        Json.tree(audit).get("items").forEach(rows::add);
        JsonNode cancel = rows.stream()
                .filter(row -> row.get("what").asText().equals("POST /api/v1/campaigns/none-such/cancel"))
                .findFirst()
                .orElseThrow();
        assertThat(cancel.get("who").asText()).isEqualTo("runner");
        assertThat(cancel.get("from").asText()).isEqualTo("127.0.0.1");
        assertThat(cancel.get("status").asInt()).isEqualTo(404);
        assertThat(audit)
                .contains("token create chief admin", "token revoke revoked")
                .doesNotContain("not-allowed", "looked-at");
    }

    @Test
    void shouldSayWhoCreatedACampaignAlsoWhenAnotherSendsItAgain() {
        String document = new SampleCampaign("created", 1, 1, 1).document().toString();
        JsonNode first = create("/api/v1/campaigns", Scope.RUN, document);
        JsonNode again = create("/api/v1/campaigns", Scope.ADMIN, document);

        assertThat(first.get("createdBy").asText()).isEqualTo("runner");
        assertThat(first.get("warnings")).isEmpty();
        assertThat(again).isEqualTo(first);
        String list = ask(new Route("GET", "/api/v1/campaigns?q=created"), token(Scope.READ))
                .body();
        assertThat(Json.tree(list).at("/items/0/createdBy").asText()).isEqualTo("runner");
    }

    @Test
    void shouldSayWhoCreatedAnEvaluation() {
        JsonNode evaluation = create("/api/v1/evaluations", Scope.ADMIN, """
            {"prompts": ["Hi"], "branches": [{"kind": "scripted", "script": {"answers": ["x"]}}]}\
            """);
        assertThat(evaluation.get("createdBy").asText()).isEqualTo("chief");
        JsonNode hypotheses = create("/api/v1/hypothesis-evaluations", Scope.ADMIN, """
            {"challenger": {"kind": "scripted", "script": {"answers": ["x"]}},
             "hypotheses": [{"id": "h1", "statement": "Tea cures colds."}]}\
            """);
        assertThat(Json.tree(ask(
                                        new Route(
                                                "GET",
                                                "/api/v1/hypothesis-evaluations/"
                                                        + hypotheses.get("id").asText()),
                                        token(Scope.READ))
                                .body())
                        .get("createdBy")
                        .asText())
                .isEqualTo("chief");
    }

    private static JsonNode create(String path, Scope scope, String document) {
        HttpResponse<String> answer = server.send(authorized(path, token(scope))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "the same for all of " + path)
                .POST(BodyPublishers.ofString(document)));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return Json.tree(answer.body());
    }

    @Test
    void shouldStoreNoTokenItself() {
        String dump =
                server.store().query("SELECT t::text AS row FROM api_token t").toString()
                        + server.store().query("SELECT a::text AS row FROM audit a");
        valid.values()
                .forEach(token ->
                        assertThat(dump).doesNotContain(token).doesNotContain(token.substring("assay_".length())));
    }
}
