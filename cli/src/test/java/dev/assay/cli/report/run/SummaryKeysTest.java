package dev.assay.cli.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.cli.testing.Rendered;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.evidence.Redraw;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.judge.ParsedReply;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.rendering.TrialResults;
import dev.assay.domain.report.BaselineReport;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.report.fact.SelectionFact;
import dev.assay.domain.statistics.AtLeast;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The names of the fields of {@code summary.json}, all of which are walked. */
class SummaryKeysTest {

    private static final String SNAKE_CASE = "[a-z0-9]+(_[a-z0-9]+)*";

    /** Users' ids and codes of errors are no names of fields. */
    private static final Set<String> KEYED_BY_IDS = Set.of("branches", "reducers", "error_codes", "metrics");

    private static final List<String> BRANCHES = List.of("smallModel", "largeModel");
    private static final int CASES = 12;
    private static final int TRIALS = 3;

    @Test
    void shouldHaveFieldsInOneCase() {
        Set<String> walked = new HashSet<>();
        for (List<String> branches : List.of(BRANCHES.subList(0, 1), BRANCHES)) {
            for (@Nullable RateRule rule : rules()) {
                walk(json(branches, rule), "", walked);
            }
        }

        assertThat(walked)
                .as("fields that only some campaigns have")
                .contains(
                        "trial_rate",
                        "suite_low",
                        "design_effect",
                        "known",
                        "asked",
                        "redrawn",
                        "whole_reruns",
                        "error_codes",
                        "baselines",
                        "graders",
                        "ranking",
                        "flaky_cases",
                        "p95_ms",
                        "reducers",
                        "check_results",
                        "cache_read");
        assertThat(walked).allMatch(name -> name.matches(SNAKE_CASE));
    }

    private static List<@Nullable RateRule> rules() {
        List<@Nullable RateRule> rules = new ArrayList<>();
        rules.add(null);
        rules.add(new RateRule(RateRule.Metric.TRIAL_RATE, 0.8, RateRule.DEFAULT_ALPHA));
        return rules;
    }

    private static void walk(JsonNode json, String name, Set<String> walked) {
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (!KEYED_BY_IDS.contains(name)) {
                walked.add(field.getKey());
            }
            walk(field.getValue(), KEYED_BY_IDS.contains(name) ? "" : field.getKey(), walked);
        }
        if (json.isArray()) {
            json.forEach(item -> walk(item, "", walked));
        }
    }

    private static JsonNode json(List<String> branches, @Nullable RateRule rule) {
        CampaignSummary summary = summary(branches, rule);
        ObjectNode result = TrialResults.result(outcome());
        return Rendered.summary(summary, ExitRule.decide(summary, false), Rendered.first(result));
    }

    /** A campaign in which all happens that has fields of its own. */
    private static CampaignSummary summary(List<String> branches, @Nullable RateRule rule) {
        BaselineRule baseline = new BaselineRule("earlier", null, 0.05);
        GatePolicy gate = new GatePolicy(1, 0.5, List.of(), GateDemands.NONE, rule, baseline);
        TallyRules rules = new TallyRules(
                gate,
                List.of(new Reducer.Estimated("pass_at_2", AtLeast.passAt(2))),
                true,
                Duration.ofSeconds(10),
                Stopping.NEVER,
                null,
                new Draws(List.of(new Redraw(0, 3, false, 0.0)), 1));
        List<String> ids =
                IntStream.range(0, CASES).mapToObj(i -> "caseNumber" + i).toList();
        CampaignTally tally = new CampaignTally(new TrialGrid(CASES, TRIALS), ids, branches, rules);
        for (int branch = 0; branch < branches.size(); branch++) {
            for (int ordinal = 0; ordinal < CASES * TRIALS; ordinal++) {
                tally.add(fact(ordinal, branch));
            }
        }
        if (branches.size() == 2) {
            tally.add(new SelectionFact(0, 1, 1, true, false, false, List.of(vote())));
        }
        tally.addJudgeCall(Usage.of(1, 1), BigDecimal.ONE, new Compaction(null, 0, 0, 0, 0, 0, true))
                .addGraderCall(Usage.of(1, 1), BigDecimal.ONE);
        CampaignSummary summary = tally.summarize();
        return summary.beside(
                summary.gatedBranches().stream()
                        .map(branch -> BaselineReport.of(
                                branch.branchId(), baseline, "earlier", difference(), new Gate.Doubt(0, 0, 0), 0))
                        .toList(),
                GateDemands.NONE);
    }

    private static OutcomeFact fact(int ordinal, int branch) {
        boolean fails = ordinal % 5 == 4;
        return new OutcomeFact(
                ordinal % CASES,
                ordinal / CASES + 1,
                branch,
                fails ? OutcomeStatus.MODEL_ERROR : OutcomeStatus.COMPLETED,
                !fails && ordinal % 3 != 0,
                Usage.of(1, 1),
                BigDecimal.ONE,
                10L + ordinal,
                true,
                fails ? null : (Double) 0.5,
                fails ? ErrorCode.PROVIDER_TIMEOUT : null);
    }

    private static JudgeVote vote() {
        List<Integer> shown = List.of(0, 1);
        ParsedReply reading = new ParsedReply(0, shown, ParsedReply.Path.PLAIN, 1, List.of(), null);
        return new JudgeVote(0, shown, JudgeVote.Result.VOTED, 1, List.of(), List.of(reading));
    }

    private static PairedRates difference() {
        return new PairedRates(
                List.of(new CaseCounts(2, 0, 4), new CaseCounts(3, 0, 4), new CaseCounts(4, 0, 4)),
                List.of(new CaseCounts(2, 0, 4), new CaseCounts(2, 0, 4), new CaseCounts(4, 0, 4)));
    }

    private static ObjectNode outcome() {
        ObjectNode outcome = Json.mapper().createObjectNode();
        outcome.put("caseId", "caseNumber0").put("branchId", "smallModel").put("trial", 1);
        outcome.put("status", "COMPLETED")
                .put("passed", false)
                .put("latencyMs", 10)
                .put("commandCount", 0);
        outcome.put("response", "said").put("finishReason", "stop");
        outcome.putObject("metrics").put("userMetric", 0.5);
        outcome.putObject("usage").put("input", 1).put("output", 1).put("total", 2);
        ArrayNode checks = outcome.putArray("checks");
        ObjectNode group =
                checks.addObject().put("type", "group").put("status", "FAILED").put("metric", "userMetric");
        group.put("reason", "why").put("required", true).put("score", 0.5);
        group.putArray("checks")
                .addObject()
                .put("type", "contains")
                .put("status", "FAILED")
                .put("reason", "why");
        return outcome;
    }
}
