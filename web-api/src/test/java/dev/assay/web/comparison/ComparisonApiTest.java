package dev.assay.web.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import dev.assay.web.ServerFixture;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class ComparisonApiTest {

    /** 12 cases of 2 trials. */
    private static final SampleCampaign SAMPLE = new SampleCampaign("compared", 12, 1, 2);

    private static ServerFixture server;
    private static String base;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
        base = ended(SAMPLE.document(), SAMPLE, ordinal -> true);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String ended(ObjectNode document, SampleCampaign shape, IntPredicate passes) {
        String id = submit(document);
        for (int branch = 0; branch < shape.branches(); branch++) {
            for (int ordinal = 0; ordinal < shape.cases() * shape.trials(); ordinal++) {
                shape.recordOutcome(server.store(), id, ordinal, branch, "COMPLETED", passes.test(ordinal + branch));
            }
        }
        server.store()
                .execute("UPDATE campaign SET state = 'COMPLETED', finished_at = now() WHERE campaign_id = ?", id);
        return id;
    }

    private static String submit(ObjectNode document) {
        return Json.tree(server.post("/api/v1/campaigns", "application/json", document.toString())
                        .body())
                .get("id")
                .asText();
    }

    private static ObjectNode changed(Consumer<ObjectNode> change) {
        ObjectNode document = SAMPLE.document();
        change.accept(document);
        return document;
    }

    private static String address(String a, String b, String more) {
        return "/api/v1/compare?a=" + encoded(a) + "&b=" + encoded(b) + more;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static JsonNode metric(JsonNode comparison, String name) {
        for (JsonNode metric : comparison.get("metrics")) {
            if (metric.get("name").asText().equals(name)) {
                return metric;
            }
        }
        throw new AssertionError("No metric " + name + " in " + comparison);
    }

    @Test
    void shouldPairCasesAndSayWhatDiffers() {
        String other = ended(
                changed(document -> {
                    ((ObjectNode) document.at("/branches/0")).put("model", "model-9");
                    document.put("trials", 1);
                    ((ObjectNode) document.at("/cases/11")).put("prompt", "What is else?");
                    ((ObjectNode) document.at("/cases/10/checks/0")).put("value", "else");
                    ((ObjectNode) document.at("/cases/9")).putArray("tags").add("sorted otherwise");
                    ((ObjectNode) document.at("/cases/8")).put("id", "renamed");
                }),
                new SampleCampaign("compared", 12, 1, 1),
                ordinal -> ordinal >= 3);

        JsonNode comparison = server.json(address(base, other + ":branch-0", "&reducer=pass_at_1&maxDrop=0.1"));

        assertThat(comparison.get("shared").asInt()).isEqualTo(9);
        assertThat(comparison.get("changed")).hasToString("[\"case-10\",\"case-11\"]");
        assertThat(comparison.get("onlyA")).hasToString("[\"case-8\"]");
        assertThat(comparison.get("onlyB")).hasToString("[\"renamed\"]");
        assertThat(comparison.get("differences"))
                .extracting(one -> one.get("path").asText())
                .containsExactly("branch.model", "suite.content", "trials");
        assertThat(comparison.at("/differences/0/b").asText()).isEqualTo("model-9");
        assertThat(comparison.get("tags").findValuesAsText("name")).containsExactly("sorted otherwise");
        assertThat(comparison.at("/tags/0/difference/cases").asInt()).isOne();
        JsonNode trials = metric(comparison, "trial-rate");
        assertThat(trials.at("/a/value").asDouble()).isEqualTo(1);
        assertThat(trials.at("/a/denominator").asInt()).isEqualTo(18);
        assertThat(trials.at("/b/value").asDouble()).isCloseTo(6 / 9.0, within(1e-12));
        assertThat(trials.at("/difference/value").asDouble()).isCloseTo(-3 / 9.0, within(1e-12));
        assertThat(trials.get("test").asText()).isEqualTo("sign-flip");
        assertThat(trials.get("p").asDouble()).isEqualTo(0.25);
        assertThat(metric(comparison, "cases-passed").get("p").asDouble()).isEqualTo(0.25);
        assertThat(metric(comparison, "pass_at_1").at("/b/value").asDouble()).isCloseTo(6 / 9.0, within(1e-12));
        assertThat(metric(comparison, "tokens").at("/a/value").asDouble()).isEqualTo(15);
        assertThat(metric(comparison, "cost").at("/ratio/value").asDouble()).isCloseTo(1, within(1e-9));
        assertThat(metric(comparison, "latency").at("/b/value").asDouble()).isEqualTo(120);
        assertThat(comparison.get("flips"))
                .extracting(one -> one.get("caseId").asText())
                .containsExactly("case-0", "case-1", "case-2");
        assertThat(comparison.get("verdict").asText()).isEqualTo("INCONCLUSIVE");
        assertThat(comparison.get("reasons")).hasToString("[\"UNSURE\"]");
        assertThat(comparison.get("detectable").asDouble()).isBetween(0.3, 0.9);
        assertThat(comparison.get("casesNeeded").asInt()).isGreaterThan(100);
    }

    @Test
    void shouldCompareBranchesOfOneCampaignAndCountWhatIsUnknown() {
        SampleCampaign two = new SampleCampaign("two", 12, 2, 2);
        String id = ended(two.document(), two, ordinal -> ordinal % 2 == 0);
        server.store().execute("DELETE FROM outcome WHERE campaign_id = ? AND branch_index = 1 AND trial = 2", id);

        JsonNode comparison = server.json(address(id + ":branch-0", id + ":branch-1", ""));

        assertThat(comparison.get("differences"))
                .extracting(one -> one.get("path").asText())
                .containsExactly("branch.model");
        assertThat(comparison.get("shared").asInt()).isEqualTo(12);
        assertThat(metric(comparison, "trial-rate").at("/b/unknown").asInt()).isEqualTo(12);
        assertThat(comparison.get("maxDrop").asDouble()).isEqualTo(0.02);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        none-such       | 404 | There is no campaign none-such
        BASE            | 422 | name two that differ
        BASE:branch-0   | 422 | name two that differ
        BASE:branch-7   | 422 | has no branch `branch-7`; its branches are branch-0
        BASE:           | 422 | write CAMPAIGN or CAMPAIGN:BRANCH
        :branch-0       | 422 | write CAMPAIGN or CAMPAIGN:BRANCH
        TWO             | 422 | has several branches: name one
        RUNNING         | 409 | only what has ended can be compared
        STRANGER        | 422 | have no case in common
        """)
    void shouldSayWhatIsWrongWhenThereIsNothingToCompare(String b, int status, String sentence) {
        String named = switch (b) {
            case "TWO" ->
                ended(new SampleCampaign("two", 1, 2, 1).document(), new SampleCampaign("two", 1, 2, 1), _ -> true);
            case "RUNNING" -> submit(SAMPLE.document());
            case "STRANGER" ->
                ended(
                        changed(document -> document.withArray("cases")
                                .forEach(one -> ((ObjectNode) one)
                                        .put("id", "x-" + one.get("id").asText()))),
                        SAMPLE,
                        _ -> true);
            default -> b.replace("BASE", base);
        };

        HttpResponse<String> answer = server.fetch(address(base, named, ""));

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(Json.tree(answer.body()).get("detail").asText()).contains(sentence);
    }

    @ParameterizedTest
    @CsvSource({"&maxDrop=2", "&maxDrop=NaN", "&maxDrop=much", "&reducer=pass_at_0", "&reducer=none", "&b=" + "%00"})
    void shouldRefuseParametersThatMeanNothing(String more) {
        assertThat(server.fetch(address(base, base, more)).statusCode()).isBetween(400, 422);
    }

    /** As the report reduces them, whatever the campaigns declare and the request adds. */
    @Test
    void shouldReduceScoresWhenTrialsHaveThem() {
        ObjectNode document = SAMPLE.document();
        document.putArray("reducers").add("mean").add("pass_at_1");
        String id = ended(document, SAMPLE, ordinal -> ordinal % 3 != 0);
        server.store()
                .execute(
                        "UPDATE outcome SET score = CASE WHEN passed THEN 0.75 ELSE 0.25 END WHERE campaign_id = ?",
                        id);

        JsonNode comparison = server.json(address(base, id, "&reducer=mean&reducer=median"));
        JsonNode report = server.json("/api/v1/campaigns/" + id + "/report");

        JsonNode mean = metric(comparison, "mean");
        assertThat(mean.at("/b/value").doubleValue())
                .isCloseTo(report.at("/branches/0/reducers/mean/value").doubleValue(), within(1e-12))
                .isNotCloseTo(metric(comparison, "pass_at_1").at("/b/value").doubleValue(), within(0.01));
        assertThat(mean.at("/a/value").doubleValue()).isEqualTo(1);
        assertThat(comparison.get("metrics"))
                .extracting(metric -> metric.get("name").asText())
                .containsExactly(
                        "trial-rate", "cases-passed", "mean", "pass_at_1", "median", "tokens", "cost", "latency");
    }
}
