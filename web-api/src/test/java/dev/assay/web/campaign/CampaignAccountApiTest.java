package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.store.SampleCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The account of a campaign of two cases, two branches and three trials. */
@Timeout(60)
final class CampaignAccountApiTest {

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

    private JsonNode account() {
        return server.json("/api/v1/campaigns/" + id + "/account");
    }

    private void record(int ordinal, int branch, String status, boolean passed) {
        SAMPLE.recordOutcome(server.store(), id, ordinal, branch, status, passed);
        server.get(ProgressRepository.class).recount(id);
    }

    private void end(String state) {
        server.store().execute("UPDATE campaign SET state = ? WHERE campaign_id = ?", state, id);
    }

    @Test
    void shouldHaveTheFieldsThatClientsRelyOn() {
        assertThat(account().fieldNames())
                .toIterable()
                .containsExactly(
                        "state",
                        "verdict",
                        "rule",
                        "cells",
                        "errors",
                        "providers",
                        "branches",
                        "health",
                        "paused",
                        "rate",
                        "inFlight",
                        "maxConcurrent",
                        "eta",
                        "etaReason",
                        "spentUsd",
                        "reservedUsd",
                        "budgetUsd",
                        "reused",
                        "outWith",
                        "choices",
                        "next");
        assertThat(account().get("cells").fieldNames())
                .toIterable()
                .containsExactly("done", "open", "held", "skipped", "notNeeded", "rerun", "out");
        assertThat(account().get("reused").toString()).isEqualTo("""
            {"cells":0,"calls":0,"savedUsd":null}\
            """);
        assertThat(account().at("/providers/0").toString()).isEqualTo("""
            {"name":"openai","state":"OK","held":0}\
            """);
        assertThat(server.fetch("/api/v1/campaigns/none/account").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldCountCellsAndErrorsWithTheNewestWords() {
        record(0, 0, "COMPLETED", true);
        record(0, 1, "MODEL_ERROR", false);
        record(1, 1, "TIMED_OUT", false);
        server.store()
                .execute("UPDATE outcome SET error_message = 'newest', finished_at = now() + interval '1 minute'"
                        + " WHERE status = 'TIMED_OUT'");

        assertThat(account().get("cells").toString()).isEqualTo("""
            {"done":3,"open":9,"held":0,"skipped":0,"notNeeded":0,"rerun":0,"out":0}\
            """);
        assertThat(account().get("errors").toString()).isEqualTo("""
            [{"code":"PROVIDER_TIMEOUT","final":2,"attempts":0,"newest":"newest"}]\
            """);
        assertThat(account().at("/branches/1/errors").asInt()).isEqualTo(2);
        assertThat(account().at("/branches/0/passed").asInt()).isEqualTo(1);
    }

    @Test
    void shouldCountWhatTheBudgetDidNotCoverAndAskForALargerOne() {
        record(0, 0, "COMPLETED", true);
        record(0, 1, "BUDGET_SKIPPED", false);
        record(1, 0, "BUDGET_SKIPPED", false);
        server.store()
                .execute("UPDATE outcome SET epoch = (SELECT epoch FROM campaign) WHERE status = 'BUDGET_SKIPPED'");
        server.store().execute("UPDATE campaign SET budget_usd = 2 WHERE campaign_id = ?", id);
        server.store().execute("INSERT INTO budget VALUES (?, 2, 0)", id);
        end("COMPLETED");

        assertThat(account().at("/cells/skipped").asInt()).isEqualTo(2);
        assertThat(account().at("/cells/open").asInt()).isEqualTo(9);
        assertThat(account().get("next").asText()).isEqualTo("assay set " + id + " --budget-usd 30");
        assertThat(account().get("budgetUsd").asInt()).isEqualTo(2);
    }

    @Test
    void shouldCountSkippedCellsAsOpenWhenALaterEpochBegan() {
        server.store().execute("UPDATE campaign SET budget_usd = 2 WHERE campaign_id = ?", id);
        record(0, 1, "BUDGET_SKIPPED", false);
        server.store().execute("UPDATE campaign SET epoch = 7 WHERE campaign_id = ?", id);

        assertThat(account().at("/cells/skipped").asInt()).isZero();
        assertThat(account().at("/cells/open").asInt()).isEqualTo(12);
    }

    @Test
    void shouldSayWhoPausedIt() {
        server.post("/api/v1/campaigns/" + id + "/pause");

        JsonNode paused = account().get("paused");
        assertThat(paused.get("who").asText()).isEqualTo("local");
        assertThat(paused.get("reason").isNull()).isTrue();
        assertThat(Instant.parse(paused.get("at").asText()))
                .isBefore(Instant.now().plusSeconds(5));
        assertThat(account().get("etaReason").asText()).isEqualTo("PAUSED");
        assertThat(account().get("next").asText()).isEqualTo("assay resume " + id);

        server.post("/api/v1/campaigns/" + id + "/resume");
        assertThat(account().get("paused").isNull()).isTrue();
    }

    @Test
    void shouldNotNameTheAuthorOfAnEarlierPause() {
        server.post("/api/v1/campaigns/" + id + "/pause");
        server.store().execute("UPDATE audit SET at = at - interval '1 hour'");

        assertThat(account().at("/paused/who").isNull()).isTrue();
    }

    @Test
    void shouldNameAssayWhenItPausedTheCampaignItself() {
        server.store()
                .execute("UPDATE campaign SET failure_reason = 'openai is down', paused_for = 'PROVIDER_DOWN',"
                        + " state = 'PAUSED'");

        assertThat(account().at("/paused/who").asText()).isEqualTo("assay");
        assertThat(account().at("/paused/reason").asText()).isEqualTo("openai is down");
    }

    @Test
    void shouldSampleTheCallsInFlight() {
        server.get(WorkerRepository.class)
                .report("worker", List.of(new WorkerLoad(id, "openai", 7, 2, 0)), Map.of(), List.of());

        assertThat(account().get("inFlight").asInt()).isEqualTo(7);
    }

    @Test
    void shouldSayWhichRuleDecidedOnceItHasCompleted() {
        server.store().execute("UPDATE campaign SET summary = '{\"sentence\": \"Passed: all did.\"}'");
        assertThat(account().get("rule").isNull()).isTrue();

        end("COMPLETED");
        assertThat(account().get("rule").asText()).isEqualTo("Passed: all did.");
    }

    @Test
    void shouldSayTheSameInEveryAnswerOfTheApi() {
        server.get(WorkerRepository.class).retire("worker");
        JsonNode account = account();
        JsonNode progress = server.json("/api/v1/campaigns/" + id + "/progress");
        JsonNode campaign = server.json("/api/v1/campaigns/" + id);

        assertThat(account.get("next").asText()).isEqualTo("assay worker");
        assertThat(progress.get("account")).isEqualTo(account);
        assertThat(campaign.get("account")).isEqualTo(account);
        assertThat(server.json("/api/v1/campaigns").at("/items/0/account").isNull())
                .as("in lists")
                .isTrue();
        assertThat(progress.get("health")).isEqualTo(account.get("health"));
        assertThat(campaign.get("health")).isEqualTo(account.get("health"));
        assertThat(campaign.get("state")).isEqualTo(account.get("state"));
        assertThat(progress.at("/progress/eta")).isEqualTo(account.get("eta"));
        assertThat(progress.at("/branches/0/passRate/low")).isEqualTo(account.at("/branches/0/low"));
    }
}
