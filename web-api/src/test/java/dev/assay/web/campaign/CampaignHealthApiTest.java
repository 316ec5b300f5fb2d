package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CampaignHealthApiTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("capitals", 2, 2, 3);

    private ServerFixture server;
    private String id;

    @BeforeEach
    void start() {
        server = ServerFixture.start();
        id = server.submit(SAMPLE);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** What all surfaces say of it. */
    private JsonNode health() {
        JsonNode account = server.json("/api/v1/campaigns/" + id + "/account");
        JsonNode campaign = server.json("/api/v1/campaigns/" + id);
        JsonNode progress = server.json("/api/v1/campaigns/" + id + "/progress");
        JsonNode health = account.get("health");
        for (JsonNode surface : List.of(campaign, progress)) {
            for (JsonNode other : List.of(surface.get("health"), surface.at("/account/health"))) {
                assertThat(other.get("status")).isEqualTo(health.get("status"));
                assertThat(other.get("reasons").findValues("code"))
                        .isEqualTo(health.get("reasons").findValues("code"));
            }
            for (String field : List.of("cells", "inFlight", "providers", "next")) {
                assertThat(surface.get("account").get(field).toString())
                        .as(field)
                        .isEqualTo(account.get(field).toString());
            }
        }
        return health;
    }

    private void assertHealth(String status, String code, String inMessage) {
        JsonNode health = health();
        assertThat(health.get("status").asText()).as(health.toString()).isEqualTo(status);
        assertThat(health.at("/reasons/0/code").asText()).isEqualTo(code);
        assertThat(health.at("/reasons/0/message").asText()).contains(inMessage);
    }

    @Test
    void shouldBeWellWhenWorkflowAndWorkersAreThere() {
        assertThat(health().get("status").asText()).isEqualTo("OK");
        assertThat(health().get("reasons")).isEmpty();
        assertThat(server.json("/api/v1/campaigns").at("/items/0/health/status").asText())
                .isEqualTo("OK");
    }

    @Test
    void shouldNameTheProviderWhenNoLiveWorkerCanAskIt() {
        server.store().execute("UPDATE worker SET queues = '{assay}'");

        assertHealth("STALLED", "NO_WORKER_FOR_PROVIDER", "openai");
    }

    @Test
    void shouldSaySoWhenNoWorkerIsAlive() {
        server.get(WorkerRepository.class).retire("worker");

        assertHealth("STALLED", "NO_WORKER", "assay worker");
    }

    @Test
    void shouldCountNothingThatAWorkerHeldWhichIsGone() {
        WorkerRepository workers = server.get(WorkerRepository.class);
        workers.report("worker", List.of(new WorkerLoad(id, "openai", 3, 5, 0)), Map.of(), List.of());
        assertThat(server.json("/api/v1/campaigns/" + id + "/account")
                        .get("inFlight")
                        .asInt())
                .isEqualTo(3);

        server.store()
                .execute("INSERT INTO worker (worker_id, host, pid, version, queues, providers, tools, started_at,"
                        + " lease_until) SELECT 'second', host, pid, version, queues, providers, tools, now(),"
                        + " now() + interval '30 seconds' FROM worker WHERE worker_id = 'worker'");
        // No lease lapses in the first 30 s of a store, so it ends.
        server.store().execute("UPDATE worker SET lease_until = '-infinity' WHERE worker_id = 'worker'");

        assertThat(health().get("status").asText()).isEqualTo("OK");
        JsonNode account = server.json("/api/v1/campaigns/" + id + "/account");
        assertThat(account.get("inFlight").asInt()).isZero();
        assertThat(account.at("/cells/held").asInt()).isZero();
    }

    @Test
    void shouldSaySoWhenPaused() {
        server.post("/api/v1/campaigns/" + id + "/pause");

        assertHealth("WAITING", "PAUSED", "resume");
    }

    @Test
    void shouldSayWhatIsLeftWhenCellsWaitForTheBudget() {
        server.store().execute("UPDATE campaign SET budget_usd = 2 WHERE campaign_id = ?", id);
        server.store().execute("INSERT INTO budget VALUES (?, 1.75, 0.25)", id);
        server.get(WorkerRepository.class)
                .report("worker", List.of(new WorkerLoad(id, "openai", 1, 0, 4)), Map.of(), List.of());

        assertHealth("WAITING", "BUDGET", "of 2 USD, 1.75 are spent and 0.25 reserved");
        assertThat(health().at("/reasons/0/cells").asInt()).isEqualTo(4);
    }

    @Test
    void shouldSayHowManyCallsTheProviderAllowsWhenItsPoolIsFull() {
        server.get(WorkerRepository.class)
                .report(
                        "worker",
                        List.of(new WorkerLoad(id, "openai", 0, 8, 0), new WorkerLoad("other", "openai", 50, 0, 0)),
                        Map.of(),
                        List.of());

        assertHealth("WAITING", "PROVIDER_PERMITS", "All 50 calls that provider openai allows");
    }

    @Test
    void shouldSayWhoEndedTheWorkflowUntilTheCampaignIsResumed() {
        server.temporal().newUntypedWorkflowStub("campaign/" + id).terminate("by mistake");
        nothingWasRecordedForAWhile();

        String identity = server.temporal().getOptions().getIdentity();
        assertHealth("STALLED", "ENDED_IN_TEMPORAL", " by " + identity + "; `assay resume " + id + "` goes on.");

        assertThat(server.post("/api/v1/campaigns/" + id + "/resume").statusCode())
                .isEqualTo(200);
        nothingWasRecordedForAWhile();
        assertThat(health().get("status").asText()).isEqualTo("OK");
    }

    @Test
    void shouldSayThatTheWorkflowIsGoneWhenTemporalForgotIt() {
        id = "forgotten";
        server.get(CampaignRepository.class).create(id, SAMPLE.submission());
        nothingWasRecordedForAWhile();

        assertHealth("WAITING", "WORKFLOW_MISSING", "30 s");
    }

    @Test
    void shouldNotAskTemporalWhileResultsAreRecorded() {
        server.loseTemporal();
        server.store().execute("UPDATE campaign SET changed_at = now() WHERE campaign_id = ?", id);

        assertThat(health().get("status").asText()).isEqualTo("OK");
    }

    private void nothingWasRecordedForAWhile() {
        server.store()
                .execute("UPDATE campaign SET changed_at = now() - interval '3 seconds' WHERE campaign_id = ?", id);
    }

    @Test
    void shouldAnswerWithinASecondWhenTemporalDoesNot() {
        server.loseTemporal();
        nothingWasRecordedForAWhile();

        // On a machine that has other work the fastest answer tells what the server takes.
        Duration fastest = Stream.generate(this::timeToSayUnreachable)
                .limit(3)
                .min(Comparator.naturalOrder())
                .orElseThrow();

        assertThat(fastest).isLessThan(Duration.ofSeconds(1));
    }

    private Duration timeToSayUnreachable() {
        Instant before = Instant.now();
        JsonNode health = server.json("/api/v1/campaigns/" + id).get("health");
        assertThat(health.at("/reasons/0/code").asText()).isEqualTo("ENGINE_UNREACHABLE");
        return Duration.between(before, Instant.now());
    }
}
