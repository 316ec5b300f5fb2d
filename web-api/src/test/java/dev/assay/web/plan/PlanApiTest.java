package dev.assay.web.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PlanApiTest {

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String submit(ObjectNode document) {
        return Json.tree(server.post("/api/v1/campaigns", "application/json", document.toString())
                        .body())
                .get("id")
                .asText();
    }

    private static void end(String id, String state) {
        server.store().execute("UPDATE campaign SET state = ?, finished_at = now() WHERE campaign_id = ?", state, id);
    }

    private static HttpResponse<String> answer(ObjectNode document, String query) {
        return server.post("/api/v1/campaigns/plan" + query, "application/json", document.toString());
    }

    private static JsonNode plan(ObjectNode document, String query) {
        HttpResponse<String> answer = answer(document, query);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return Json.tree(answer.body());
    }

    /** 6 cases were asked twice, the others never: all their first trials passed, and half of their second ones. */
    private static String halfRun(SampleCampaign sample, ObjectNode document) {
        String id = submit(document);
        for (int index = 0; index < 6; index++) {
            sample.recordOutcome(server.store(), id, index, 0, "COMPLETED", true);
            sample.recordOutcome(server.store(), id, sample.cases() + index, 0, "COMPLETED", index < 3);
        }
        server.store()
                .execute(
                        "INSERT INTO progress (campaign_id, kind, member, shard, cells_done, input_tokens,"
                                + " output_tokens, total_tokens) VALUES (?, 'branch', 0, 'w', 12, 120, 60, 180)",
                        id);
        return id;
    }

    @Test
    void shouldLearnTheRateOfKnownTrialsOnlyWhenTheCampaignHasEnded() {
        SampleCampaign sample = new SampleCampaign("learned", 8, 1, 2);
        String id = halfRun(sample, sample.document());

        JsonNode running = plan(sample.document(), "");
        assertThat(running.at("/assumptions/measuredIn").isNull()).isTrue();
        assertThat(running.at("/assumptions/rate").asDouble()).isEqualTo(0.8);
        assertThat(running.at("/asked/0/basis").asText()).as("tokens").isEqualTo("recorded");
        assertThat(running.at("/asked/0/tokens").asInt()).isEqualTo(15);
        assertThat(plan(sample.document(), "?from=" + id).at("/assumptions/why").asText())
                .isEqualTo("NOT_ENDED");

        end(id, "CANCELLED");

        JsonNode ended = plan(sample.document(), "");
        assertThat(ended.at("/assumptions/measuredIn").asText()).isEqualTo(id);
        assertThat(ended.at("/assumptions/rate").asDouble())
                .as("nine of twelve known trials, and one case of each kind")
                .isCloseTo((0.75 * 6 + 1) / 8, within(1e-12));
        assertThat(ended.at("/assumptions/why").isNull()).isTrue();
    }

    @Test
    void shouldLearnTheRateOfTheSameCasesOnly() {
        SampleCampaign sample = new SampleCampaign("cases", 9, 1, 2);
        String id = halfRun(sample, sample.document());
        end(id, "COMPLETED");
        ObjectNode renamed = sample.document().put("name", "cases, once more");
        ObjectNode other = sample.document();
        ((ObjectNode) other.at("/cases/0")).put("prompt", "What is else?");
        ObjectNode otherModel = sample.document();
        ((ObjectNode) otherModel.at("/branches/0")).put("model", "model-9");

        assertThat(plan(renamed, "").at("/assumptions/measuredIn").asText()).isEqualTo(id);
        assertThat(plan(other, "").at("/assumptions/measuredIn").isNull()).isTrue();
        JsonNode named = plan(other, "?from=" + id);
        assertThat(named.at("/assumptions/why").asText()).isEqualTo("OTHER_SUITE");
        assertThat(named.at("/asked/0/from").asText()).as("of tokens").isEqualTo(id);
        assertThat(plan(otherModel, "?from=" + id).at("/assumptions/why").asText())
                .isEqualTo("OTHER_MODELS");
        assertThat(plan(other, "?rate=0.7&from=" + id).at("/assumptions/why").isNull())
                .as("a rate that was given")
                .isTrue();
    }

    @Test
    void shouldForecastTheGateOfTheFile() {
        SampleCampaign sample = new SampleCampaign("gates", 40, 1, 5);
        String given = "?rate=0.9&icc=0.3";

        assertThat(plan(gate(sample, "{passThreshold: 0.5}"), given)
                        .get("passes")
                        .asDouble())
                .isGreaterThan(0.99);
        assertThat(plan(gate(sample, "{passThreshold: 0.5, suiteThreshold: 1}"), given)
                        .get("passes")
                        .asDouble())
                .isBetween(0.05, 0.5);
        assertThat(plan(gate(sample, "{rule: {metric: trial-rate, threshold: 0.9}}"), given)
                        .get("passes")
                        .asDouble())
                .as("a rate at the threshold is seldom surely above it")
                .isLessThan(0.2);
        assertThat(plan(gate(sample, "{rule: {metric: trial-rate, threshold: 0.7}}"), given)
                        .get("passes")
                        .asDouble())
                .isGreaterThan(0.95);
    }

    @Test
    void shouldForecastTheBaselineOfTheFile() {
        SampleCampaign sample = new SampleCampaign("beside", 12, 1, 2);
        String id = submit(sample.document());
        for (int ordinal = 0; ordinal < 24; ordinal++) {
            sample.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", true);
        }
        end(id, "COMPLETED");
        String baseline = "{baseline: {campaign: " + id + ", maxDrop: %s}}";

        assertThat(plan(gate(sample, baseline.formatted("0.02")), "?rate=1")
                        .get("passes")
                        .asDouble())
                .as("12 cases rule out no drop of 2 points")
                .isZero();
        assertThat(plan(gate(sample, baseline.formatted("0.5")), "?rate=1")
                        .get("passes")
                        .asDouble())
                .isGreaterThan(0.99);
        assertThat(plan(gate(sample, baseline.formatted("0.02")), "?rate=0.2")
                        .at("/passes")
                        .asDouble())
                .isZero();
        assertThat(answer(gate(sample, "{baseline: {campaign: none-such}}"), "").body())
                .contains("There is no campaign none-such");
    }

    @Test
    void shouldSayWhatACampaignThatStopsEarlyAsksOnAverage() {
        SampleCampaign sample = new SampleCampaign("stops", 40, 1, 5);
        ObjectNode settled =
                gate(sample, "{passThreshold: 1, suiteThreshold: 1}").put("stop", "settled");
        ObjectNode sure =
                gate(sample, "{rule: {metric: trial-rate, threshold: 0.5}}").put("stop", "sure");

        JsonNode early = plan(settled, "?rate=0.9&icc=0.3");
        assertThat(early.get("calls").asInt()).isEqualTo(200);
        assertThat(early.at("/expected/calls").asInt()).as("one of ten fails").isBetween(8, 12);
        assertThat(plan(sure, "?rate=0.95&icc=0.3").at("/expected/calls").asInt())
                .as("a round is enough")
                .isBetween(40, 60);
        assertThat(plan(sample.document(), "").get("expected").isNull()).isTrue();
    }

    @Test
    void shouldSayWhenNoDifferenceIsFindable() {
        ObjectNode few = new SampleCampaign("few", 2, 1, 1).document();
        ObjectNode many = new SampleCampaign("many", 60, 1, 1).document();

        JsonNode none = plan(few, "").at("/byTrials/0");
        assertThat(none.get("smallestDifference").isNull()).isTrue();
        assertThat(none.get("why").asText()).isEqualTo("NONE_FINDABLE");
        JsonNode found = plan(many, "?rate=0.8").at("/byTrials/0");
        assertThat(found.get("smallestDifference").asDouble()).isBetween(0.15, 0.3);
        assertThat(found.get("why").isNull()).isTrue();
        assertThat(plan(many, "?rate=1&difference=0.05")
                        .at("/byTrials/0/casesNeeded")
                        .isNull())
                .as("no rate is above 1")
                .isTrue();
    }

    private static ObjectNode gate(SampleCampaign sample, String gate) {
        ObjectNode document = sample.document();
        document.set("gate", CampaignDocument.parse("gate: " + gate).get("gate"));
        return document;
    }
}
