package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.ServerFixture;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.CampaignProgress;
import dev.assay.workflows.campaign.CampaignWorkflow;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class CampaignApiTest {

    private static final String CAMPAIGNS = "/api/v1/campaigns";
    private static final SampleCampaign SAMPLE = new SampleCampaign("capitals", 2, 2, 3);
    private static final String YAML = """
        name: capitals
        cases:
          - id: france
            prompt: What is the capital of France?
            checks:
              - {type: icontains, value: Paris}
        branches:
          - {id: small, provider: openai, model: gpt-5-mini, thinking: off}
        """;

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
    @ValueSource(
            strings = {
                "name: capitals",
                "not json",
                "{\"name\": \"a\",}",
                "{\"gate\": {\"passThreshold\": NaN}}",
                "{} {}"
            })
    void shouldAnswerMalformedWhenBodyIsCalledJsonAndIsNot(String body) {
        HttpResponse<String> response = server.post(CAMPAIGNS, "application/json", body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(Json.tree(response.body()).get("code").asText()).isEqualTo("MALFORMED_INPUT");
        assertThat(Json.tree(response.body()).get("detail").asText()).startsWith("Line 1, column ");
    }

    @Test
    void shouldStoreCampaignAndStartItsWorkflowWhenSubmittedAsJson() {
        HttpResponse<String> response =
                server.post(CAMPAIGNS, "application/json", SAMPLE.document().toString());

        assertThat(response.statusCode()).isEqualTo(202);
        JsonNode campaign = Json.tree(response.body());
        String id = campaign.get("id").asText();
        assertThat(id).matches("capitals-[0-9a-z]{8}");
        assertThat(response.headers().firstValue("Location")).hasValue(CAMPAIGNS + "/" + id);
        assertThat(campaign.get("name").asText()).isEqualTo("capitals");
        assertThat(campaign.get("description").isNull()).isTrue();
        assertThat(campaign.get("state").asText()).isEqualTo("PENDING");
        assertThat(campaign.get("verdict").isNull()).isTrue();
        assertThat(campaign.get("costUsd").isNull()).isTrue();
        assertThat(campaign.get("finishedAt").isNull()).isTrue();
        assertThat(campaign.get("createdAt").asText()).endsWith("Z");
        assertThat(campaign.get("progress")).isEqualTo(Json.tree("""
            {"cellsTotal": 12, "cellsDone": 0, "cellsNotNeeded": 0, "cellsPassed": 0, "cellsFailed": 0, "trialsTotal": 6,
             "trialsDone": 0, "trialsFailed": 0, "out": 0, "eta": null}\
            """));
        assertThat(campaign.get("usage")).isEqualTo(Json.tree("""
            {"input": 0, "output": 0, "reasoning": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}\
            """));
        assertThat(progressOf(id).epoch()).isEqualTo(1);
        assertThat(server.json(CAMPAIGNS + "/" + id)).isEqualTo(campaign);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/yaml", "application/x-yaml", "text/yaml", "text/yaml; charset=utf-8"})
    void shouldReadYamlWhenContentTypeSaysSo(String mediaType) {
        HttpResponse<String> response = server.post(CAMPAIGNS, mediaType, YAML);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
        assertThat(Json.tree(response.body())
                        .path("progress")
                        .path("cellsTotal")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void shouldNameEveryErrorAndStoreNothingWhenCampaignIsInvalid() {
        ObjectNode document = SAMPLE.document();
        document.put("trials", 0).put("trails", 5).remove("name");
        long before = server.store().count("SELECT count(*) FROM campaign");

        HttpResponse<String> response = server.post(CAMPAIGNS, "application/json", document.toString());

        assertThat(response.statusCode()).isEqualTo(422);
        JsonNode problem = Json.tree(response.body());
        assertThat(problem.get("code").asText()).isEqualTo("INVALID_INPUT");
        assertThat(problem.get("errors").findValuesAsText("path")).contains("name", "trials", "trails");
        assertThat(server.store().count("SELECT count(*) FROM campaign")).isEqualTo(before);
    }

    @Test
    void shouldShowTheDescriptionWhenItsAuthorWroteOne() {
        ObjectNode document = SAMPLE.document().put("description", "Which model knows its capitals?");

        JsonNode created = Json.tree(
                server.post(CAMPAIGNS, "application/json", document.toString()).body());

        String address = CAMPAIGNS + "/" + created.get("id").asText();
        assertThat(created.get("description")).isEqualTo(document.get("description"));
        assertThat(server.json(address).get("description")).isEqualTo(document.get("description"));
        assertThat(server.json(address + "/definition").get("description")).isEqualTo(document.get("description"));
    }

    @Test
    void shouldKeepEveryDemandOfTheGateWhenItIsSubmitted() {
        ObjectNode document = SAMPLE.document();
        document.putArray("reducers").add("pass_at_3").add("mean");
        ObjectNode gate = document.putObject("gate");
        gate.put("suiteThreshold", 0.5)
                .put("minAgreement", 0.9)
                .put("errors", "unknown")
                .put("maxErrorRate", 0.1);

        JsonNode created = Json.tree(
                server.post(CAMPAIGNS, "application/json", document.toString()).body());

        assertThat(created.path("gate").path("minAgreement").doubleValue()).isEqualTo(0.9);
        assertThat(created.path("gate").path("errors").asText()).isEqualTo("unknown");
        assertThat(created.path("gate").path("maxErrorRate").doubleValue()).isEqualTo(0.1);
        JsonNode report = server.json(CAMPAIGNS + "/" + created.path("id").asText() + "/report");
        JsonNode shorter = server.json(CAMPAIGNS + "/" + created.path("id").asText() + "/report?cases=false");
        report.path("branches").forEach(branch -> {
            assertThat(branch.get("cases")).isNotEmpty();
            ((ObjectNode) branch).putArray("cases");
        });
        assertThat(shorter).hasToString(report.toString());
        assertThat(report.at("/branches/0/reducers").properties()).hasSize(2);
        assertThat(report.at("/branches/0/reducers/pass_at_3/why").asText()).isEqualTo("MISSING_EVIDENCE");
        assertThat(report.at("/branches/0/rerunAgreement").isNull()).isTrue();
        assertThat(report.at("/branches/0/why").asText()).isEqualTo("TOO_FEW_REPEATS");
        assertThat(report.at("/reasons/0").asText()).isEqualTo("MISSING_EVIDENCE");
    }

    @Test
    void shouldNameThePlaceWhenABaselineOrAReducerCannotBe() {
        String earlier = server.submit(SAMPLE);
        ObjectNode document = SAMPLE.document();
        ObjectNode baseline = document.putObject("gate").putObject("baseline");
        baseline.put("campaign", "never-was");
        assertThat(paths(document)).containsExactly("gate.baseline.campaign");
        baseline.put("campaign", earlier).put("branch", "none");
        assertThat(paths(document)).containsExactly("gate.baseline.branch");
        baseline.remove("branch");
        ((ObjectNode) document.path("branches").get(0)).put("id", "renamed");
        assertThat(paths(document)).as("no branch of that id").containsExactly("gate.baseline.branch");
        document.remove("gate");
        document.putArray("reducers").add("pass_at_4");
        assertThat(paths(document)).containsExactly("reducers[0]");
    }

    private static List<String> paths(ObjectNode document) {
        HttpResponse<String> response = server.post(CAMPAIGNS, "application/json", document.toString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        return Json.tree(response.body()).path("errors").findValuesAsText("path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"name\": ", "name: [unclosed"})
    void shouldRefuseBodyWhenItIsNeitherJsonNorYaml(String body) {
        HttpResponse<String> response = server.post(CAMPAIGNS, "application/yaml", body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(Json.tree(response.body()).get("code").asText()).isEqualTo("MALFORMED_INPUT");
    }

    @Test
    void shouldRefuseBodyWhenItIsNotUtf8() {
        HttpResponse<String> response = server.send(server.request(CAMPAIGNS)
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofByteArray(new byte[] {'n', ':', ' ', (byte) 0xff, (byte) 0xfe})));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(Json.tree(response.body()).get("detail").asText()).contains("UTF-8");
    }

    @Test
    void shouldAnswerWithSameCampaignWhenIdempotencyKeyComesAgain() {
        HttpResponse<String> first = submitWithKey("once", SAMPLE);
        HttpResponse<String> second = submitWithKey("once", SAMPLE);
        HttpResponse<String> other = submitWithKey("once", new SampleCampaign("capitals", 2, 2, 4));

        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(second.statusCode()).isEqualTo(202);
        assertThat(second.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(submitWithKey("x".repeat(256), SAMPLE).statusCode()).isEqualTo(422);
    }

    @Test
    void shouldListEveryCampaignOnceWhenPagesAreFollowed() {
        Set<String> submitted = new HashSet<>();
        for (int i = 0; i < 5; i++) {
            submitted.add(server.submit(new SampleCampaign("list " + i, 1, 1, 1)));
        }
        List<String> listed = new ArrayList<>();
        String query = "?pageSize=2";
        do {
            JsonNode page = server.json(CAMPAIGNS + query);
            assertThat(page.fieldNames()).toIterable().containsExactly("items", "nextPageToken");
            page.get("items").forEach(item -> listed.add(item.get("id").asText()));
            query = page.get("nextPageToken").isNull()
                    ? ""
                    : "?pageSize=2&pageToken=" + page.get("nextPageToken").asText();
        } while (!query.isEmpty());

        assertThat(listed).doesNotHaveDuplicates().containsAll(submitted);
    }

    @Test
    void shouldListOnlyAskedStatesWhenFiltered() {
        String cancelled = server.submit(SAMPLE);
        server.post(CAMPAIGNS + "/" + cancelled + "/cancel");

        JsonNode page = server.json(CAMPAIGNS + "?state=CANCELLED&pageSize=1000");

        assertThat(page.get("items").findValuesAsText("state")).containsOnly("CANCELLED");
        assertThat(page.get("items").findValuesAsText("id")).contains(cancelled);
    }

    @ParameterizedTest
    @ValueSource(strings = {"pageSize=0", "pageSize=1001", "pageSize=many", "pageToken=nonsense!", "state=ASLEEP"})
    void shouldNameParameterWhenListIsAskedWrongly(String query) {
        HttpResponse<String> response = server.fetch(CAMPAIGNS + "?" + query);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(Json.tree(response.body()).get("errors").findValuesAsText("path"))
                .containsExactly(query.substring(0, query.indexOf('=')));
    }

    @Test
    void shouldShowBranchesJudgeAndSpendWhenProgressIsAskedFor() {
        String id = server.submit(SAMPLE);
        SAMPLE.recordOutcome(server.store(), id, 0, 0, "COMPLETED", true);
        SAMPLE.recordOutcome(server.store(), id, 0, 1, "TIMED_OUT", false);
        SAMPLE.recordSelection(server.store(), id, 0, 0);
        SAMPLE.recordJudgeCall(server.store(), id, 0);
        server.get(ProgressRepository.class).recount(id);

        JsonNode progress = server.json(CAMPAIGNS + "/" + id + "/progress");

        assertThat(progress.path("progress").path("cellsDone").asInt()).isEqualTo(2);
        assertThat(progress.path("progress").path("cellsFailed").asInt()).isEqualTo(1);
        assertThat(progress.path("progress").path("trialsDone").asInt()).isEqualTo(1);
        assertThat(progress.path("progress").path("trialsFailed").asInt()).isEqualTo(1);
        assertThat(progress.path("branches").findValuesAsText("id")).containsExactly("branch-0", "branch-1");
        assertThat(progress.path("branches").get(0).path("wins").asInt()).isEqualTo(1);
        assertThat(progress.at("/branches/0/passRate/value").doubleValue()).isEqualTo(1);
        assertThat(progress.at("/branches/0/passRate/low").doubleValue()).isBetween(0.0, 0.5);
        assertThat(progress.at("/branches/0/passRate/high").doubleValue()).isEqualTo(1);
        assertThat(progress.path("branches").get(1).path("costUsd").isNull()).isTrue();
        assertThat(progress.path("judge").path("usage").path("total").asInt()).isEqualTo(21);
        assertThat(progress.path("costUsd").decimalValue()).isEqualByComparingTo("0.001125");
        assertThat(progress.path("spend").path("requests").asInt()).isZero();
    }

    /** The first cases of a sorted suite say nothing about the others. */
    @Test
    void shouldSayWhatARunningIntervalMissesUntilEveryCellIsAskedOrWhereTheOrderIsDrawn() {
        String given = server.submit(SAMPLE);
        String drawn = Json.tree(server.post(
                                CAMPAIGNS,
                                "application/json",
                                SAMPLE.document().put("order", "drawn").toString())
                        .body())
                .get("id")
                .asText();
        SAMPLE.recordOutcome(server.store(), given, 0, 0, "COMPLETED", true);
        server.get(ProgressRepository.class).recount(given);

        assertThat(server.json(CAMPAIGNS + "/" + given).path("order").asText()).isEqualTo("given");
        assertThat(server.json(CAMPAIGNS + "/" + given).at("/passRate/why").asText())
                .isEqualTo("ORDER_GIVEN");
        assertThat(why(given, 0)).isEqualTo("ORDER_GIVEN");
        assertThat(server.json(CAMPAIGNS + "/" + drawn).path("order").asText()).isEqualTo("drawn");
        assertThat(server.json(CAMPAIGNS + "/" + drawn).at("/passRate/why").isNull())
                .isTrue();
        assertThat(why(drawn, 0)).isEqualTo("null");
        for (int ordinal = 1; ordinal < 6; ordinal++) {
            SAMPLE.recordOutcome(server.store(), given, ordinal, 0, "COMPLETED", true);
        }
        server.get(ProgressRepository.class).recount(given);
        assertThat(why(given, 0)).as("every cell of the branch").isEqualTo("null");
        assertThat(why(given, 1)).isEqualTo("ORDER_GIVEN");
    }

    private static String why(String id, int branch) {
        return server.json(CAMPAIGNS + "/" + id + "/progress")
                .at("/branches/" + branch + "/passRate/why")
                .asText("null");
    }

    @Test
    void shouldPauseWithoutNewEpochAndTellTheWorkflow() {
        String id = server.submit(SAMPLE);

        assertThat(steer(id, "pause").get("state").asText()).isEqualTo("PAUSED");
        assertThat(steer(id, "pause").get("state").asText()).isEqualTo("PAUSED");

        assertThat(epoch(id)).isEqualTo(1);
        assertThat(progressOf(id).slicesDone()).isEqualTo(2);
    }

    @Test
    void shouldResumeUnderNewEpochAndWakeTheWorkflow() {
        String id = server.submit(SAMPLE);
        steer(id, "pause");

        assertThat(steer(id, "resume").get("state").asText()).isEqualTo("RUNNING");
        assertThat(steer(id, "resume").get("state").asText()).isEqualTo("RUNNING");

        assertThat(epoch(id)).isEqualTo(2);
        assertThat(progressOf(id).epoch()).isEqualTo(2);
    }

    @Test
    void shouldStartNewWorkflowWhenEndedCampaignIsResumed() {
        String id = server.submit(SAMPLE);
        steer(id, "cancel");
        server.temporal().newUntypedWorkflowStub(WorkflowIds.campaign(id)).terminate("It ended");

        assertThat(steer(id, "resume").get("state").asText()).isEqualTo("RUNNING");

        assertThat(epoch(id)).isEqualTo(3);
        assertThat(progressOf(id).epoch()).isEqualTo(3);
    }

    @Test
    void shouldCancelUnderNewEpochAndRefuseToPauseAfterwards() {
        String id = server.submit(SAMPLE);

        JsonNode cancelled = steer(id, "cancel");
        assertThat(cancelled.get("state").asText()).isEqualTo("CANCELLED");
        assertThat(cancelled.get("finishedAt").isNull()).isFalse();
        assertThat(steer(id, "cancel")).isEqualTo(cancelled);
        assertThat(epoch(id)).isEqualTo(2);

        HttpResponse<String> pause = server.post(CAMPAIGNS + "/" + id + "/pause");
        assertThat(pause.statusCode()).isEqualTo(409);
        assertThat(Json.tree(pause.body()).get("detail").asText())
                .isEqualTo("Campaign " + id + " is CANCELLED and cannot be paused");
    }

    @Test
    void shouldReportResultsAsTheyStandUntilCampaignIsCompleted() {
        String id = server.submit(SAMPLE);
        assertThat(server.json(CAMPAIGNS + "/" + id + "/report").get("verdict").asText())
                .isEqualTo("INCONCLUSIVE");

        server.store().execute("UPDATE campaign SET state = 'RUNNING' WHERE campaign_id = ?", id);
        CampaignRepository campaigns = server.get(CampaignRepository.class);
        campaigns.complete(campaigns.find(id).orElseThrow(), Verdict.PASS, "{\"suite_pass\": true}", Map.of());

        assertThat(server.json(CAMPAIGNS + "/" + id + "/report")
                        .get("suite_pass")
                        .asBoolean())
                .isTrue();
        assertThat(server.json(CAMPAIGNS + "/" + id).get("verdict").asText()).isEqualTo("PASS");
    }

    @Test
    void shouldEndEventStreamWhenCampaignHasEnded() {
        String id = server.submit(SAMPLE);
        Thread.ofVirtual().start(() -> {
            // As soon as somebody watches: the first event is out when the campaign still goes on.
            steer(id, "cancel");
        });
        HttpResponse<String> stream =
                server.send(server.request(CAMPAIGNS + "/" + id + "/events").header("Accept", "text/event-stream"));

        assertThat(stream.statusCode()).isEqualTo(200);
        assertThat(stream.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/event-stream");
        assertThat(stream.body()).contains("event: progress").contains("id: 0").contains("\"state\":\"CANCELLED\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/progress", "/events", "/report", "/outcomes", "/outcomes/a/b/1", "/cassette"})
    void shouldAnswerNotFoundWhenCampaignIsUnknown(String path) {
        HttpResponse<String> response = server.fetch(CAMPAIGNS + "/nobody" + path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(Json.tree(response.body()).get("detail").asText()).isEqualTo("There is no campaign nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "cancel"})
    void shouldAnswerNotFoundWhenUnknownCampaignIsSteered(String action) {
        assertThat(server.post(CAMPAIGNS + "/nobody/" + action).statusCode()).isEqualTo(404);
    }

    @Test
    void shouldPlanFromEarlierCampaignsWithoutStoringAnything() {
        SampleCampaign sample = new SampleCampaign("planned", 2, 1, 3);
        String earlier = server.submit(sample);
        for (int ordinal = 0; ordinal < 6; ordinal++) {
            sample.recordOutcome(server.store(), earlier, ordinal, 0, "COMPLETED", ordinal > 0);
        }
        server.get(ProgressRepository.class).recount(earlier);
        server.store().execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", earlier);
        long campaigns = server.store().count("SELECT count(*) FROM campaign");

        JsonNode plan = Json.tree(server.post(
                        CAMPAIGNS + "/plan?icc=0.1",
                        "application/json",
                        sample.document().toString())
                .body());

        assertThat(plan.at("/asked/0/basis").asText()).isEqualTo("recorded");
        assertThat(plan.at("/asked/0/from").asText()).isEqualTo(earlier);
        assertThat(plan.at("/asked/0/tokens").asInt()).isEqualTo(15);
        assertThat(plan.get("tokens").asInt()).isEqualTo(90);
        assertThat(plan.at("/assumptions/rate").asDouble()).isCloseTo((5 / 3.0 + 1) / 4, within(1e-9));
        assertThat(plan.at("/assumptions/icc").asDouble()).isEqualTo(0.1);
        assertThat(server.post(
                                CAMPAIGNS + "/plan?from=nobody",
                                "application/json",
                                sample.document().toString())
                        .statusCode())
                .isEqualTo(404);
        assertThat(server.post(CAMPAIGNS + "/plan", "application/json", "{}").statusCode())
                .isEqualTo(422);
        assertThat(server.store().count("SELECT count(*) FROM campaign")).isEqualTo(campaigns);
    }

    private static HttpResponse<String> submitWithKey(String key, SampleCampaign sample) {
        return server.send(server.request(CAMPAIGNS)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(sample.document().toString())));
    }

    private static JsonNode steer(String id, String action) {
        HttpResponse<String> response = server.post(CAMPAIGNS + "/" + id + "/" + action);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.tree(response.body());
    }

    private static long epoch(String id) {
        return server.store().count("SELECT epoch FROM campaign WHERE campaign_id = ?", id);
    }

    private static CampaignProgress progressOf(String id) {
        return server.temporal()
                .newWorkflowStub(CampaignWorkflow.class, WorkflowIds.campaign(id))
                .progress();
    }

    @Test
    void shouldFindCampaignsByNameAndMetadataWhenTheseAreAskedFor() {
        ObjectNode document = SAMPLE.document().put("name", "noted");
        document.putObject("metadata").put("branch", "a,b=c&d").put("commit", "3f2a91c");
        HttpResponse<String> created = server.post(CAMPAIGNS, "application/json", document.toString());
        String id = Json.tree(created.body()).path("id").asText();

        assertThat(created.statusCode()).as(created.body()).isEqualTo(202);
        assertThat(server.json(CAMPAIGNS + "/" + id).get("metadata")).isEqualTo(document.get("metadata"));
        String list = CAMPAIGNS + "?metadata=commit=3f2a91c&metadata=branch%3Da,b%3Dc%26d";
        assertThat(server.json(list).get("items").findValuesAsText("id")).containsExactly(id);
        assertThat(server.json(list + "&name=noted").get("items")).hasSize(1);
        assertThat(server.json(list + "&name=note").get("items")).isEmpty();
        assertThat(server.json(CAMPAIGNS + "?metadata=commit=3f2a91").get("items"))
                .isEmpty();
    }

    @Test
    void shouldBeAConflictWhenTheSameKeyComesWithOtherMetadata() {
        ObjectNode document = SAMPLE.document();
        document.putObject("metadata").put("commit", "1");
        HttpRequest.Builder first = submission(document);
        HttpRequest.Builder other = submission(document.deepCopy());
        document.withObject("/metadata").put("commit", "2");
        HttpRequest.Builder changed = submission(document);

        String id = Json.tree(server.send(first).body()).path("id").asText();
        assertThat(Json.tree(server.send(other).body()).path("id").asText()).isEqualTo(id);
        assertThat(server.send(changed).statusCode()).isEqualTo(409);
    }

    private static HttpRequest.Builder submission(ObjectNode document) {
        return server.request(CAMPAIGNS)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "metadata")
                .POST(HttpRequest.BodyPublishers.ofString(document.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit", "Commit=1", "commit=", "=1", "commit=1&metadata=commit=2"})
    void shouldRefuseAFilterWhenNoCampaignCouldHaveIt(String filter) {
        HttpResponse<String> response = server.send(server.request(CAMPAIGNS + "?metadata=" + filter));

        assertThat(response.statusCode()).isEqualTo(422);
        assertThat(Json.tree(response.body()).at("/errors/0/path").asText()).isEqualTo("metadata");
    }
}
