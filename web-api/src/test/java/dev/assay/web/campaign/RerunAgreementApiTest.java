package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reports say of another run. */
@Timeout(60)
final class RerunAgreementApiTest {

    /** 10 cases of 4 trials. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("again", 10, 1, 4);

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** @param own whether each trial has a text of its own */
    private static String ran(String gate, boolean own, IntPredicate passes) {
        ObjectNode document = SAMPLE.document();
        document.set("gate", CampaignDocument.parse("gate: " + gate).get("gate"));
        String id = Json.tree(server.post("/api/v1/campaigns", "application/json", document.toString())
                        .body())
                .get("id")
                .asText();
        for (int ordinal = 0; ordinal < 40; ordinal++) {
            SAMPLE.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", passes.test(ordinal));
        }
        if (own) {
            server.store().execute("UPDATE outcome SET response = response || ordinal WHERE campaign_id = ?", id);
        }
        server.store()
                .execute("UPDATE campaign SET state = 'COMPLETED', finished_at = now() WHERE campaign_id = ?", id);
        return id;
    }

    private static JsonNode report(String id) {
        return server.json("/api/v1/campaigns/" + id + "/report");
    }

    @Test
    void shouldGiveTheAgreementOfTheGateInForceWithItsRange() {
        IntPredicate most = ordinal -> ordinal % 7 != 0;
        JsonNode thresholds = report(ran("{passThreshold: 0.75, suiteThreshold: 0.8}", true, most));
        JsonNode rule = report(ran("{rule: {metric: trial-rate, threshold: 0.5}}", true, most));
        String before = ran("{passThreshold: 1}", true, _ -> true);
        JsonNode baseline = report(ran("{baseline: {campaign: " + before + ", maxDrop: 0.5}}", true, most));

        for (JsonNode report : new JsonNode[] {thresholds, rule, baseline}) {
            assertThat(report.get("verdict").asText()).isEqualTo("PASS");
            double passes = report.get("rerunPass").asDouble();
            assertThat(passes).isBetween(0.3, 1.0);
            assertThat(report.get("rerunAgreement").asDouble()).isEqualTo(passes);
            assertThat(report.get("rerunLow").asDouble()).isLessThanOrEqualTo(passes);
            assertThat(report.get("rerunHigh").asDouble()).isGreaterThanOrEqualTo(passes);
            assertThat(report.at("/branches/0/rerunPass").asDouble()).isEqualTo(passes);
            assertThat(report.get("why").isNull()).isTrue();
        }
        assertThat(rule.get("rerunPass").asDouble())
                .as("of the rule, not of every case")
                .isGreaterThan(0.9);
    }

    @Test
    void shouldSayNothingOfAnotherRunWhenTheTrialsAreAlike() {
        JsonNode report = report(ran("{passThreshold: 1, suiteThreshold: 1}", false, _ -> true));

        assertThat(report.get("verdict").asText()).isEqualTo("PASS");
        assertThat(report.get("why").asText()).isEqualTo("TRIALS_ALIKE");
        assertThat(report.get("rerunAgreement").isNull()).isTrue();
        assertThat(report.get("rerunPass").isNull()).isTrue();
        assertThat(report.at("/branches/0/why").asText()).isEqualTo("TRIALS_ALIKE");
    }
}
