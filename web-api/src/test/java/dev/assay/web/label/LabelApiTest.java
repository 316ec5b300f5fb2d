package dev.assay.web.label;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.matrix.ResultMatrix;
import dev.assay.domain.steering.Rerun;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class LabelApiTest {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static ServerFixture server;

    private SampleCampaign sample;
    private String id;
    private String campaign;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** Four cases with two trials; branch 0 passes even cases, branch 1 always times out. */
    @BeforeEach
    void submit() {
        sample = new SampleCampaign("labels-" + NUMBER.incrementAndGet(), 4, 2, 2);
        id = server.submit(sample);
        campaign = "/api/v1/campaigns/" + id;
        for (int ordinal = 0; ordinal < 8; ordinal++) {
            sample.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", ordinal % 2 == 0);
            sample.recordOutcome(server.store(), id, ordinal, 1, "TIMED_OUT", false);
        }
    }

    private HttpResponse<String> put(String cell, String body) {
        return server.send(server.request(campaign + "/labels/" + cell)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> csv(String query, String text) {
        return server.post(campaign + "/labels" + query, "text/csv", text);
    }

    private JsonNode imported(String text) {
        HttpResponse<String> response = csv("", text);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return Json.tree(response.body());
    }

    private JsonNode listed(String query) {
        return server.json(campaign + "/labels" + query).get("items");
    }

    private int stored() {
        return (int) server.store().count("SELECT count(*) FROM label WHERE origin_campaign = ?", id);
    }

    @Test
    void shouldKeepOneLabelInForceWhenAPersonLabelsAgain() {
        assertThat(put("case-0/branch-0/1", "{\"verdict\": \"pass\", \"note\": \"fine\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(put("case-0/branch-0/1", "{\"score\": 1, \"note\": \"fine\"}")
                        .statusCode())
                .isEqualTo(200);
        assertThat(stored()).as("the same again changes nothing").isEqualTo(1);

        HttpResponse<String> second = put("case-0/branch-0/1", "{\"verdict\": \"fail\"}");
        assertThat(Json.tree(second.body()).get("items")).hasSize(1);
        assertThat(Json.tree(second.body()).at("/items/0/verdict").asText()).isEqualTo("fail");
        assertThat(stored()).as("what it replaced stays").isEqualTo(2);

        put("case-0/branch-0/1", "{\"verdict\": \"unsure\", \"labeller\": \"anna\", \"check\": \"icontains\"}");
        assertThat(listed("")).hasSize(2);
        assertThat(listed("?labeller=anna&check=icontains&verdict=unsure")).hasSize(1);
        assertThat(server.send(server.request(campaign + "/labels/case-0/branch-0/1?labeller=anna&check=icontains")
                                .DELETE())
                        .statusCode())
                .isEqualTo(204);
        assertThat(listed("")).hasSize(1);
        assertThat(listed("").get(0).get("labeller").asText()).isEqualTo("local");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        nowhere/branch-0/1 | {"verdict": "pass"}                    | 404
        case-0/nobody/1    | {"verdict": "pass"}                    | 404
        case-0/branch-0/3  | {"verdict": "pass"}                    | 404
        case-0/branch-1/1  | {"verdict": "pass"}                    | 409
        case-0/branch-0/1  | {"verdict": "maybe"}                   | 422
        case-0/branch-0/1  | {"score": 1.2}                         | 422
        case-0/branch-0/1  | {"score": 1, "verdict": "pass"}        | 422
        case-0/branch-0/1  | {}                                     | 422
        case-0/branch-0/1  | {"verdict": "pass", "labeller": " "}   | 422
        case-0/branch-0/1  | {"verdict": "pass", "note": "\\u0000"} | 422
        case-0/branch-0/1  | {"verdict": "pass", "sample": "none"}  | 422
        """)
    void shouldRefuseALabelWhenItCannotBe(String cell, String body, int status) {
        HttpResponse<String> response = put(cell, body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(stored()).isZero();
    }

    @Test
    void shouldSayThatThereIsNoAnswerWhenATrialEndedInAnError() {
        assertThat(put("case-0/branch-1/2", "{\"verdict\": \"fail\"}").body())
                .contains("Trial 2 of case-0 on branch-1 has no answer to label");
    }

    @Test
    void shouldStoreNothingTwiceWhenAFileComesAgain() {
        String file = "\uFEFFnote,label,case,branch,trial,labeller,extra\r\n"
                + "'=1,PASS,case-0,branch-0,1,anna,x\r\n\r\n"
                + ",0.25,case-1,branch-0,2,ben,\r\n"
                + ",,case-2,branch-0,1,ben,\r\n";

        JsonNode first = imported(file);
        assertThat(first.get("lines").intValue()).isEqualTo(2);
        assertThat(first.get("stored").intValue()).isEqualTo(2);
        assertThat(first.get("open").intValue()).isEqualTo(1);
        assertThat(first.get("notes").get(0).asText()).contains("extra");
        JsonNode second = imported(file);
        assertThat(second.get("stored").intValue()).isZero();
        assertThat(second.get("unchanged").intValue()).isEqualTo(2);
        assertThat(listed("").get(0).get("note").asText()).isEqualTo("=1");

        String exported = server.fetch(campaign + "/labels?format=csv").body();
        assertThat(exported).contains("'=1");
        assertThat(imported(exported).get("stored").intValue()).isZero();
        assertThat(server.fetch(campaign + "/labels?format=jsonl").body().lines())
                .hasSize(2);
    }

    @Test
    void shouldStoreNothingWhenAFileIsOnlyTried() {
        JsonNode tried = Json.tree(csv("?dryRun=true&labeller=ben", "case,branch,label\ncase-0,branch-0,pass\n")
                .body());

        assertThat(tried.get("stored").intValue()).isEqualTo(1);
        assertThat(stored()).isZero();
    }

    @Test
    void shouldNameLineAndColumnOfAllErrorsWhenAFileIsWrong() {
        HttpResponse<String> response = csv("", """
            case,branch,trial,label,labeller,at
            case-0,branch-0,1,pass,a,
            case-0,branch-0,1,fail,a,
            case-0,branch-0,0,maybe,b,
            nowhere,branch-0,1,pass,b,yesterday
            case-0,branch-1,1,pass,b,
            case-9,branch-0,1,pass,b,
            """);

        assertThat(response.statusCode()).isEqualTo(422);
        List<String> paths = Json.tree(response.body()).get("errors").findValuesAsText("path");
        assertThat(paths).containsExactly("line 4, trial", "line 4, label", "line 5, at");

        HttpResponse<String> known = csv("", """
            case,branch,trial,label,labeller
            case-0,branch-0,1,pass,a
            case-0,branch-0,1,fail,a
            case-0,branch-1,1,pass,b
            case-9,branch-0,1,pass,b
            case-0,,1,pass,b
            """);
        JsonNode errors = Json.tree(known.body()).get("errors");
        assertThat(errors.findValuesAsText("path"))
                .containsExactlyInAnyOrder("line 3, label", "line 4, trial", "line 5, case", "line 6, branch");
        assertThat(errors.toString()).contains("Line 2 has another label");
        assertThat(stored()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                'case,branch'                           | 422
                'case,label,label\ncase-0,pass,pass'    | 422
                'case,label\n"case-0,pass'              | 400
                'item,label\n0123456789abcdef,pass'     | 422
                'item,label\nxyz,pass'                  | 422
                '
        '                                    | 422
        """)
    void shouldRefuseAFileWhenItIsNone(String file, int status) {
        assertThat(csv("", file).statusCode()).isEqualTo(status);
    }

    @Test
    void shouldHideWhatAnsweredWhenASampleIsMade() {
        HttpResponse<String> made = server.post(
                campaign + "/label-samples",
                "application/json",
                "{\"count\": 3, \"seed\": 7, \"branches\": [\"branch-0\"]}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        JsonNode view = Json.tree(made.body());
        assertThat(view.get("population").intValue()).isEqualTo(8);
        String path = campaign + "/label-samples/" + view.get("sample").asText();
        assertThat(server.json(path)).isEqualTo(view);

        String file = server.fetch(path + "?format=csv").body();
        assertThat(file.lines().findFirst()).contains("item,prompt,context,response,label,note");
        assertThat(file).doesNotContain("branch-", "icontains", "COMPLETED");

        JsonNode done = imported(file.replace(",,\r\n", ",pass,\r\n"));
        assertThat(done.get("stored").intValue()).isEqualTo(3);
        assertThat(listed("?sample=" + view.get("sample").asText())).hasSize(3);
        String larger = Json.tree(server.post(
                                campaign + "/label-samples",
                                "application/json",
                                "{\"count\": 50, \"seed\": 7, \"branches\": [\"branch-0\"]}")
                        .body())
                .get("sample")
                .asText();
        assertThat(server.fetch(campaign + "/label-samples/" + larger + "?format=csv")
                        .body())
                .startsWith(file.strip());
    }

    @Test
    void shouldKeepASampleWhenCellsAreAskedAgain() {
        String made = Json.tree(server.post(
                                campaign + "/label-samples",
                                "application/json",
                                "{\"count\": 8, \"branches\": [\"branch-0\"]}")
                        .body())
                .get("sample")
                .asText();
        String path = campaign + "/label-samples/" + made + "?format=csv";
        String before = server.fetch(path).body();
        imported(before.replace(",,\r\n", ",pass,\r\n"));
        server.store().execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", id);
        SampleCampaign.rerun(server.store(), id, new Rerun(Rerun.Only.FAILED, List.of(), List.of(), false));
        for (int ordinal = 1; ordinal < 8; ordinal += 2) {
            sample.recordOutcome(server.store(), id, ordinal, 0, "COMPLETED", true);
        }

        assertThat(server.fetch(path).body()).isEqualTo(before);
        assertThat(listed("")).as("labels of draws that are not shown any more").hasSize(4);
        JsonNode branch =
                server.json(campaign + "/calibration?branchId=branch-0").at("/branches/0");
        assertThat(branch.get("labelled").intValue())
                .as("the first draws count")
                .isEqualTo(8);
        assertThat(branch.at("/confusion/onlyPerson").intValue()).isEqualTo(4);
    }

    @Test
    void shouldCorrectTheRateOnlyWhenASampleAskedForTheLabels() {
        imported("case,branch,trial,label,labeller\ncase-0,branch-0,1,fail,a\ncase-1,branch-0,1,fail,a\n"
                + "case-2,branch-0,1,pass,a\ncase-2,branch-0,1,pass,b\ncase-3,branch-0,2,unsure,a\n");
        JsonNode chosen = server.json(campaign + "/calibration");
        assertThat(chosen.at("/branches/0/corrected/why").asText()).isEqualTo("NOT_SAMPLED");
        assertThat(chosen.at("/branches/0/labelled").intValue())
                .as("a trial with two labellers counts once")
                .isEqualTo(3);
        assertThat(chosen.at("/branches/0/unsure").intValue()).isEqualTo(1);
        assertThat(chosen.at("/branches/1/corrected/why").asText()).isEqualTo("NO_LABELS");
        assertThat(chosen.at("/disagreements/0/caseId").asText()).isEqualTo("case-0");
        assertThat(chosen.at("/people/draws").intValue()).isEqualTo(1);

        String made = Json.tree(server.post(campaign + "/label-samples", "application/json", "{\"count\": 8}")
                        .body())
                .get("sample")
                .asText();
        String file = server.fetch(campaign + "/label-samples/" + made + "?format=csv")
                .body();
        imported(file.replace(",,\r\n", ",pass,\r\n"));
        JsonNode sampled = server.json(campaign + "/calibration?branchId=branch-0");
        assertThat(sampled.at("/labels/sample").asText()).isEqualTo(made);
        assertThat(sampled.at("/branches/0/corrected/value").doubleValue()).isEqualTo(1);
        assertThat(sampled.at("/branches/0/corrected/method").asText()).isEqualTo("ppi");
        assertThat(server.json(campaign + "/calibration?labels=all")
                        .at("/branches/0/corrected/why")
                        .asText())
                .isEqualTo("NOT_SAMPLED");
        assertThat(server.fetch(campaign + "/calibration?check=nothing").statusCode())
                .isEqualTo(422);
        assertThat(server.fetch(campaign + "/calibration?branchId=nobody").statusCode())
                .isEqualTo(422);
        assertThat(server.fetch(campaign + "/calibration?labels=nowhere").statusCode())
                .isEqualTo(404);
    }

    private void judge(String campaignId, String evaluator, int trial) {
        server.store()
                .execute(
                        "UPDATE outcome SET checks = jsonb_set(checks, '{0,evaluator}', to_jsonb(?::text))"
                                + " WHERE campaign_id = ? AND branch_index = 0 AND trial = ?",
                        evaluator,
                        campaignId,
                        trial);
    }

    @Test
    void shouldCorrectByLabelsOfAnotherCampaignOnlyWhenItsEvaluatorIsTheSame() {
        SampleCampaign second = new SampleCampaign("judged-" + NUMBER.incrementAndGet(), 4, 2, 2);
        String other = server.submit(second);
        for (int ordinal = 0; ordinal < 8; ordinal++) {
            second.recordOutcome(server.store(), other, ordinal, 0, "COMPLETED", ordinal % 4 != 0);
        }
        imported("case,branch,trial,label,labeller\ncase-0,branch-0,1,pass,a\ncase-1,branch-0,1,fail,a\n"
                + "case-2,branch-0,1,pass,a\ncase-3,branch-0,1,fail,a\n");
        String path = "/api/v1/campaigns/" + other + "/calibration?branchId=branch-0&labels=" + id;
        assertThat(server.fetch(path).statusCode())
                .as("nobody knows who judged")
                .isEqualTo(422);

        for (String judged : List.of(id, other)) {
            judge(judged, "aaaa", 1);
            judge(judged, "aaaa", 2);
        }
        JsonNode corrected = server.json(path).at("/branches/0/corrected");
        assertThat(corrected.get("method").asText()).isEqualTo("rogan-gladen");
        assertThat(corrected.get("value").doubleValue()).isEqualTo(0.75);

        judge(other, "bbbb", 1);
        judge(other, "bbbb", 2);
        HttpResponse<String> refused = server.fetch(path);
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(refused.body()).contains("aaaa", "bbbb");

        judge(id, "bbbb", 2);
        JsonNode mixed = server.json(campaign + "/calibration?branchId=branch-0");
        assertThat(mixed.at("/branches/0/corrected/why").asText()).isEqualTo("MIXED_EVALUATORS");
        assertThat(mixed.get("evaluators")).hasSize(2);
    }

    @Test
    void shouldShowLabelsInOutcomesAndFilterByThem() throws IOException, InterruptedException {
        imported("case,branch,trial,label,labeller\ncase-0,branch-0,1,fail,a\ncase-1,branch-0,1,fail,a\n"
                + "case-2,branch-0,1,unsure,a\n");

        assertThat(server.json(campaign + "/outcomes?caseId=case-0&branchId=branch-0&trial=1")
                        .at("/items/0/labels/0/verdict")
                        .asText())
                .isEqualTo("fail");
        assertThat(cells("fail")).containsExactly("case-0", "case-1");
        assertThat(cells("disagrees")).containsExactly("case-0");
        assertThat(cells("unsure")).containsExactly("case-2");
        assertThat(cells("pass")).isEmpty();
        assertThat(cells("none")).hasSize(13);
        assertThat(server.fetch(campaign + "/outcomes?label=maybe").statusCode())
                .isEqualTo(422);
        assertThat(server.fetch(campaign + "/export?label=disagrees").body().lines())
                .hasSize(1);
        for (String state : List.of("pass", "fail", "unsure", "none", "disagrees")) {
            assertThat(server.json(campaign + "/cases?label=" + state)
                            .get("items")
                            .findValuesAsText("id"))
                    .as("cases with an answer that is %s", state)
                    .containsExactlyElementsOf(
                            cells(state).stream().distinct().sorted().toList());
        }
        assertThat(server.fetch(campaign + "/cases/positions?label=maybe").statusCode())
                .isEqualTo(422);
        byte[] matrix = HttpClient.newHttpClient()
                .send(server.request(campaign + "/matrix").GET().build(), BodyHandlers.ofByteArray())
                .body();
        assertThat(matrix[0] & ResultMatrix.LABELLED).as("case-0 on branch-0").isPositive();
        assertThat(matrix[1] & ResultMatrix.LABELLED).as("case-0 on branch-1").isZero();
    }

    private List<String> cells(String label) {
        return server.json(campaign + "/outcomes?label=" + label).get("items").findValuesAsText("caseId");
    }
}
