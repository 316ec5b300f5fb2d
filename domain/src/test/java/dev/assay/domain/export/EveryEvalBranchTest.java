package dev.assay.domain.export;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.graded.QuestionRule.Question;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.Latency;
import dev.assay.domain.report.ReducerRate;
import dev.assay.domain.usage.Spend;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EveryEvalBranchTest {

    private static final ModelChoice MODEL = new ModelChoice("openai", "gpt-6.1", Thinking.OFF, Map.of());
    private static final ModelChoice GRADER = new ModelChoice("anthropic", "claude-5", Thinking.OFF, Map.of());

    private static JsonNode aggregate(Proportion rate, Map<String, ReducerRate> reducers, Set<Question> asked) {
        return requireNonNull(
                branch().aggregate(summary(rate, reducers), new EveryEvalBranch.Samples("0", 4, asked, metrics())));
    }

    private static EveryEvalBranch branch() {
        EveryEvalBranch.Source source =
                new EveryEvalBranch.Source("capitals-1", "capitals", Instant.EPOCH, "assay", "1.0.0", List.of(GRADER));
        return new EveryEvalBranch(
                source,
                new Branch("small", new Agent.Model(MODEL), null, AgentLimits.DEFAULT),
                new EveryEvalChoices("unknown", "other", null, false));
    }

    private static BranchSummary summary(Proportion rate, Map<String, ReducerRate> reducers) {
        BranchSummary plain = new BranchSummary(
                "small",
                true,
                Verdict.PASS,
                rate,
                rate,
                new BranchSummary.TrialCounts(3, 1, 0, 0),
                Proportion.of(0, 0),
                Spend.NONE,
                new Latency(0, null, null),
                List.of());
        ObjectNode tree = Json.mapper().valueToTree(plain);
        return Json.read(
                tree.set("reducers", Json.mapper().valueToTree(reducers)).toString(), BranchSummary.class);
    }

    @Test
    void shouldHaveTheRateAndEachReducerThatHasAValue() {
        JsonNode results = aggregate(
                        Proportion.of(3, 4),
                        Map.of(
                                "pass_at_2", new ReducerRate(0.75, 0.5, 1.0, 2, 0, null),
                                "pass_k_9", new ReducerRate(null, null, null, 0, 2, ReducerRate.Why.TOO_FEW_TRIALS)),
                        Set.of())
                .get("evaluation_results");

        assertThat(results)
                .extracting(result -> result.get("evaluation_name").asText())
                .containsExactly("trial rate", "pass_at_2", "metric polite");
        JsonNode reduced = results.get(1);
        assertThat(reduced.get("evaluation_result_id").asText()).isEqualTo("small#pass_at_2");
        assertThat(reduced.at("/score_details/score").asDouble()).isEqualTo(0.75);
        assertThat(reduced.at("/score_details/uncertainty/num_samples").asInt()).isEqualTo(2);
        assertThat(reduced.at("/score_details/uncertainty/confidence_interval/lower")
                        .asDouble())
                .isEqualTo(0.5);
    }

    /** Of two cases, one of which has two trials; a third has none that is scored. */
    private static MetricMeans metrics() {
        MetricMeans metrics = new MetricMeans(3);
        metrics.add(0, scored(1));
        metrics.add(0, scored(0.5));
        metrics.add(1, scored(0.25));
        return metrics;
    }

    private static List<CheckResult> scored(double score) {
        CheckResult[] results = Json.read("""
            [{"type": "rubric", "status": "PASSED", "score": %s, "reason": "", "required": true, "metric": "polite"}]
            """.formatted(score), CheckResult[].class);
        return List.of(results);
    }

    @Test
    void shouldHaveTheMeanOverCasesOfEachMetric() {
        JsonNode mean = aggregate(Proportion.of(3, 4), Map.of(), Set.of()).at("/evaluation_results/1");

        assertThat(mean.get("evaluation_name").asText()).isEqualTo("metric polite");
        assertThat(mean.at("/metric_config/metric_id").asText()).isEqualTo("polite");
        assertThat(mean.at("/score_details/score").asDouble()).isEqualTo(0.5);
        assertThat(mean.at("/score_details/uncertainty/num_samples").asInt()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheFirstNamesAlone() {
        MetricMeans metrics = new MetricMeans(1);
        for (int i = 0; i <= MetricMeans.MOST; i++) {
            CheckResult[] results = Json.read("""
                [{"type": "contains", "status": "PASSED", "score": 1, "reason": "", "required": true, "metric": "m%d"}]
                """.formatted(i), CheckResult[].class);
            metrics.add(0, List.of(results));
        }

        assertThat(metrics.means()).hasSize(MetricMeans.MOST).doesNotContainKey("m" + MetricMeans.MOST);
    }

    @Test
    void shouldHaveNoAggregateWhereNothingIsKnown() {
        assertThat(branch().aggregate(
                                summary(Proportion.of(0, 0), Map.of()),
                                new EveryEvalBranch.Samples("0", 0, Set.of(), new MetricMeans(2))))
                .isNull();
    }

    @Test
    void shouldSayWhichModelGradedAndWhatItWasAsked() {
        JsonNode scoring = aggregate(Proportion.of(3, 4), Map.of(), Set.of(Question.RUBRIC))
                .at("/evaluation_results/0/metric_config/llm_scoring");

        assertThat(scoring.at("/judges/0/model_info/id").asText()).isEqualTo("anthropic/claude-5");
        assertThat(scoring.at("/judges/0/model_info/inference_platform").asText())
                .isEqualTo("anthropic");
        assertThat(scoring.get("input_prompt").asText()).contains("impartial grader", "meet the rubric");
    }

    @Test
    void shouldNameNoGraderWhereNoneWasAsked() {
        assertThat(aggregate(Proportion.of(3, 4), Map.of(), Set.of())
                        .at("/evaluation_results/0/metric_config/llm_scoring")
                        .isMissingNode())
                .isTrue();
    }

    @Test
    void shouldFindTheQuestionsThatGradersAnsweredInGroupsToo() {
        CheckResult[] results = Json.read("""
            [{"type": "contains", "status": "PASSED", "score": 1, "reason": "", "required": true},
             {"type": "rubric", "status": "UNSCORED", "reason": "not asked", "required": true},
             {"type": "any", "status": "PASSED", "score": 1, "reason": "", "required": true, "checks": [
                 {"type": "closed-qa", "status": "PASSED", "score": 1, "reason": "", "required": true,
                  "grade": {"call": 100000000, "usage": {}, "costUsd": null}}]}]
            """, CheckResult[].class);

        assertThat(EveryEvalSample.asked(List.of(results))).containsExactly(Question.CLOSED_QA);
    }
}
