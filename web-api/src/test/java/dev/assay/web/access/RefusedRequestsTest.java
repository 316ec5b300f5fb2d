package dev.assay.web.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.access.Scope;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.access.Actor;
import dev.assay.store.access.TokenRepository;
import dev.assay.web.ServerFixture;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that a server refuses, and what its audit says of them. */
@Timeout(120)
class RefusedRequestsTest {

    private static final Actor TEST = new Actor("test", "RefusedRequestsTest");
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String WRONG = "0123456789abcdef0123456789abcdef";

    private static ServerFixture server;
    private static String admin;

    @BeforeAll
    static void start() {
        server = ServerFixture.start(Map.of("assay.access.tokens", true, "assay.streams.per-address", 0));
        admin = server.get(TokenRepository.class).create("chief", Scope.ADMIN, null, TEST);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private HttpResponse<String> ask(String method, String path, String token) {
        HttpRequest.Builder request = server.request(path).method(method, HttpRequest.BodyPublishers.noBody());
        return server.send(token.isEmpty() ? request : request.header("Authorization", "Bearer " + token));
    }

    private List<JsonNode> audit(String query) {
        HttpResponse<String> answer = ask("GET", "/api/v1/audit?" + query, admin);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<JsonNode> rows = new ArrayList<>();
        Json.tree(answer.body()).get("items").forEach(rows::add);
        return rows;
    }

    private JsonNode refused(String query) {
        await().atMost(PATIENCE).until(() -> !audit("refused=true&" + query).isEmpty());
        List<JsonNode> rows = audit("refused=true&" + query);
        assertThat(rows).hasSize(1);
        return rows.getFirst();
    }

    @Test
    void shouldWriteDownWhoWasRefusedWhatAndWhy() {
        String reader = server.get(TokenRepository.class).create("reader", Scope.READ, null, TEST);
        ask("GET", "/api/v1/campaigns/c-1/outcomes", WRONG);
        ask("DELETE", "/api/v1/campaigns/c-2", reader);
        ask("GET", "/api/v1/campaigns/" + admin, "");
        ask("GET", "/api/v1/campaigns/" + WRONG, WRONG);

        JsonNode row = refused("object=c-1");
        assertThat(row.get("who").asText()).isEqualTo("unknown");
        assertThat(row.get("what").asText()).isEqualTo("GET /api/v1/campaigns/c-1/outcomes");
        assertThat(row.get("from").asText()).isEqualTo("127.0.0.1");
        assertThat(row.get("status").asInt()).isEqualTo(401);
        assertThat(row.get("repeated").asInt()).isZero();
        assertThat(refused("who=reader").get("object").asText()).isEqualTo("c-2");
        assertThat(refused("who=reader").get("status").asInt()).isEqualTo(403);
        await().atMost(PATIENCE)
                .until(() ->
                        server.store().count("SELECT count(*) FROM audit WHERE refused AND object = '[token]'") == 2);
        assertThat(server.store().query("SELECT a::text AS row FROM audit a").toString())
                .doesNotContain(WRONG, admin, admin.substring("assay_".length()))
                .contains("[token]");
    }

    private String submit(String name) {
        HttpResponse<String> answer = server.send(server.request("/api/v1/campaigns")
                .header("Authorization", "Bearer " + admin)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        new SampleCampaign(name, 1, 1, 1).document().toString())));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return Json.tree(answer.body()).get("id").asText();
    }

    @Test
    void shouldWriteDownARefusalWhenAnAddressHasTooManyStreams() {
        String id = submit("streamed");
        assertThat(ask("GET", "/api/v1/campaigns/" + id + "/events", admin).statusCode())
                .isEqualTo(429);
        assertThat(refused("object=" + id).get("who").asText()).isEqualTo("chief");
        assertThat(refused("object=" + id).get("status").asInt()).isEqualTo(429);
    }

    @Test
    void shouldSayWhatAChangeMadeOrWasAbout() {
        String id = submit("made");
        ask("POST", "/api/v1/campaigns/" + id + "/pause", admin);
        assertThat(audit("object=" + id))
                .extracting(row -> row.get("what").asText())
                .containsExactly("POST /api/v1/campaigns/" + id + "/pause", "POST /api/v1/campaigns");
    }

    @Test
    void shouldRefuseAFilterThatItDoesNotKnow() {
        for (String query : List.of(
                "whom=a",
                "from=yesterday",
                "to=2026-13-01T00:00:00Z",
                "from=%2B1000000-01-01T00:00:00Z",
                "from=",
                "refused=yes",
                "pageSize=0",
                "pageToken=a",
                "who=a&who=b")) {
            HttpResponse<String> answer = ask("GET", "/api/v1/audit?" + query, admin);
            assertThat(answer.statusCode()).as("%s: %s", query, answer.body()).isEqualTo(422);
            assertThat(Json.tree(answer.body()).at("/errors/0/path").asText())
                    .isEqualTo(query.substring(0, query.indexOf('=')));
        }
        assertThat(audit("from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00%2B01:00&refused=false"))
                .isEmpty();
    }
}
