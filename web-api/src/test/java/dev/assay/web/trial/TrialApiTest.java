package dev.assay.web.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Provenance;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import dev.assay.store.SampleCampaign;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.result.ProgressRepository;
import dev.assay.web.RawClient;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What somebody reads who looks through a campaign. */
@Timeout(60)
final class TrialApiTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("looked-through", 5, 2, 3);

    private static ServerFixture server;
    private static String id;
    private static String campaign;

    /** The first trial of every case is recorded; case 0 is judged, and its branch 1 was run again. */
    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        ObjectNode document = SAMPLE.document();
        document.withArray("cases")
                .forEach(one -> ((ObjectNode) one).putArray("tags").add(tag(one)));
        ((ObjectNode) document.at("/cases/4")).put("prompt", "Straße <script>alert(1)</script>");
        id = Json.tree(server.post("/api/v1/campaigns", "application/json", document.toString())
                        .body())
                .get("id")
                .asText();
        campaign = "/api/v1/campaigns/" + id;
        for (int ordinal = 0; ordinal < 5; ordinal++) {
            record(ordinal, 0, OutcomeStatus.COMPLETED, ordinal == 1 ? "=1+1, \"quoted\"" : "the answer", ordinal != 3);
            record(ordinal, 1, OutcomeStatus.TIMED_OUT, "", false);
        }
        SAMPLE.recordSelection(server.store(), id, 0, 0);
        SAMPLE.recordJudgeCall(server.store(), id, 0);
        assertThat(server.post(campaign + "/rerun", "application/json", "{\"cases\": [\"case-0\"]}")
                        .statusCode())
                .isEqualTo(200);
        record(0, 1, OutcomeStatus.COMPLETED, "the second answer", true);
    }

    private static String tag(JsonNode one) {
        return one.get("id").asText().endsWith("1") ? "odd one" : "geo";
    }

    private static void record(int ordinal, int branch, OutcomeStatus status, String response, boolean passed) {
        Outcome outcome = new Outcome(
                ordinal,
                branch,
                "s." + branch + ".1",
                new Outcome.End(status, null, 1),
                new Outcome.Answer(List.of(), 0, response, Provenance.NONE),
                new Measured(new Usage(10, 5, 0, 0, 0, 15), new BigDecimal("0.5"), Duration.ofMillis(1500)),
                List.of(check(passed || branch == 1)));
        server.get(RunJournal.class)
                .record(new RecordOutcome(id, 1, "w", ordinal % 5, ordinal / 5 + 1, outcome, passed, List.of()));
    }

    private static CheckResult check(boolean passed) {
        CheckResult.Status status = passed ? CheckResult.Status.PASSED : CheckResult.Status.FAILED;
        return new CheckResult(
                "icontains", new Finding(status, null, "As it is"), new CheckRole(true, null, "wording", false, null));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldListCasesFromAPlaceOn() {
        JsonNode page = server.json(campaign + "/cases?from=1&limit=2");

        assertThat(page.get("items").get(0)).isEqualTo(Json.tree("""
            {"position": 1, "id": "case-1", "prompt": "What is 1?", "tags": ["odd one"], "expected": "answer"}\
            """));
        assertThat(page.get("nextFrom").asInt()).isEqualTo(3);
        assertThat(server.json(campaign + "/cases?from=3&limit=2")
                        .get("nextFrom")
                        .isNull())
                .isTrue();
        assertThat(server.json(campaign + "/cases?from=2147483647").get("items"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "q=CASE-3, 3",
        "q=what+is+2, 2",
        "q=stra%C3%9Fe, 4",
        "q=%25, ''",
        "q=nothing+has+this, ''",
        "tag=odd%20one, 1",
        "tag=geo&q=4, 4",
        "tag=geo&q=alert, 4",
        "slowerThanMs=1500, ''",
        "slowerThanMs=1499&q=case-2, 2",
        "failedCheck=icontains, 3",
        "failedCheck=wording, 3",
        "failedCheck=equals, ''",
        "failedCheck=icontains&tag=odd%20one, ''",
        "failedCheck=%5B%7B, ''",
        "failedCheck=icontains&branchId=branch-0, 3",
        "failedCheck=icontains&branchId=branch-1, ''",
        "slowerThanMs=1499&q=case-2&branchId=branch-1, 2",
        "only=failing&branchId=branch-0, 3",
        "only=failing&q=case-2, 2",
        "only=failing&q=case-2&branchId=branch-0, ''",
        "only=failing&tag=odd%20one, 1",
        "only=errored&q=case-4, 4",
        "only=errored&branchId=branch-0, ''",
        "only=flaky, ''",
        "only=disagreeing, ''",
        "only=undecided, ''",
        "q=%5C, ''"
    })
    void shouldFindCasesByTextAndTagAndAnswers(String query, String expected) {
        List<Integer> places = expected.isEmpty() ? List.of() : List.of(Integer.valueOf(expected));

        assertThat(server.json(campaign + "/cases?" + query).get("items").findValuesAsText("position"))
                .isEqualTo(places.stream().map(String::valueOf).toList());
        assertThat(StreamSupport.stream(
                        server.json(campaign + "/cases/positions?" + query)
                                .get("positions")
                                .spliterator(),
                        false))
                .extracting(JsonNode::asInt)
                .isEqualTo(places);
    }

    @Test
    void shouldCountTags() {
        assertThat(server.json(campaign + "/tags")).isEqualTo(Json.tree("""
            {"items": [{"tag": "geo", "cases": 4}, {"tag": "odd one", "cases": 1}]}\
            """));
    }

    @Test
    void shouldShowAllBranchesAndTheJudgeWhenATrialIsAskedFor() {
        JsonNode trial = server.json(campaign + "/trials/case-1/1");

        assertThat(trial.get("position").asInt()).isEqualTo(1);
        assertThat(trial.get("prompts")).isEqualTo(Json.tree("[{\"role\": \"user\", \"content\": \"What is 1?\"}]"));
        assertThat(trial.at("/checks/0/type").asText()).isEqualTo("icontains");
        assertThat(trial.get("outcomes").findValuesAsText("branchId")).containsExactly("branch-0", "branch-1");
        assertThat(trial.at("/outcomes/0/response").asText()).isEqualTo("=1+1, \"quoted\"");
        assertThat(trial.at("/outcomes/0").has("newMessages")).isTrue();
        assertThat(trial.get("selection").isNull()).isTrue();
        JsonNode open = server.json(campaign + "/trials/case-1/3");
        assertThat(open.get("outcomes")).isEmpty();
        assertThat(open.get("complete").asBoolean()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/trials/case-1/0", "/trials/case-1/4", "/trials/case-9/1", "/trials/case-1/2147483647"})
    void shouldAnswerNotFoundWhenThereIsNoSuchTrial(String path) {
        HttpResponse<String> answer = server.fetch(campaign + path);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(Json.tree(answer.body()).get("detail").asText()).contains("has no trial");
    }

    @Test
    void shouldListAnswersByThePlacesOfTheirCells() {
        JsonNode items = server.json(campaign + "/answers?places=7,2,6,29,2").get("items");

        assertThat(items.findValuesAsText("place")).containsExactly("2", "6", "7");
        assertThat(items.get(0)).isEqualTo(Json.tree("""
            {"place": 2, "status": "COMPLETED", "passed": true, "passedBefore": null, "answer": "=1+1, \\"quoted\\"", "cut": false, "reason": null,
             "score": null, "costUsd": 0.5, "latencyMs": 1500}\
            """));
        assertThat(items.get(1).get("reason").asText()).isEqualTo("As it is");
        assertThat(items.get(2).get("status").asText()).isEqualTo("TIMED_OUT");
        assertThat(items.get(2).get("passed").asBoolean()).isFalse();
    }

    @Test
    void shouldRefuseMoreAnswersThanAPageShows() {
        String places = IntStream.range(0, 201).mapToObj(i -> "0").collect(Collectors.joining(","));

        assertThat(server.fetch(campaign + "/answers?places=" + places).statusCode())
                .isEqualTo(422);
        assertThat(server.json(campaign + "/answers?places=" + places.substring(2))
                        .get("items"))
                .hasSize(1);
    }

    @Test
    void shouldListWhatARerunReplaced() {
        JsonNode items =
                server.json(campaign + "/replaced?caseId=case-0&trial=1").get("items");

        assertThat(items.findValuesAsText("kind")).containsExactly("judge_call", "outcome", "trial");
        JsonNode outcome = items.get(1);
        assertThat(outcome.get("branchId").asText()).isEqualTo("branch-1");
        assertThat(outcome.get("caseId").asText()).isEqualTo("case-0");
        assertThat(outcome.at("/result/status").asText()).isEqualTo("TIMED_OUT");
        assertThat(items.get(2).at("/result/reason").asText()).isEqualTo("The judge said so");
        JsonNode first = server.json(campaign + "/replaced?pageSize=2");
        assertThat(server.json(campaign + "/replaced?pageSize=2&pageToken="
                                + first.get("nextPageToken").asText())
                        .get("items")
                        .findValuesAsText("kind"))
                .containsExactly("trial");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/cases?from=-1",
                "/cases?limit=0",
                "/cases?limit=1001",
                "/cases?from=x",
                "/replaced?pageSize=0",
                "/replaced?caseId=none",
                "/replaced?pageToken=bm9wZQ",
                "/export?format=xml",
                "/export?caseId=none",
                "/export?passed=maybe",
                "/export?only=FAILING",
                "/export?branchId=none",
                "/export?slowerThanMs=x",
                "/cases?only=",
                "/cases/positions?only=hopeless",
                "/cases/positions?branchId=none",
                "/failures?pageSize=1001",
                "/failures?branchId=none",
                "/failures?pageToken=bm9wZQ",
                "/events?matrix=perhaps",
                "/answers?places=",
                "/answers?places=1,,2",
                "/answers?places=-1",
                "/answers?places=1,30",
                "/answers?places=9999999999999999999"
            })
    void shouldNameTheParameterWhenItIsWrong(String path) {
        HttpResponse<String> answer = server.fetch(campaign + path);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(Json.tree(answer.body()).get("errors").findValuesAsText("path"))
                .containsExactly(path.substring(path.indexOf('?') + 1, path.indexOf('=')));
    }

    @Test
    void shouldExportEveryOutcomeAsOneLine() {
        HttpResponse<String> answer = server.fetch(campaign + "/export");

        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/x-ndjson");
        assertThat(answer.headers().firstValue("Content-Disposition").orElseThrow())
                .contains("attachment")
                .contains(id + ".jsonl");
        List<JsonNode> lines = answer.body().lines().map(Json::tree).toList();
        assertThat(lines).hasSize(10);
        assertThat(lines.getFirst())
                .isEqualTo(server.json(campaign + "/outcomes?pageSize=1").at("/items/0"));
    }

    @ParameterizedTest
    @CsvSource({
        "only=failing, case-1 case-1 case-2 case-2 case-3 case-3 case-4 case-4",
        "only=failing&branchId=branch-0, case-3",
        "only=failing&passed=true, case-1 case-2 case-4",
        "only=failing&caseId=case-2, case-2 case-2",
        "only=failing&trial=2, ''",
        "failedCheck=wording, case-3 case-3",
        "failedCheck=wording&branchId=branch-1, ''",
        "q=stra%C3%9Fe&slowerThanMs=1000, case-4 case-4",
        "tag=odd%20one, case-1 case-1",
        "only=flaky, ''",
    })
    void shouldExportTheOutcomesOfTheCasesThatAreLookedFor(String query, String cases) {
        List<String> expected = cases.isEmpty() ? List.of() : List.of(cases.split(" "));
        HttpResponse<String> lines = server.fetch(campaign + "/export?" + query);
        HttpResponse<String> table = server.fetch(campaign + "/export?format=csv&" + query);

        assertThat(lines.body()
                        .lines()
                        .map(line -> Json.tree(line).get("caseId").asText()))
                .isEqualTo(expected);
        assertThat(table.body().lines().skip(1).map(line -> line.substring(0, line.indexOf(','))))
                .isEqualTo(expected);
    }

    @Test
    void shouldExportTheSameLinesWhenACampaignTakesManyPages() {
        SampleCampaign large = new SampleCampaign("exported", 130, 2, 2);
        String other = server.submit(large);
        for (int ordinal = 0; ordinal < 260; ordinal++) {
            large.recordOutcome(server.store(), other, ordinal, ordinal % 2, "COMPLETED", ordinal % 130 == 129);
        }
        server.get(ProgressRepository.class).recount(other);
        String export = "/api/v1/campaigns/" + other + "/export";

        String all = server.fetch(export).body();

        assertThat(all.lines()).hasSize(260);
        assertThat(server.fetch(export + "?q=case-").body()).isEqualTo(all);
        assertThat(server.fetch(export + "?only=failing").body().lines())
                .containsExactlyElementsOf(all.lines()
                        .filter(line -> !line.contains("\"caseId\":\"case-129\""))
                        .toList());
    }

    @Test
    void shouldListTheNewestFailuresFirstPageByPage() {
        SampleCampaign sample = new SampleCampaign("failed", 4, 2, 1);
        String other = server.submit(sample);
        for (int ordinal = 0; ordinal < 4; ordinal++) {
            sample.recordOutcome(server.store(), other, ordinal, 0, "COMPLETED", ordinal == 3 ? null : (Boolean) false);
            sample.recordOutcome(server.store(), other, ordinal, 1, "COMPLETED", ordinal == 3);
        }
        server.store().execute("""
            UPDATE outcome SET finished_at = timestamptz '2026-01-01 12:00:00.000001Z' + CASE ordinal WHEN 1 THEN interval '1 hour'
                ELSE interval '0' END WHERE campaign_id = ?\
            """, other);
        List<String> cells = new ArrayList<>();
        String address = "/api/v1/campaigns/" + other + "/failures?pageSize=4";
        for (JsonNode page = server.json(address); ; ) {
            page.get("items")
                    .forEach(one -> cells.add(one.get("caseId").asText() + " "
                            + one.get("branchId").asText()));
            String token = page.path("nextPageToken").asText(null);
            if (token == null) {
                break;
            }
            page = server.json(address + "&pageToken=" + token);
        }

        assertThat(cells)
                .containsExactly(
                        "case-1 branch-1",
                        "case-1 branch-0",
                        "case-2 branch-1",
                        "case-2 branch-0",
                        "case-0 branch-1",
                        "case-0 branch-0");
        assertThat(server.json(address + "&branchId=branch-1").get("items").findValuesAsText("caseId"))
                .containsExactly("case-1", "case-2", "case-0");
    }

    @Test
    void shouldExportTextsThatASpreadsheetDoesNotRun() {
        HttpResponse<String> answer = server.fetch(campaign + "/export?format=csv&caseId=case-1&branchId=branch-0");

        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/csv");
        List<String> lines = answer.body().lines().toList();
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst())
                .as("programs rely on the order")
                .isEqualTo("caseId,branchId,trial,status,passed,selected,response,inputTokens,outputTokens,totalTokens,"
                        + "costUsd,latencyMs,attempts,errorCode,errorMessage,failedChecks,finishedAt,prompt,vars,"
                        + "expected,tags,score,metrics,systemPromptSha256,"
                        + "source,originCampaign,originCase,originBranch,originTrial,originDraw,answeredAt,label");
        assertThat(lines.getLast())
                .startsWith("case-1,branch-0,1,COMPLETED,true,false,\"'=1+1, \"\"quoted\"\"\",10,5,15,0.5,1500,1,,,,")
                .contains(",What is 1?,,answer,odd one,")
                .containsPattern(",LIVE,,,,,,[0-9TZ:.-]+,$");
    }

    @Test
    void shouldSayHowFastItWentAndWhatItWasTold() {
        JsonNode series = server.json(campaign + "/series").get("items");
        assertThat(series.findValues("cells").stream().mapToInt(JsonNode::asInt).sum())
                .as("one more when the test of events came before")
                .isBetween(11, 12);
        assertThat(series.get(0).get("seconds").asInt()).isOne();
        assertThat(series.findValues("inFlight"))
                .as("no worker counted calls")
                .allSatisfy(calls -> assertThat(calls.isNull()).isTrue());

        JsonNode definition = server.json(campaign + "/definition");
        assertThat(definition.get("trials").asInt()).isEqualTo(3);
        assertThat(definition.at("/branches/1/model").asText()).isEqualTo("model-1");
        assertThat(definition.at("/suite/cases").asInt()).isEqualTo(5);
        assertThat(server.json("/api/v1/server").get("version").asText()).isNotEmpty();
    }

    @Test
    void shouldKeepAtMostThreeHundredSpansWhenACampaignGoesOnAfterWeeks() {
        String other = server.submit(SAMPLE);
        server.store().execute("""
            INSERT INTO series SELECT ?, 'w', to_timestamp(floor(n * 4096)), CASE WHEN n < 1 THEN 1 ELSE 64 END, 1, 1, 0, 64000, 0.1
            FROM generate_series(0, 999) n\
            """, other);

        JsonNode items = server.json("/api/v1/campaigns/" + other + "/series").get("items");

        assertThat(items.size()).isBetween(100, 300);
        assertThat(items.findValues("cells").stream().mapToInt(JsonNode::asInt).sum())
                .isEqualTo(1000);
    }

    @Test
    void shouldTellWhatChangedInTheMatrixBesideTheProgress() throws IOException {
        try (RawClient watcher = new RawClient(server.uri(), Duration.ofSeconds(20))) {
            watcher.send("GET " + campaign + "/events?matrix=true HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n");
            JsonNode first = event(watcher, "matrix");
            assertThat(first.get("since").isNull()).isTrue();
            assertThat(event(watcher, "progress").get("id").asText()).isEqualTo(id);
            record(14, 0, OutcomeStatus.COMPLETED, "late", true);

            JsonNode step = event(watcher, "matrix");

            assertThat(step.get("since")).isEqualTo(first.get("version"));
            assertThat(Base64.getDecoder().decode(step.get("changes").asText())).containsExactly(0, 0, 0, 28, 2);
        }
        server.store().execute("DELETE FROM outcome WHERE campaign_id = ? AND ordinal = 14", id);
    }

    private static JsonNode event(RawClient client, String name) throws IOException {
        while (!client.line().endsWith("event: " + name)) {
            continue;
        }
        String line = client.line();
        while (!line.startsWith("data:")) {
            line = client.line();
        }
        return Json.tree(line.substring("data:".length()));
    }

    @ParameterizedTest
    @CsvSource({
        "q=LOOKED-thr, true",
        "q=nope, false",
        "suite=looked-through, true",
        "suite=nope, false",
        "verdict=PASS, false",
        "q=%25, false",
        "state=PENDING&state=RUNNING&q=looked, true",
    })
    void shouldListOnlyMatchingCampaigns(String query, boolean found) {
        List<String> ids =
                server.json("/api/v1/campaigns?" + query).get("items").findValuesAsText("id");

        assertThat(ids.contains(id)).isEqualTo(found);
    }

    @Test
    void shouldShowHealthAndRateInLists() {
        JsonNode item = StreamSupport.stream(
                        server.json("/api/v1/campaigns").get("items").spliterator(), false)
                .filter(one -> one.get("id").asText().equals(id))
                .findFirst()
                .orElseThrow();

        assertThat(item.at("/health/status").asText()).isNotEmpty();
        // 5 of 10, or 6 of 11 once another test has recorded one more.
        assertThat(item.at("/passRate/value").asDouble()).isBetween(0.5, 0.6);
        assertThat(item.at("/passRate/low").asDouble()).isLessThan(0.5);
    }
}
