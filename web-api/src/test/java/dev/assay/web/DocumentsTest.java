package dev.assay.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.json.Json;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class DocumentsTest {

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldDescribeEveryAddressWhenOpenApiIsAskedFor() {
        JsonNode yaml = CampaignDocument.parse(server.fetch("/openapi").body());
        JsonNode json = Json.tree(server.send(server.request("/openapi").header("Accept", "application/json"))
                .body());

        assertThat(json).isEqualTo(yaml);
        assertThat(json.get("paths").fieldNames())
                .toIterable()
                .contains(
                        "/api/v1/campaigns",
                        "/api/v1/campaigns/{id}",
                        "/api/v1/campaigns/{id}/progress",
                        "/api/v1/campaigns/{id}/outcomes",
                        "/api/v1/campaigns/{id}/outcomes/{caseId}/{branchId}/{trial}",
                        "/api/v1/campaigns/{id}/events",
                        "/api/v1/providers");
        assertThat(json.at("/components/schemas/Campaign/properties/costUsd/description")
                        .asText())
                .contains("US dollars");
    }

    @Test
    void shouldSayWhatEachParameterIsWhenOpenApiIsAskedFor() {
        JsonNode document = CampaignDocument.parse(server.fetch("/openapi").body());
        List<String> unsaid = document.get("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .flatMap(method -> method.getValue()
                                .path("parameters")
                                .valueStream()
                                .filter(parameter ->
                                        parameter.path("description").asText().isBlank())
                                .map(parameter -> method.getKey() + " " + path.getKey() + " "
                                        + parameter.path("name").asText())))
                .toList();

        assertThat(unsaid).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"campaign", "evaluation", "scoring"})
    void shouldPublishSchemaWhenAsked(String document) {
        HttpResponse<String> schema = server.fetch("/schemas/" + document + ".json");

        assertThat(schema.statusCode()).isEqualTo(200);
        assertThat(schema.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/json");
        assertThat(Json.tree(schema.body()).at("/properties/branches").isObject())
                .isTrue();
    }

    @Test
    void shouldBeHealthyAndReadyWhenPostgresAndTemporalAnswer() {
        JsonNode health = server.json("/health");

        assertThat(health.get("status").asText()).isEqualTo("UP");
        assertThat(health.at("/details/temporal/status").asText()).isEqualTo("UP");
        assertThat(health.get("details").fieldNames()).toIterable().contains("jdbc");
        assertThat(server.json("/health/readiness").get("status").asText()).isEqualTo("UP");
        assertThat(server.json("/health/liveness").get("status").asText()).isEqualTo("UP");
    }

    @Test
    void shouldShowMetricsWhenPrometheusAsks() {
        server.fetch("/api/v1/campaigns");
        HttpResponse<String> metrics = server.fetch("/prometheus");

        assertThat(metrics.statusCode()).isEqualTo(200);
        assertThat(metrics.body())
                .contains("http_server_requests_seconds_count")
                .contains("jvm_");
    }

    @Test
    void shouldHideOtherManagementEndpointsWhenAsked() {
        assertThat(server.fetch("/env").statusCode()).isEqualTo(404);
        assertThat(server.fetch("/beans").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldListProvidersOfLiveWorkersWhenAsked() {
        JsonNode page = server.json("/api/v1/providers");

        assertThat(page.get("nextPageToken").isNull()).isTrue();
        assertThat(page.get("items")).isEqualTo(Json.tree("""
            [{"name": "openai", "hasKey": true, "keyVariable": "OPENAI_API_KEY", "maxConcurrent": 50,
              "maxOutputTokens": 4096, "prices": {}, "workers": 1,
              "keys": [{"name": "default", "account": "default", "variable": "OPENAI_API_KEY", "weight": 1, "state": "missing",
                        "reason": null, "since": null, "workers": 0, "values": []}]}]\
            """));
    }
}
