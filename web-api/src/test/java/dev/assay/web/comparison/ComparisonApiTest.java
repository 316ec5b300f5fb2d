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
import java.util.List;
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
    void shouldPairWhatIsAskedAndSayThatNobodyNotedWhoJudged() {
        String other = ended(
                changed(document -> {
                    ((ObjectNode) document.at("/cases/11")).put("prompt", "What is else?");
                    ((ObjectNode) document.at("/cases/10/checks/0")).put("value", "else");
                    ((ObjectNode) document.at("/cases/9")).putObject("metadata").put("new", "one");
                    ((ObjectNode) document.at("/cases/8")).put("threshold", 0.5);
                }),
                SAMPLE,
                ordinal -> true);

        assertThat(server.json(address(base, other, "")).get("shared").asInt()).isEqualTo(8);
        JsonNode comparison = server.json(address(base, other, "&pair=question"));
        assertThat(comparison.get("shared").asInt()).isEqualTo(11);
        assertThat(comparison.get("changed")).hasToString("[\"case-11\"]");
        assertThat(comparison.at("/evaluators/same").isNull())
                .as("as rows of earlier builds")
                .isTrue();
        assertThat(server.json(address(base, other, "&pair=content")).has("evaluators"))
                .isFalse();
        assertThat(server.fetch(address(base, other, "&pair=answers")).statusCode())
                .isEqualTo(422);
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
        assertThat(trials.get("test").asText()).as("two trials beside one").isEqualTo("sign-flip-studentised");
        assertThat(trials.get("p").asDouble()).isBetween(0.17, 0.18);
        assertThat(metric(comparison, "pass_at_1").at("/b/value").asDouble()).isCloseTo(6 / 9.0, within(1e-12));
        assertThat(metric(comparison, "tokens").at("/a/value").asDouble()).isEqualTo(15);
        assertThat(metric(comparison, "cost").at("/ratio/value").asDouble()).isCloseTo(1, within(1e-9));
        assertThat(metric(comparison, "latency").at("/b/value").asDouble()).isEqualTo(120);
        assertThat(comparison.get("flips"))
                .extracting(one -> one.get("caseId").asText())
                .containsExactly("case-0", "case-1", "case-2");
        assertThat(comparison.get("verdict").asText()).isEqualTo("INCONCLUSIVE");
        assertThat(comparison.get("reasons")).hasToString("[\"UNSURE\"]");
        assertThat(comparison.get("detectable").asDouble())
                .as("nine cases of which three differ")
                .isBetween(0.5, 0.8);
        assertThat(comparison.get("why").isNull()).isTrue();
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

    @Test
    void shouldCompareNoPassedCasesWhenTrialsDiffer() {
        ObjectNode document = changed(one -> one.put("trials", 5));
        String other = ended(document, new SampleCampaign("compared", 12, 1, 5), _ -> true);

        JsonNode comparison =
                server.json(address(base, other, "&reducer=at_least_1&reducer=max&reducer=median&reducer=pass_at_2"));

        for (String name : List.of("cases-passed", "at_least_1", "max", "median")) {
            JsonNode metric = metric(comparison, name);
            assertThat(metric.get("why").asText()).isEqualTo("UNEQUAL_TRIALS");
            assertThat(metric.at("/a/value").isNull()).isTrue();
            assertThat(metric.at("/difference/value").isNull()).isTrue();
            assertThat(metric.get("p").isNull()).isTrue();
        }
        assertThat(metric(comparison, "pass_at_2").at("/b/value").asDouble()).isEqualTo(1);
        assertThat(metric(comparison, "trial-rate").get("test").asText()).isEqualTo("sign-flip-studentised");
    }

    /** Two runs of one model: a tenth of the trials of the second is missing, which is no difference. */
    @Test
    void shouldFindNothingWhenTrialsOfOneSideAreMissing() {
        SampleCampaign many = new SampleCampaign("many", 60, 1, 2);
        String one = ended(many.document(), many, ordinal -> ordinal % 7 != 0);
        String other = ended(many.document(), many, ordinal -> ordinal % 7 != 0);
        server.store().execute("DELETE FROM outcome WHERE campaign_id = ? AND ordinal % 10 = 1", other);

        JsonNode comparison = server.json(address(one, other, ""));

        assertSame(comparison, 120, 108);
    }

    @Test
    void shouldFindNoDropWhenTheProviderOfOneSideWasAway() {
        SampleCampaign many = new SampleCampaign("many", 60, 1, 2);
        String one = ended(many.document(), many, ordinal -> ordinal % 7 != 0);
        String other = ended(many.document(), many, ordinal -> ordinal % 7 != 0);
        server.store().execute("""
            UPDATE outcome SET status = 'MODEL_ERROR', error_code = 'PROVIDER_RATE_LIMITED', passed = false,
                cost_usd = NULL, total_tokens = 0
            WHERE campaign_id = ? AND ordinal % 10 = 1\
            """, other);

        JsonNode comparison = server.json(address(one, other, ""));

        assertSame(comparison, 120, 120);
        assertThat(metric(comparison, "trial-rate").at("/b/errors").asInt()).isEqualTo(12);
        assertThat(metric(comparison, "tokens").at("/ratio/value").asDouble()).isEqualTo(1);
        assertThat(metric(comparison, "cost").at("/ratio/value").asDouble()).isEqualTo(1);
    }

    /** The same passed where something is known; the interval holds what is not. */
    private static void assertSame(JsonNode comparison, int planned, int asked) {
        JsonNode trials = metric(comparison, "trial-rate");
        assertThat(trials.get("p").asDouble()).isGreaterThan(0.05);
        assertThat(metric(comparison, "cases-passed").get("p").asDouble()).isGreaterThan(0.05);
        assertThat(trials.at("/b/asked").asInt()).isEqualTo(asked);
        assertThat(trials.at("/b/denominator").asInt()).isEqualTo(planned);
        assertThat(trials.at("/difference/known").asDouble()).isBetween(-0.05, 0.05);
        assertThat(trials.at("/difference/value").asDouble())
                .as("as the vectors say")
                .isLessThan(-0.07);
        assertThat(comparison.get("verdict").asText()).isEqualTo("INCONCLUSIVE");
        assertThat(comparison.get("flips"))
                .allSatisfy(flip -> assertThat(flip.get("p").asDouble()).isEqualTo(1));
    }

    @Test
    void shouldWidenTheIntervalWhenCasesAreRelated() {
        SampleCampaign shape = new SampleCampaign("related", 40, 1, 2);
        ObjectNode document = shape.document();
        for (int i = 0; i < 40; i++) {
            ((ObjectNode) document.at("/cases/" + i)).putObject("metadata").put("topic", "t" + i % 5);
        }
        IntPredicate passesButOneTopic = ordinal -> ordinal % 5 != 0;
        String one = ended(document, shape, _ -> true);
        String other = ended(document, shape, passesButOneTopic);
        ObjectNode related = document.deepCopy();
        related.putObject("statistics").put("groupBy", "metadata.topic");
        String grouped = ended(related, shape, passesButOneTopic);

        JsonNode alone = metric(server.json(address(one, other, "")), "trial-rate");
        JsonNode inGroups = metric(server.json(address(one, grouped, "")), "trial-rate");

        assertThat(alone.at("/difference/groups").isNull()).isTrue();
        assertThat(alone.get("p").asDouble()).isLessThan(0.01);
        assertThat(inGroups.at("/difference/groups").asInt()).isEqualTo(5);
        assertThat(inGroups.get("test").asText()).isEqualTo("group-jackknife");
        assertThat(inGroups.get("p").asDouble()).as("one topic of five").isGreaterThan(0.3);
        assertThat(width(inGroups)).isGreaterThan(2 * width(alone));
        assertThat(inGroups.at("/b/groups").asInt()).isEqualTo(5);
    }

    /** A program that reports no usage has not used nothing. */
    @Test
    void shouldCompareNoTokensAndNoCostWhereAnAnswerCameWithoutUsage() {
        String other = ended(SAMPLE.document(), SAMPLE, ordinal -> true);
        server.store().execute("UPDATE outcome SET total_tokens = 0, cost_usd = NULL WHERE campaign_id = ?", other);

        JsonNode comparison = server.json(address(base, other + ":branch-0", ""));

        assertThat(metric(comparison, "tokens").get("why").asText()).isEqualTo("MISSING_EVIDENCE");
        assertThat(metric(comparison, "cost").get("why").asText()).isEqualTo("UNKNOWN_COST");
        assertThat(comparison.at("/b/redrawn").intValue()).isZero();
    }

    private static double width(JsonNode metric) {
        return metric.at("/difference/high").asDouble()
                - metric.at("/difference/low").asDouble();
    }

    @Test
    void shouldBeSlowerWhenTimesRunOut() {
        String other = ended(SAMPLE.document(), SAMPLE, _ -> true);
        server.store()
                .execute(
                        "UPDATE outcome SET status = 'TIMED_OUT', passed = false, error_code = 'TIMED_OUT', latency_ms"
                                + " = 5 WHERE campaign_id = ? AND ordinal % 4 = 0",
                        other);

        JsonNode latency = metric(server.json(address(base, other, "")), "latency");

        assertThat(latency.at("/a/value").asDouble()).isEqualTo(120);
        assertThat(latency.at("/ratio/value").asDouble())
                .as("a time-out took at least its limit")
                .isGreaterThan(10);
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
