package dev.assay.web.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.limit.UnitRequest;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LimitsApiTest {

    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "gpt*");

    private ServerFixture server;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        LimitsInfo limits = new LimitsInfo("gpt*", Map.of("requestsPerMinute", 10L, "tokensPerDay", 5_000L), 60, null);
        LimitsInfo others = new LimitsInfo("*", Map.of("requestsPerMinute", 600L), 2, null);
        ProviderInfo openai =
                new ProviderInfo("openai", null, true, null, 50, 4_096, Map.of(), List.of(limits, others));
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

        assertThat(server.json("/api/v1/providers/openai/limits")).isEqualTo(Json.tree("""
            {"items": [
              {"account": "default", "models": "*", "waiting": 0, "limits": [
                {"name": "requestsPerMinute", "limit": 600, "why": "configured", "configured": 600, "used": 0, "free": 600}]},
              {"account": "default", "models": "gpt*", "waiting": 2, "limits": [
                {"name": "requestsPerMinute", "limit": 10, "why": "configured", "configured": 10, "used": 10, "free": 0},
                {"name": "tokensPerDay", "limit": 5000, "why": "configured", "configured": 5000, "used": 1200, "free": 3800}]}],
             "nextPageToken": null}\
            """));
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
        server.get(WorkerRepository.class).report("limited", List.of(new WorkerLoad("c", "openai", 0, 8, 0)), Map.of());

        JsonNode reasons = server.json("/api/v1/campaigns/c").at("/health/reasons");

        assertThat(reasons.findValuesAsText("code")).contains("PROVIDER_LIMIT");
        assertThat(reasons.findValuesAsText("message"))
                .contains("Provider openai allows 10 requests a minute for gpt*, those of other campaigns included.");
    }
}
