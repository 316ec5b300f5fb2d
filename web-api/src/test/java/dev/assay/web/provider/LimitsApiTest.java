package dev.assay.web.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolCalls;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.limit.UnitRequest;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class LimitsApiTest {

    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt*");

    private static final String LIMITS = "/api/v1/providers/openai/limits";

    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        LimitsInfo limits = new LimitsInfo("gpt*", Map.of("requestsPerMinute", 10L, "tokensPerDay", 5_000L), 60, null);
        LimitsInfo others = new LimitsInfo("*", Map.of("requestsPerMinute", 600L), 2, null);
        ProviderInfo openai =
                new ProviderInfo("openai", null, true, "OPENAI_API_KEY", 50, 4_096, Map.of(), List.of(limits, others));
        server.get(WorkerRepository.class)
                .register(new WorkerRepository.Worker("limited", "host", 1, "test", List.of(), List.of(openai)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void ask(int requests) {
        UnitRequest request =
                new UnitRequest(Collections.nCopies(requests, Units.ofRequest(100, 20)), false, requests, 0, List.of());
        server.get(UnitRepository.class).exchange("limited", Map.of(POOL, request));
    }

    @Test
    void shouldShowWhatIsUsedOfEachLimit() {
        ask(12);
        server.get(WorkerRepository.class)
                .report("limited", List.of(), Map.of(), List.of(new PoolCalls("openai", "gpt*", 7, 3)));

        JsonNode shown = server.json("/api/v1/providers/openai/limits");
        ObjectNode waiting = (ObjectNode) shown.at("/items/1");
        assertThat(Instant.parse(waiting.get("waitingSince").asText())).isBeforeOrEqualTo(Instant.now());
        assertThat(server.json("/api/v1/providers/openai").get("pools")).isEqualTo(shown.get("items"));
        waiting.put("waitingSince", "T");
        assertThat(shown).isEqualTo(Json.tree("""
            {"items": [
              {"account": "default", "models": "*", "keys": ["default"], "blockedUntil": null, "waiting": 0,
               "concurrent": {"min": 1, "max": 50, "now": 50, "inFlight": 0, "phase": "STEADY", "manual": false},
               "waitingSince": null, "refusals": {"rate": 0, "concurrency": 0}, "limits": [
                {"name": "requestsPerMinute", "limit": 600, "why": "configured", "configured": 600, "manual": null,
                 "header": null, "used": 0, "free": 600}]},
              {"account": "default", "models": "gpt*", "keys": ["default"], "blockedUntil": null, "waiting": 5,
               "concurrent": {"min": 1, "max": 50, "now": 50, "inFlight": 7, "phase": "STEADY", "manual": false},
               "waitingSince": "T", "refusals": {"rate": 0, "concurrency": 0}, "limits": [
                {"name": "requestsPerMinute", "limit": 10, "why": "configured", "configured": 10, "manual": null,
                 "header": null, "used": 10, "free": 0},
                {"name": "tokensPerDay", "limit": 5000, "why": "configured", "configured": 5000, "manual": null,
                 "header": null, "used": 1200, "free": 3800}]}],
             "nextPageToken": null}\
            """));
    }

    private void tell(ModelPool pool, Refusal.Kind kind) {
        PoolRefusal refusal = new PoolRefusal(kind, Duration.ofMinutes(10), 0, 0, 20);
        ThrottleReport report = new ThrottleReport(List.of(new ThrottleReport.Refused(refusal, 2)), null, false);
        server.get(ThrottleRepository.class).exchange("one", Map.of(pool, report));
    }

    @Test
    void shouldShowWhatRefusalsHaveMadeOfAGroup() {
        tell(POOL, Refusal.Kind.CONCURRENCY);
        tell(new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "o5"), Refusal.Kind.RATE);

        JsonNode pools = server.json(LIMITS).get("items");

        assertThat(pools.findValuesAsText("models")).containsExactly("*", "gpt*", "o5");
        JsonNode cut = pools.get(1);
        assertThat(Instant.parse(cut.get("blockedUntil").asText())).isAfter(Instant.now());
        assertThat(cut.get("concurrent")).isEqualTo(Json.tree("""
            {"min": 1, "max": 50, "now": 14, "inFlight": 0, "phase": "STEADY", "manual": false}\
            """));
        assertThat(cut.get("refusals")).isEqualTo(Json.tree("{\"rate\": 0, \"concurrency\": 2}"));
        JsonNode unlimited = pools.get(2);
        assertThat(unlimited.get("limits")).isEmpty();
        assertThat(unlimited.at("/concurrent/now").asInt()).isEqualTo(50);
        assertThat(unlimited.at("/refusals/rate").asInt()).isEqualTo(2);
        assertThat(changed("{\"models\": \"gpt*\", \"requestsPerMinute\": 5, \"reason\": \"r\"}")
                        .at("/items/0/concurrent"))
                .isEqualTo(cut.get("concurrent"));
    }

    @Test
    void shouldAnswerNotFoundWhenNoLiveWorkerReportsTheProvider() {
        assertThat(server.fetch("/api/v1/providers/anthropic/limits").statusCode())
                .isEqualTo(404);
        assertThat(server.fetch("/api/v1/providers/%00/limits").statusCode()).isIn(400, 404);
        assertThat(server.fetch("/api/v1/providers/openai/limits").statusCode()).isEqualTo(200);
    }

    @Test
    void shouldNameTheLimitThatHoldsTheCellsOfACampaign() {
        server.get(CampaignRepository.class).create("c", new SampleCampaign("c", 1, 1, 1).submission());
        ask(12);
        server.get(WorkerRepository.class)
                .report("limited", List.of(new WorkerLoad("c", "openai", 0, 8, 0)), Map.of(), List.of());

        JsonNode reasons = server.json("/api/v1/campaigns/c").at("/health/reasons");

        assertThat(reasons.findValuesAsText("code")).contains("PROVIDER_LIMIT");
        assertThat(reasons.findValuesAsText("message"))
                .contains("Provider openai allows 10 requests a minute for gpt*, those of other campaigns included.");

        changed("{\"models\": \"gpt*\", \"requestsPerMinute\": 5, \"reason\": \"shared\"}");
        ask(1);

        assertThat(server.json("/api/v1/campaigns/c").at("/health/reasons").findValuesAsText("message"))
                .contains("Provider openai allows 5 requests a minute for gpt*, those of other campaigns included."
                        + " It was set by hand: local, \"shared\".");
    }

    private JsonNode changed(String body) {
        HttpResponse<String> answer = server.patch(LIMITS, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.tree(answer.body());
    }

    @Test
    void shouldChangeAndTakeBackALimit() {
        String halved = "{\"models\": \"gpt*\", \"requestsPerMinute\": 5, \"reason\": \"shared\"}";
        JsonNode pools = changed(halved);

        assertThat(pools.get("items")).hasSize(1);
        JsonNode limit = pools.at("/items/0/limits/0");
        assertThat(limit.get("limit").asLong()).isEqualTo(5);
        assertThat(limit.get("why").asText()).isEqualTo("manual");
        assertThat(limit.get("configured").asLong()).isEqualTo(10);
        assertThat(changed(halved)).as("sent twice it is the same").isEqualTo(pools);
        assertThat(server.json(LIMITS).at("/items/1")).isEqualTo(pools.at("/items/0"));

        changed("{\"models\": \"gpt*\", \"requestsPerMinute\": null, \"reason\": \"as it was\"}");

        JsonNode first = server.json("/api/v1/providers/openai/changes?pageSize=1");
        assertThat(first.at("/items/0/old").asText()).isEqualTo("5");
        assertThat(first.at("/items/0/new").asText()).isEqualTo("10");
        assertThat(first.at("/items/0/who").asText()).isEqualTo("local");
        assertThat(first.at("/items/0/reason").asText()).isEqualTo("as it was");
        JsonNode second = server.json("/api/v1/providers/openai/changes?pageSize=1&pageToken="
                + first.get("nextPageToken").asText());
        assertThat(second.at("/items/0/reason").asText()).isEqualTo("shared");
        assertThat(server.json("/api/v1/audit?object=openai")
                        .at("/items/0/what")
                        .asText())
                .isEqualTo("PATCH " + LIMITS);
    }

    @Test
    void shouldChangeAndTakeBackHowManyCallsMayBeInFlight() {
        String two = "{\"models\": \"gpt*\", \"concurrent\": {\"min\": 2, \"max\": 20}, \"reason\": \"shared\"}";
        JsonNode pools = changed(two);

        assertThat(pools.at("/items/0/concurrent")).isEqualTo(Json.tree("""
            {"min": 2, "max": 20, "now": 20, "inFlight": 0, "phase": "STEADY", "manual": true}\
            """));
        assertThat(changed(two)).as("sent twice it is the same").isEqualTo(pools);
        assertThat(changed("{\"models\": \"gpt*\", \"concurrent\": 3, \"reason\": \"fewer\"}")
                        .at("/items/0/concurrent/max")
                        .asInt())
                .isEqualTo(3);
        assertThat(changed("{\"models\": \"gpt*\", \"concurrent\": null, \"reason\": \"as it was\"}")
                        .at("/items/0/concurrent"))
                .isEqualTo(Json.tree("""
                    {"min": 1, "max": 50, "now": 50, "inFlight": 0, "phase": "STEADY", "manual": false}\
                    """));

        JsonNode rows = server.json("/api/v1/providers/openai/changes?pageSize=3");
        assertThat(rows.findValuesAsText("name")).containsOnly("concurrent");
        assertThat(rows.findValuesAsText("old")).containsExactly("3", "2-20", "1-50");
        assertThat(rows.findValuesAsText("new")).containsExactly("1-50", "3", "2-20");
    }

    @Test
    void shouldLimitAModelThatNoEntryOfTheSettingsMatches() {
        Price price = new Price(BigDecimal.ONE, BigDecimal.TWO, BigDecimal.ONE, BigDecimal.ONE);
        server.get(WorkerRepository.class)
                .register(new WorkerRepository.Worker(
                        "other",
                        "host",
                        1,
                        "test",
                        List.of(),
                        List.of(new ProviderInfo(
                                "mistral", true, "KEY", 50, 4_096, Map.of("small", price, "*", price)))));

        HttpResponse<String> answer = server.patch(
                "/api/v1/providers/mistral/limits",
                "{\"models\": \"small\", \"requestsPerMinute\": 60, \"concurrent\": 2, \"reason\": \"r\"}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        JsonNode pool = server.json("/api/v1/providers/mistral/limits").at("/items/0");
        assertThat(pool.at("/limits/0/manual").asLong()).isEqualTo(60);
        assertThat(pool.at("/concurrent/max").asInt()).isEqualTo(2);
        assertThat(server.patch(
                                "/api/v1/providers/mistral/limits",
                                "{\"models\": \"*\", \"requestsPerMinute\": 5, \"reason\": \"r\"}")
                        .body())
                .contains("small (default)");
    }

    @Test
    void shouldNameThePoolsThatExistWhenThereIsNoSuchPool() {
        String other = "{\"models\": \"o*\", \"requestsPerMinute\": 5, \"reason\": \"r\"}";

        HttpResponse<String> answer = server.patch(LIMITS, other);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("gpt* (default)", "* (default)");
        assertThat(server.patch("/api/v1/providers/anthropic/limits", other).statusCode())
                .isEqualTo(404);
        assertThat(server.patch(LIMITS, other.replace("o*\"", "*\", \"account\": \"second\""))
                        .statusCode())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"models\": \"*\", \"requestsPerMinute\": 1000000000000000000000000000000, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"requestsPerMinute\": 1e999999999, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"requestsPerMinute\": 5, \"requestsPerMinute\": null, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"requestsPerMinute\": 5, \"reason\": \"a\\u0000b\"}",
                "{\"models\": \"*\\u0000\", \"requestsPerMinute\": 5, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"requestsPerMinute\": 5, \"reason\": \"\\ud800\"}",
                "{\"models\": \"*\", \"requestsPerMinute\": 5, \"reason\": \"r\", \"configured\": 5}",
                "{\"models\": \"*\", \"requestsPerMinute\": 5}",
                "{\"models\": \"*\", \"concurrent\": 0, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": 100001, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": 1.5, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": \"5\", \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": [], \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": {}, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": {\"min\": 5, \"max\": 4}, \"reason\": \"r\"}",
                "{\"models\": \"*\", \"concurrent\": {\"max\": 4, \"start\": 2}, \"reason\": \"r\"}",
                "{}",
                "null",
                "",
                "[[[["
            })
    void shouldChangeNothingWhenTheBodyIsHostile(String body) {
        HttpResponse<String> answer = server.patch(LIMITS, body);

        assertThat(answer.statusCode()).as(answer.body()).isIn(400, 422);
        assertThat(server.store().count("SELECT count(*) FROM manual_limit")).isZero();
        assertThat(server.store().count("SELECT count(*) FROM manual_calls")).isZero();
    }

    @Test
    void shouldRefusePageTokensThatAreNone() {
        for (String token : List.of("x", "AAAA", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTk5")) {
            assertThat(server.fetch("/api/v1/providers/openai/changes?pageToken=" + token)
                            .statusCode())
                    .isEqualTo(422);
        }
    }
}
