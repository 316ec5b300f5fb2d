package dev.assay.web.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.replay.Cassette;
import dev.assay.domain.replay.CassetteFile;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class OutcomeApiTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("outcomes", 3, 2, 4);

    private static ServerFixture server;
    private static String outcomes;
    private static String id;

    /** Twelve trials; branch 1 always times out; the first three trials are selected and judged. */
    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        id = server.submit(SAMPLE);
        outcomes = "/api/v1/campaigns/" + id + "/outcomes";
        for (int ordinal = 0; ordinal < 12; ordinal++) {
            SAMPLE.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", ordinal % 3 != 0);
            SAMPLE.recordOutcome(server.store(), id, ordinal, 1, "TIMED_OUT", false);
        }
        for (int ordinal = 0; ordinal < 3; ordinal++) {
            SAMPLE.recordSelection(server.store(), id, ordinal, 0);
            SAMPLE.recordJudgeCall(server.store(), id, ordinal);
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldShowEveryOutcomeOnceWhenPagesAreFollowed() {
        List<String> cells = new ArrayList<>();
        String query = "?pageSize=5";
        do {
            JsonNode page = server.json(outcomes + query);
            page.get("items").forEach(item -> cells.add(cell(item)));
            query = page.get("nextPageToken").isNull()
                    ? ""
                    : "?pageSize=5&pageToken=" + page.get("nextPageToken").asText();
        } while (!query.isEmpty());

        assertThat(cells).hasSize(24).doesNotHaveDuplicates().startsWith("case-0/branch-0/1", "case-0/branch-1/1");
    }

    @Test
    void shouldHaveEveryFieldThatClientsReadWhenListed() {
        JsonNode item = server.json(outcomes + "?caseId=case-1&branchId=branch-0&trial=1")
                .get("items")
                .get(0);

        assertThat(item.get("answeredAt")).isEqualTo(item.get("finishedAt"));
        ((com.fasterxml.jackson.databind.node.ObjectNode) item).remove(List.of("answeredAt", "finishedAt"));
        assertThat(item).isEqualTo(Json.tree("""
            {"caseId": "case-1", "branchId": "branch-0", "trial": 1, "status": "COMPLETED",
             "passed": true, "selected": true, "response": "the answer", "output": null,
             "usage": {"input": 10, "output": 5, "reasoning": 0, "cacheRead": 0, "cacheWrite": 0,
                       "total": 15},
             "costUsd": 0.000125, "latencyMs": 120, "attempts": 1, "error": null, "score": 1.0, "metrics": {},
             "checks": [{"type": "icontains", "status": "PASSED", "score": 1.0,
                         "reason": "Contains it", "required": true}], "warnings": [],
             "commandCount": 0, "requested": null, "effective": null, "served": null, "exitCode": null, "isolation": null,
             "reported": null, "finishReason": null, "source": "LIVE", "origin": null, "delivery": "LIVE", "batchId": null, "costAssumed": false,
             "passedBefore": null, "labels": []}\
            """));
    }

    @Test
    void shouldGiveOutWhatAProgramPrintedByteByByteWhenOneAnswered() {
        server.store().execute("""
            UPDATE outcome SET exit_code = 3, stdout = '\\x6100ff', stderr = '\\x62', input_tokens = 0, output_tokens = 0,
                total_tokens = 0, reported = '{"usage": {"input": 7}, "costUsd": 0.5}'
            WHERE campaign_id = ? AND ordinal = 10 AND branch_index = 0\
            """, id);
        String outcome = outcomes + "/case-1/branch-0/4";

        assertThat(server.json(outcome).get("exitCode").intValue()).isEqualTo(3);
        assertThat(server.json(outcome).get("usage").valueStream())
                .as("0 tokens are not known ones")
                .hasSize(6)
                .allMatch(JsonNode::isNull);
        assertThat(server.json(outcome).at("/reported/usage/input").intValue()).isEqualTo(7);
        assertThat(server.json(outcome).at("/reported/costUsd").decimalValue()).isEqualByComparingTo("0.5");
        assertThat(server.json(outcome).get("commandCount").isNull())
                .as("the trace tells a program's commands")
                .isTrue();
        assertThat(server.fetch(outcome + "/stderr.txt").body()).isEqualTo("b");
        assertThat(server.fetch(outcome + "/stdout.txt").body()).isEqualTo("a\u0000\uFFFD");
        assertThat(server.fetch(outcomes + "/case-0/branch-0/1/stdout.txt").body())
                .isEqualTo("the answer");
        assertThat(server.fetch(outcome + "/none.txt").statusCode()).isEqualTo(404);
        assertThat(server.fetch(outcomes + "/case-1/branch-0/99/stdout.txt").statusCode())
                .isEqualTo(404);
    }

    @Test
    void shouldShowWhatWasAskedSentAndServedWhenItIsOnRecord() {
        server.store().execute("""
            UPDATE outcome SET requested = '{"model": "m", "thinking": "max"}',
                effective = '{"max_tokens": 5}', served = '{"model": "m-1", "serviceTier": "flex"}'
            WHERE campaign_id = ? AND ordinal = 11 AND branch_index = 0\
            """, id);
        JsonNode listed = server.json(outcomes + "?caseId=case-2&branchId=branch-0&trial=4")
                .get("items")
                .get(0);

        for (JsonNode outcome : List.of(listed, server.json(outcomes + "/case-2/branch-0/4"))) {
            assertThat(outcome.get("requested")).isEqualTo(Json.tree("{\"model\": \"m\", \"thinking\": \"max\"}"));
            assertThat(outcome.get("effective")).isEqualTo(Json.tree("{\"max_tokens\": 5}"));
            assertThat(outcome.get("served"))
                    .isEqualTo(Json.tree("{\"model\": \"m-1\", \"fingerprint\": null, \"serviceTier\": \"flex\"}"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "caseId=case-2, 8",
        "branchId=branch-1, 12",
        "trial=4, 6",
        "status=TIMED_OUT, 12",
        "passed=true, 8",
        "passed=false&branchId=branch-0, 4",
        "caseId=case-2&trial=9, 0",
    })
    void shouldShowOnlyMatchingOutcomesWhenFiltered(String query, int expected) {
        assertThat(server.json(outcomes + "?" + query).get("items")).hasSize(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"caseId=nope", "branchId=nope", "trial=one", "status=LOST", "passed=maybe", "pageToken=bm9wZQ"})
    void shouldNameParameterWhenFilterIsWrong(String query) {
        HttpResponse<String> response = server.fetch(outcomes + "?" + query);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(Json.tree(response.body()).get("errors").findValuesAsText("path"))
                .containsExactly(query.substring(0, query.indexOf('=')));
    }

    @Test
    void shouldShowTranscriptAndJudgeWhenOneOutcomeIsAskedFor() {
        JsonNode outcome = server.json(outcomes + "/case-1/branch-0/1");

        assertThat(cell(outcome)).isEqualTo("case-1/branch-0/1");
        assertThat(outcome.get("context")).isEmpty();
        assertThat(outcome.get("newMessages")).isEqualTo(Json.tree("""
            [{"role": "user", "content": "What?"}, {"role": "assistant", "content": "the answer"}]\
            """));
        assertThat(outcome.get("selection")).isEqualTo(Json.tree("""
            {"selectedIndex": 0, "selectedBranchId": "branch-0", "strategy": "llm-judge",
             "reason": "The judge said so", "fallback": false, "decided": true, "tied": false,
             "votes": [{"judge": 0, "compared": ["branch-0", "branch-1"], "result": "VOTED", "choice": "branch-0",
                        "tied": [], "readings": [{"member": 0, "shown": ["branch-0", "branch-1"], "path": "PLAIN",
                                                  "choice": "branch-0", "scores": [], "reason": null}]}]}\
            """));
        assertThat(outcome.get("judge")).hasSize(1);
        JsonNode judge = outcome.get("judge").get(0);
        assertThat(judge.get("prompt").asText()).isEqualTo("Which is best?");
        assertThat(judge.get("shown")).isEqualTo(Json.tree("[\"branch-0\", \"branch-1\"]"));
        assertThat(judge.get("reply").asText()).isEqualTo("1");
    }

    @Test
    void shouldShowWhatWasAskedOfAJudgeSentAndServedWhenItIsOnRecord() {
        server.store().execute("""
            UPDATE judge_call SET requested = '{"model": "j", "thinking": "max"}', effective = '{"max_tokens": 5}',
                served = '{"model": "j-1"}'
            WHERE campaign_id = ?\
            """, id);

        JsonNode judge =
                server.json(outcomes + "/case-0/branch-0/1").get("judge").get(0);

        assertThat(judge.get("requested")).isEqualTo(Json.tree("{\"model\": \"j\", \"thinking\": \"max\"}"));
        assertThat(judge.get("effective")).isEqualTo(Json.tree("{\"max_tokens\": 5}"));
        assertThat(judge.at("/served/model").asText()).isEqualTo("j-1");
    }

    @Test
    void shouldShowErrorAndNoSelectionWhenTrialIsOpen() {
        JsonNode outcome = server.json(outcomes + "/case-0/branch-1/4");

        assertThat(outcome.get("error")).isEqualTo(Json.tree("""
            {"code": "PROVIDER_TIMEOUT", "message": "The provider did not answer"}\
            """));
        assertThat(outcome.get("selection").isNull()).isTrue();
        assertThat(outcome.get("selected").asBoolean()).isFalse();
        assertThat(outcome.get("judge")).isEmpty();
    }

    @Test
    void shouldShowEverySelectionOnceWithItsJudgeCallsWhenPagesAreFollowed() {
        String selections = "/api/v1/campaigns/" + id + "/selections";
        JsonNode first = server.json(selections + "?pageSize=2");
        assertThat(first.get("items").findValuesAsText("caseId")).containsExactly("case-0", "case-1");
        JsonNode second = server.json(selections + "?pageSize=2&pageToken="
                + first.get("nextPageToken").asText());
        assertThat(second.get("items").findValuesAsText("caseId")).containsExactly("case-2");
        assertThat(second.get("nextPageToken").isNull()).isTrue();

        JsonNode item = second.get("items").get(0);
        assertThat(item.get("selectedBranchId").asText()).isEqualTo("branch-0");
        assertThat(item.get("trial").asInt()).isEqualTo(1);
        assertThat(item.get("complete").asBoolean()).isTrue();
        assertThat(item.get("votes").get(0).get("choice").asText()).isEqualTo("branch-0");
        assertThat(item.get("judge")).singleElement().satisfies(call -> {
            assertThat(call.get("prompt").asText()).isEqualTo("Which is best?");
            assertThat(call.get("reply").asText()).isEqualTo("1");
            assertThat(call.get("usage").get("total").asInt()).isEqualTo(21);
            assertThat(call.get("compaction").get("satisfied").asBoolean()).isTrue();
        });
    }

    @ParameterizedTest
    @CsvSource({"caseId=case-2, 1", "trial=1, 3", "trial=2, 0", "caseId=case-1&trial=1, 1"})
    void shouldShowOnlyMatchingSelectionsWhenFiltered(String query, int expected) {
        assertThat(server.json("/api/v1/campaigns/" + id + "/selections?" + query)
                        .get("items"))
                .hasSize(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"caseId=nope", "trial=one", "pageSize=0", "pageToken=bm9wZQ"})
    void shouldNameParameterWhenASelectionFilterIsWrong(String query) {
        HttpResponse<String> response = server.fetch("/api/v1/campaigns/" + id + "/selections?" + query);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
        assertThat(Json.tree(response.body()).get("errors").findValuesAsText("path"))
                .containsExactly(query.substring(0, query.indexOf('=')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/case-0/branch-0/5", "/case-9/branch-0/1", "/case-0/branch-9/1"})
    void shouldAnswerNotFoundWhenOutcomeIsNotRecorded(String path) {
        HttpResponse<String> response = server.fetch(outcomes + path);

        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(Json.tree(response.body()).get("detail").asText()).contains("has no outcome of case");
    }

    @Test
    void shouldExportCassetteThatReadsBackWhenAnswersWereRecorded() {
        HttpResponse<String> response = server.fetch("/api/v1/campaigns/" + id + "/cassette");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/x-ndjson");
        Cassette cassette = CassetteFile.read(response.body());
        // The sample asks the same question in every case: one answer for each trial. Its strategy asks no judge.
        assertThat(cassette.entries())
                .hasSize(4)
                .allMatch(entry -> entry.model().equals("model-0"));
        assertThat(cassette.entries().getFirst().reply().text()).isEqualTo("the answer");
    }

    private static String cell(JsonNode item) {
        return item.get("caseId").asText() + "/" + item.get("branchId").asText() + "/"
                + item.get("trial").asInt();
    }
}
