package dev.assay.web.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.ServerFixture;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same branch has the same point and the same interval wherever it is shown, whatever its outcomes are. */
@Timeout(120)
final class OneAccountTest {

    private static final int CASES = 6;
    private static final int TRIALS = 3;

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldShowTheSamePointAndIntervalOnEverySurface(int seed) {
        Random random = new Random(seed);
        String errors = List.of("provider", "fail", "unknown").get(seed % 3);
        SampleCampaign shape = new SampleCampaign("account-" + seed, CASES, 2, TRIALS);
        ObjectNode document = shape.document();
        ObjectNode gate =
                document.path("gate").isObject() ? (ObjectNode) document.get("gate") : document.putObject("gate");
        gate.put("errors", errors);
        String id = Json.tree(server.post("/api/v1/campaigns", "application/json", document.toString())
                        .body())
                .get("id")
                .asText();
        for (int cell = 0; cell < CASES * TRIALS * 2; cell++) {
            record(random, shape, id, cell / 2, cell % 2);
        }
        complete(id);

        JsonNode report = server.json("/api/v1/campaigns/" + id + "/report");
        JsonNode progress = server.json("/api/v1/campaigns/" + id + "/progress");
        JsonNode compared = server.json("/api/v1/compare?a=" + id + ":branch-0&b=" + id + ":branch-1")
                .get("metrics")
                .get(0);

        for (int branch = 0; branch < 2; branch++) {
            JsonNode rate = report.at("/branches/" + branch + "/trialPassRate");
            JsonNode running = progress.at("/branches/" + branch + "/passRate");
            JsonNode beside = compared.get(branch == 0 ? "a" : "b");
            assertThat(running.get("value")).as("progress, %s", errors).isEqualTo(rate.get("known"));
            assertThat(beside.get("known")).as("comparison, %s", errors).isEqualTo(rate.get("known"));
            for (String field : List.of("low", "high")) {
                assertThat(running.get(field)).as("progress, %s", field).isEqualTo(rate.get(field));
                assertThat(beside.get(field)).as("comparison, %s", field).isEqualTo(rate.get(field));
            }
            for (String field : List.of("value", "successes", "unknown", "denominator", "asked")) {
                assertThat(beside.get(field)).as("comparison, %s", field).isEqualTo(rate.get(field));
            }
        }
    }

    /** Any outcome, or none; some cells have an earlier draw. */
    private static void record(Random random, SampleCampaign shape, String id, int ordinal, int branch) {
        int kind = random.nextInt(10);
        if (kind == 9) {
            return;
        }
        boolean passed = random.nextInt(4) > 0;
        String status = kind < 6 ? "COMPLETED" : kind == 6 ? "TIMED_OUT" : "MODEL_ERROR";
        shape.recordOutcome(server.store(), id, ordinal, branch, status, kind < 6 && passed);
        if (kind >= 7) {
            server.store()
                    .execute(
                            "UPDATE outcome SET error_code = ? WHERE campaign_id = ? AND ordinal = ? AND branch_index"
                                    + " = ?",
                            kind == 7 ? "PROVIDER_UNAVAILABLE" : "PROVIDER_REJECTED",
                            id,
                            ordinal,
                            branch);
        }
        if (random.nextInt(5) == 0) {
            server.store().execute("""
                INSERT INTO replaced_result (campaign_id, rerun, kind, ordinal, member, result)
                SELECT campaign_id, 1, 'outcome', ordinal, branch_index,
                       to_jsonb(o) || jsonb_build_object('status', 'COMPLETED', 'passed', ?::boolean)
                FROM outcome o WHERE campaign_id = ? AND ordinal = ? AND branch_index = ?\
                """, random.nextBoolean(), id, ordinal, branch);
        }
    }

    private static void complete(String id) {
        server.store().execute("UPDATE campaign SET state = 'RUNNING', reruns = 1 WHERE campaign_id = ?", id);
        server.get(ProgressRepository.class).recount(id);
        CampaignRepository campaigns = server.get(CampaignRepository.class);
        StoredCampaign campaign = campaigns.find(id).orElseThrow();
        CampaignSummary summary = server.get(Summaries.class).summarize(campaign);
        assertThat(campaigns.complete(
                        campaign,
                        summary.verdict(),
                        Json.write(summary),
                        summary.branches().stream()
                                .collect(Collectors.toMap(BranchSummary::branchId, BranchSummary::trialPassRate))))
                .isTrue();
    }
}
