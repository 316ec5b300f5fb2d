package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.SampleCampaign;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a campaign of twelve cells, none of which is done, will have ended. */
@Timeout(60)
final class ExpectedEndApiTest {

    private ServerFixture server;
    private String id;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        id = server.submit(new SampleCampaign("capitals", 2, 2, 3));
        server.store().execute("UPDATE campaign SET state = 'RUNNING'");
        server.store().execute("UPDATE campaign SET changed_at = now() - interval '1 hour'");
        server.store().execute("""
            INSERT INTO series (campaign_id, shard, starts_at, width_s, cells, passed, failed, busy_ms)
            VALUES (?, 'a', now() - interval '100 seconds', 16, 60, 0, 0, 0)\
            """, id);
        server.store()
                .execute("INSERT INTO progress (campaign_id, kind, member, shard) VALUES (?, 'trial', 0, 'a')", id);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JsonNode eta() {
        JsonNode eta = server.json("/api/v1/campaigns/" + id).at("/progress/eta");
        assertThat(server.json("/api/v1/campaigns/" + id + "/progress")
                        .at("/progress/eta")
                        .isNull())
                .isEqualTo(eta.isNull());
        return eta;
    }

    private static void assertIn(JsonNode eta, Duration left) {
        assertThat(Duration.between(Instant.now(), Instant.parse(eta.asText())))
                .isBetween(left.minusSeconds(5), left.plusSeconds(1));
    }

    private void register(long requestsPerMinute) {
        ProviderInfo openai = new ProviderInfo(
                "openai",
                null,
                true,
                null,
                50,
                4_096,
                Map.of(),
                List.of(new LimitsInfo("*", Map.of("requestsPerMinute", requestsPerMinute), 2, null)));
        server.get(WorkerRepository.class)
                .register(new WorkerRepository.Worker(
                        "limited", "host", 1, "test", List.of("assay-provider-openai"), List.of(openai)));
        server.get(WorkerRepository.class).retire("worker");
    }

    @Test
    void shouldGoOnAtTheSpeedOfTheLastMinutes() {
        assertIn(eta(), Duration.ofSeconds(60));
        assertThat(server.json("/api/v1/campaigns").at("/items/0/progress/eta").isNull())
                .as("a list says nothing")
                .isTrue();
    }

    /** One branch of it is not done. */
    @Test
    void shouldBeSaidOfAnEvaluationUntilItHasEnded() {
        String evaluation = evaluation();
        assertThat(server.json(evaluation).get("progress"))
                .isEqualTo(Json.tree("{\"cellsTotal\": 1, \"cellsDone\": 0, \"eta\": null}"));

        register(1);
        server.store().execute("UPDATE campaign SET state = 'RUNNING'");
        await().untilAsserted(() ->
                assertThat(server.json(evaluation).at("/progress/eta").asText()).isNotEmpty());

        server.store().execute("UPDATE campaign SET state = 'CANCELLED'");
        assertThat(server.json(evaluation).get("progress").isNull()).isTrue();
    }

    /** Four hypotheses are two batches. */
    @Test
    void shouldBeSaidOfHypothesesUntilTheyHaveEnded() {
        HttpResponse<String> answer = server.post("/api/v1/hypothesis-evaluations", "application/json", """
            {"challenger": {"provider": "openai", "model": "gpt"},
             "hypotheses": [{"id": "a", "statement": "A."}, {"id": "b", "statement": "B."},
                            {"id": "c", "statement": "C."}, {"id": "d", "statement": "D."}]}\
            """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        String evaluation = "/api/v1/hypothesis-evaluations/"
                + Json.tree(answer.body()).get("id").asText();

        assertThat(server.json(evaluation).get("progress"))
                .isEqualTo(Json.tree("{\"cellsTotal\": 2, \"cellsDone\": 0, \"eta\": null}"));

        server.store().execute("UPDATE campaign SET state = 'CANCELLED'");
        assertThat(server.json(evaluation).get("progress").isNull()).isTrue();
    }

    private String evaluation() {
        HttpResponse<String> answer = server.post("/api/v1/evaluations", "application/json", """
            {"name": "one", "context": [{"role": "user", "content": "Hello?"}],
             "branches": [{"id": "b", "provider": "openai", "model": "gpt"}]}\
            """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return "/api/v1/evaluations/" + Json.tree(answer.body()).get("id").asText();
    }

    @Test
    void shouldWaitForTheLimitThatTakesLonger() {
        register(1);

        // Limits are looked up once a second.
        await().untilAsserted(() -> assertIn(eta(), Duration.ofSeconds(12 * 62)));
    }

    @Test
    void shouldHaveAnEqualPartAmongTheCampaignsThatWait() {
        register(2);
        server.get(WorkerRepository.class)
                .report(
                        "limited",
                        List.of(new WorkerLoad(id, "openai", 0, 3, 0), new WorkerLoad("other", "openai", 0, 3, 0)),
                        Map.of(),
                        List.of());

        // Limits are looked up once a second.
        await().untilAsserted(() -> assertIn(eta(), Duration.ofSeconds(12 * 62)));
    }

    @Test
    void shouldNotBeKnownWhenFewCellsWereClosedOrTheCampaignDoesNotGoOn() {
        server.store().execute("UPDATE series SET cells = 9");
        assertThat(eta().isNull()).isTrue();

        server.store().execute("UPDATE series SET cells = 60");
        server.store().execute("UPDATE campaign SET state = 'PAUSED'");
        server.store().execute("UPDATE campaign SET changed_at = now() - interval '1 hour'");
        assertThat(eta().isNull()).isTrue();
    }
}
