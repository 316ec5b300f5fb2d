package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.ServerFixture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients see of tokens that were not reported (docs/decisions/0049-unknown-usage.md). */
@Timeout(60)
final class UnknownUsageApiTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("unknown usage", 3, 2, 1);
    private static final String CAMPAIGNS = "/api/v1/campaigns/";
    private static final JsonNode NOTHING = Json.tree("""
        {"input": null, "output": null, "reasoning": null, "cacheRead": null, "cacheWrite": null, "total": null}\
        """);

    private static ServerFixture server;
    private static String campaign;

    /** Branch 0: known, half known, unknown. Branch 1: nothing is known. The judge of the first trial says nothing of its tokens. */
    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        String id = server.submit(SAMPLE);
        campaign = CAMPAIGNS + id;
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            SAMPLE.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", true);
            SAMPLE.recordOutcome(server.store(), id, ordinal, 1, "COMPLETED", true);
        }
        SAMPLE.recordSelection(server.store(), id, 0, 0);
        SAMPLE.recordJudgeCall(server.store(), id, 0);
        String unknown =
                " SET input_tokens = NULL, output_tokens = NULL, reasoning_tokens = NULL, cache_read_tokens = NULL,"
                        + " cache_write_tokens = NULL, total_tokens = NULL, cost_usd = NULL WHERE campaign_id = ?";
        server.store().execute("UPDATE outcome" + unknown + " AND (branch_index = 1 OR ordinal > 0)", id);
        server.store().execute("UPDATE judge_call" + unknown, id);
        server.store()
                .execute(
                        "UPDATE outcome SET input_tokens = 7 WHERE campaign_id = ? AND ordinal = 1 AND branch_index ="
                                + " 0",
                        id);
        server.get(ProgressRepository.class).recount(id);
        server.store()
                .execute("UPDATE campaign SET state = 'COMPLETED', finished_at = now() WHERE campaign_id = ?", id);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static JsonNode outcome(int ordinal, int branch) {
        return server.json(campaign + "/outcomes?caseId=case-" + ordinal + "&branchId=branch-" + branch)
                .at("/items/0");
    }

    @Test
    void shouldShowNullWhereAnOutcomeDidNotReportIt() {
        assertThat(outcome(2, 0).get("usage")).isEqualTo(NOTHING);
        assertThat(outcome(1, 0).at("/usage/input").intValue()).isEqualTo(7);
        assertThat(outcome(1, 0).at("/usage/output").isNull()).isTrue();
        assertThat(outcome(1, 0).at("/usage/total").isNull()).isTrue();
        assertThat(outcome(0, 0).at("/usage/total").intValue()).isEqualTo(15);
    }

    @Test
    void shouldShowWhatIsKnownOfACampaignBesideTheNumberOfAnswersThatDidNotReportTheirs() {
        JsonNode view = server.json(campaign);

        assertThat(view.get("usage")).isEqualTo(Json.tree("""
            {"input": 17, "output": 5, "reasoning": 0, "cacheRead": 0, "cacheWrite": 0, "total": 15}\
            """));
        assertThat(view.get("unknownUsage").intValue()).isEqualTo(6);
        assertThat(server.json("/api/v1/campaigns").at("/items/0/unknownUsage").intValue())
                .isEqualTo(6);
    }

    @Test
    void shouldShowNoTotalOfABranchAndAJudgeOfWhichNothingIsKnown() {
        JsonNode progress = server.json(campaign + "/progress");

        assertThat(progress.get("unknownUsage").intValue()).isEqualTo(6);
        assertThat(progress.at("/branches/0/usage/total").intValue()).isEqualTo(15);
        assertThat(progress.at("/branches/0/unknownUsage").intValue()).isEqualTo(2);
        assertThat(progress.at("/branches/1/usage")).isEqualTo(NOTHING);
        assertThat(progress.at("/branches/1/unknownUsage").intValue()).isEqualTo(3);
        assertThat(progress.at("/judge/usage")).isEqualTo(NOTHING);
        assertThat(progress.at("/judge/unknownUsage").intValue()).isEqualTo(1);
    }

    @Test
    void shouldSayTheSameInTheReport() {
        JsonNode report = server.json(campaign + "/report");

        assertThat(report.at("/branches/0/spend/usage/input").intValue()).isEqualTo(17);
        assertThat(report.at("/branches/0/spend/unknownUsage").intValue()).isEqualTo(2);
        assertThat(report.at("/branches/0/spend/unpriced").intValue()).isEqualTo(2);
        assertThat(report.at("/branches/1/spend/usage")).isEqualTo(NOTHING);
        assertThat(report.at("/judge/spend/usage")).isEqualTo(NOTHING);
        assertThat(report.at("/judge/spend/unknownUsage").intValue()).isEqualTo(1);
        assertThat(report.at("/total/unknownUsage").intValue()).isEqualTo(6);
    }

    @Test
    void shouldLeaveCellsOfATableEmptyWhereNothingIsKnown() {
        String table = server.fetch(campaign + "/export?format=csv").body();

        assertThat(table.lines().filter(line -> line.startsWith("case-")))
                .hasSize(6)
                .anyMatch(line -> line.startsWith("case-0,branch-0") && line.contains(",10,5,15,"))
                .anyMatch(line -> line.startsWith("case-1,branch-0") && line.contains(",7,,,"))
                .anyMatch(line -> line.startsWith("case-2,branch-0") && line.contains(",the answer,,,,"));
        assertThat(server.fetch(campaign + "/export?format=jsonl").body().lines())
                .anyMatch(line -> Json.tree(line).at("/usage/input").intValue() == 7
                        && Json.tree(line).at("/usage/output").isNull());
    }

    @Test
    void shouldCompareNoTokensOfCasesWhoseUsageIsNotKnown() {
        JsonNode metrics = server.json("/api/v1/compare?a=" + campaign.substring(CAMPAIGNS.length()) + ":branch-0&b="
                        + campaign.substring(CAMPAIGNS.length()) + ":branch-1")
                .get("metrics");

        assertThat(metrics.valueStream().filter(one -> one.get("name").asText().equals("tokens")))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.get("why").asText()).isEqualTo("MISSING_EVIDENCE");
                    assertThat(one.get("a").get("value").isNull()).isTrue();
                });
    }
}
