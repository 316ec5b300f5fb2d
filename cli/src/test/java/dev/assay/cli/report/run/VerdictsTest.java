package dev.assay.cli.report.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.report.EvaluationTable;
import dev.assay.cli.report.ResultTable;
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
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.rendering.Numbers;
import dev.assay.domain.report.BaselineReport;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.report.fact.SelectionFact;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a summary says of its verdict in several places, and what its table shows. */
class VerdictsTest {

    private static final List<String> BRANCHES = List.of("small", "large");
    private static final Map<Verdict, Integer> CODES =
            Map.of(Verdict.PASS, 0, Verdict.FAIL, 100, Verdict.INCONCLUSIVE, 101);

    private final Random random = new Random(16);

    @Test
    void shouldNeverContradictItselfWhateverTheGateAndTheResults() {
        Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
        for (int round = 0; round < 600; round++) {
            CampaignSummary summary = anySummary();
            boolean noFail = random.nextInt(10) == 0;
            ExitRule rule = ExitRule.decide(summary, noFail);
            JsonNode json = Rendered.summary(summary, rule, Rendered.OPEN);
            String said = json.toPrettyString();
            Verdict verdict = Verdict.valueOf(json.get("verdict").asText());
            seen.add(verdict);

            assertThat(json.get("suite_pass").booleanValue()).as(said).isEqualTo(verdict == Verdict.PASS);
            assertThat(json.at("/rule/verdict").asText()).as(said).isEqualTo(verdict.name());
            assertThat(json.get("exit_code").intValue()).as(said).isEqualTo(noFail ? 0 : CODES.get(verdict));
            assertThat(json.at("/rule/code")).as(said).isEqualTo(json.get("exit_code"));
            assertThat(json.at("/rule/sentence").asText())
                    .as(said)
                    .startsWith(word(verdict) + ":")
                    .doesNotContain("null");
            assertThat(json.get("reasons").isEmpty()).as(said).isEqualTo(verdict != Verdict.INCONCLUSIVE);
            checkBranches(json, verdict, said);
            checkTables(json, summary);
        }
        assertThat(seen).isEqualTo(EnumSet.allOf(Verdict.class));
    }

    private static void checkBranches(JsonNode json, Verdict verdict, String said) {
        List<Verdict> gated = json.get("branches").properties().stream()
                .map(Map.Entry::getValue)
                .filter(branch -> branch.get("gated").booleanValue())
                .map(branch -> {
                    Verdict own = Verdict.valueOf(branch.get("verdict").asText());
                    assertThat(branch.get("suite_pass").booleanValue()).as(said).isEqualTo(own == Verdict.PASS);
                    return own;
                })
                .toList();
        boolean demanded = Set.of("UNREPEATABLE", "ERRORS").stream()
                .anyMatch(reason -> json.get("reasons").toString().contains(reason));
        assertThat(verdict).as(said).isEqualTo(demanded ? Verdict.INCONCLUSIVE : Verdict.ofAll(gated));
    }

    /** The table, the Markdown and the document show the same points and ends. */
    private static void checkTables(JsonNode json, CampaignSummary summary) {
        List<String> table = ResultTable.of("id", summary).lines().toList();
        String markdown = Rendered.markdown(summary);
        for (String branch : BRANCHES) {
            JsonNode rate = json.at("/branches/" + branch + "/trial_rate");
            JsonNode known = rate.get("known");
            String point = known.isNull() ? "–" : Numbers.percent(known.doubleValue());
            String interval = Numbers.interval(
                    rate.get("low").doubleValue(), rate.get("high").doubleValue());
            String row = table.stream()
                    .filter(line -> line.startsWith(branch + " "))
                    .findFirst()
                    .orElseThrow();
            assertThat(row).contains(" " + point + " (", interval);
            assertThat(row.split(" {2,}")[5]).isEqualTo(rate.get("unknown").asText());
            assertThat(markdown.lines().filter(line -> line.startsWith("| " + branch + " ")))
                    .first()
                    .asString()
                    .contains(
                            "| " + point + " (",
                            "| " + interval + " |",
                            "| " + rate.get("unknown").asText() + " |");
        }
    }

    private static String word(Verdict verdict) {
        return switch (verdict) {
            case PASS -> "Passed";
            case FAIL -> "Failed";
            case INCONCLUSIVE -> "Inconclusive";
        };
    }

    private CampaignSummary anySummary() {
        int cases = 1 + random.nextInt(6);
        int trials = 1 + random.nextInt(6);
        GatePolicy gate = anyGate();
        double rate = random.nextDouble();
        double evidence = random.nextInt(3) == 0 ? 0.7 : 1;
        CampaignTally tally =
                new CampaignTally(new TrialGrid(cases, trials), ids(cases), BRANCHES, new TallyRules(gate));
        for (int cell = 0; cell < cases * trials * 2; cell++) {
            OutcomeStatus status = random.nextInt(8) == 0 ? OutcomeStatus.TIMED_OUT : OutcomeStatus.COMPLETED;
            if (random.nextDouble() < evidence) {
                boolean passed = random.nextDouble() < rate;
                tally.add(new OutcomeFact(
                        cell / 2 % cases, cell / 2 / cases + 1, cell % 2, status, passed, Usage.NONE, null, 1));
            }
        }
        CampaignSummary summary = tally.summarize();
        BaselineRule baseline = gate.baseline();
        return baseline == null
                ? summary
                : summary.beside(
                        summary.gatedBranches().stream()
                                .map(branch -> BaselineReport.of(
                                        branch.branchId(), baseline, "a", anyDifference(), new Gate.Doubt(0, 0, 0), 0))
                                .toList(),
                        gate.demands());
    }

    private GatePolicy anyGate() {
        RateRule rule =
                random.nextInt(3) == 0 ? new RateRule(RateRule.Metric.TRIAL_RATE, random.nextDouble(), 0.05) : null;
        BaselineRule baseline = random.nextInt(3) == 0 ? new BaselineRule("earlier", null, 0.05) : null;
        Double suite = random.nextBoolean() ? (Double) (random.nextInt(5) / 4.0) : null;
        boolean counts = rule == null && (baseline == null || suite != null);
        Double agreement = counts && random.nextInt(3) == 0 ? (Double) random.nextDouble() : null;
        GateDemands.ErrorTreatment[] errors = GateDemands.ErrorTreatment.values();
        return new GatePolicy(
                random.nextInt(5) / 4.0,
                suite,
                random.nextBoolean() ? List.of() : List.of("large"),
                new GateDemands(
                        agreement,
                        errors[random.nextInt(errors.length)],
                        random.nextInt(3) == 0 ? random.nextDouble() / 4 : 1),
                rule,
                baseline);
    }

    private PairedRates anyDifference() {
        int cases = random.nextInt(60);
        double rate = random.nextDouble();
        return new PairedRates(anyCounts(cases, rate), anyCounts(cases, random.nextBoolean() ? rate : 1));
    }

    private List<CaseCounts> anyCounts(int cases, double rate) {
        return IntStream.range(0, cases)
                .mapToObj(_ -> new CaseCounts(random.nextDouble() < rate ? 2 : 0, random.nextInt(8) == 0 ? 1 : 0, 3))
                .toList();
    }

    private static List<String> ids(int cases) {
        return IntStream.range(0, cases).mapToObj(i -> "case-" + i).toList();
    }

    @Test
    void shouldShowErrorsUnknownTiesAndWhatIsNotPricedWhenThereAreSome() {
        TallyRules rules = new TallyRules(GatePolicy.DEFAULT, List.of(), false, Duration.ofSeconds(300));
        CampaignTally tally = new CampaignTally(new TrialGrid(10, 3), ids(10), BRANCHES, rules);
        for (int i = 0; i < 30; i++) {
            OutcomeStatus status = i < 18 ? OutcomeStatus.TIMED_OUT : OutcomeStatus.COMPLETED;
            tally.add(fact(i, 0, status, i % 4 == 0 ? null : new BigDecimal("0.10")));
            if (i < 12) {
                tally.add(fact(i, 1, OutcomeStatus.COMPLETED, null));
            }
            if (i < 2) {
                tally.add(new SelectionFact(i % 10, i / 10 + 1, 1, false, true, i == 1, List.of()));
            }
        }

        List<String> lines = ResultTable.of("id", tally.summarize()).lines().toList();

        assertThat(lines.get(0)).containsPattern("Errors +Unknown +Wins");
        assertThat(lines.get(1))
                .containsPattern("small .* 40\\.0 % \\(12/30\\).* 18 +0 ")
                .endsWith("> 300.0 s   > 300.0 s");
        assertThat(lines.get(1)).contains("+ 8 unpriced");
        assertThat(lines.get(2)).containsPattern("large .* 100\\.0 % \\(12/12\\) .* – +0 +18 +1/2 \\+ 1 tie");
        assertThat(lines.get(2))
                .as("twelve outcomes say nothing of a 95th percentile")
                .containsPattern("10 ms +–$");
    }

    @Test
    void shouldSayWhichDrawCountsAndWhatTheProviderDidNotAnswer() {
        TallyRules rules = new TallyRules(
                GatePolicy.DEFAULT,
                List.of(),
                false,
                null,
                Stopping.NEVER,
                null,
                new Draws(List.of(new Redraw(0, 0, false, 0.0)), 2));
        CampaignTally tally = new CampaignTally(new TrialGrid(10, 3), ids(10), BRANCHES, rules);
        for (int i = 0; i < 30; i++) {
            tally.add(i < 28 ? fact(i, 0, OutcomeStatus.COMPLETED, null) : unanswered(i));
            tally.add(fact(i, 1, OutcomeStatus.COMPLETED, null));
        }
        CampaignSummary summary = tally.foundAlike(1).summarize();

        String said = ResultTable.of("id", summary);

        assertThat(said.lines().toList().get(1))
                .as("27 of 28 are known to have passed, by first draws")
                .contains("(27/28)")
                .containsPattern("7/8, 2 open +2 +2 ");
        assertThat(said)
                .contains(
                        "Errors of small: 2 PROVIDER_UNAVAILABLE. Ask these cells again with: assay rerun id --errored"
                                + " --branch small\n",
                        "Asked again after a result: 1 cell; the first draw counts\n",
                        "Asked again as a whole: 2 times; earlier draws do not count\n",
                        "Too alike to say whether this gate would pass again");
        assertThat(json(summary).path("redrawn").intValue()).isEqualTo(1);
        assertThat(json(summary).at("/whole_reruns").intValue()).isEqualTo(2);
        String markdown = Rendered.markdown(summary);
        assertThat(markdown).contains("| Unknown |", "Too alike", "Asked again as a whole");
    }

    @Test
    void shouldSayWhatAnEarlyEndLeftOutAndHowOftenItIsWrong() {
        GatePolicy gate = new GatePolicy(
                1, null, List.of("small"), GateDemands.NONE, new RateRule(RateRule.Metric.TRIAL_RATE, 0.5, 0.05), null);
        TallyRules rules =
                new TallyRules(gate, List.of(), false, null, new Stopping(StopRule.SURE, List.of()), null, Draws.ONCE);
        CampaignTally tally = new CampaignTally(new TrialGrid(10, 6), ids(10), BRANCHES, rules);
        for (int i = 0; i < 60; i++) {
            boolean asked = i < 30;
            tally.add(new OutcomeFact(
                    i % 10,
                    i / 10 + 1,
                    0,
                    asked ? OutcomeStatus.COMPLETED : OutcomeStatus.NOT_NEEDED,
                    asked ? (Boolean) (i != 7) : null,
                    Usage.NONE,
                    null,
                    10));
            tally.add(fact(i, 1, OutcomeStatus.COMPLETED, null));
        }

        CampaignSummary summary = tally.summarize();
        String said = ResultTable.of("id", summary);

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(said)
                .contains(
                        "small: 29 of 30 asked passed, 30 not needed\n",
                        "Stopped early: 30 calls saved\n",
                        "Verdict of small: PASS, wrong in at most ")
                .contains("0/1, 9 open")
                .doesNotContain("decide it")
                .contains("change");
        assertThat(summary.sentence())
                .isEqualTo("Passed: 29 of 30 known trials passed on branch small, which surely reaches a trial rate of"
                        + " 50 %.");
    }

    private static OutcomeFact unanswered(int i) {
        return new OutcomeFact(
                i % 10,
                i / 10 + 1,
                0,
                OutcomeStatus.MODEL_ERROR,
                false,
                Usage.NONE,
                null,
                10,
                false,
                null,
                ErrorCode.PROVIDER_UNAVAILABLE);
    }

    @Test
    void shouldTellJudgesAndGradersApart() {
        TallyRules rules = new TallyRules(GatePolicy.DEFAULT, List.of(), false, Duration.ofSeconds(300));
        CampaignTally tally = new CampaignTally(new TrialGrid(10, 3), ids(10), BRANCHES, rules);
        tally.addJudgeCall(Usage.of(10, 1), new BigDecimal("0.50"), new Compaction(null, 0, 0, 0, 0, 0, true));
        CampaignSummary judged = tally.summarize();
        tally.addGraderCall(Usage.of(20, 2), new BigDecimal("0.25"))
                .addGraderCall(Usage.of(20, 2), new BigDecimal("0.25"));
        CampaignSummary graded = tally.summarize();

        assertThat(ResultTable.of("id", judged))
                .contains("Judge: 1 call, 11 tokens, cost $0.50")
                .doesNotContain("Graders:");
        assertThat(ResultTable.of("id", graded))
                .contains("Judge: 1 call, 11 tokens, cost $0.50", "Graders: 2 calls, 44 tokens, cost $0.50");
        assertThat(json(judged).has("graders")).isFalse();
        assertThat(json(graded).at("/judge/calls").intValue()).isEqualTo(1);
        assertThat(json(graded).at("/graders/calls").intValue()).isEqualTo(2);
    }

    private static JsonNode json(CampaignSummary summary) {
        return Rendered.summary(summary, ExitRule.decide(summary, false), Rendered.OPEN);
    }

    private static OutcomeFact fact(int i, int branch, OutcomeStatus status, @Nullable BigDecimal cost) {
        return new OutcomeFact(
                i % 10, i / 10 + 1, branch, status, status == OutcomeStatus.COMPLETED, Usage.of(1, 1), cost, 10);
    }

    @Test
    void shouldShowADashForUnknownTokensAndHowManyAnswersASumLeavesOut() {
        CampaignTally tally = new CampaignTally(
                new TrialGrid(10, 1),
                IntStream.range(0, 10).mapToObj(i -> "c" + i).toList(),
                List.of("known", "some", "none"),
                GatePolicy.DEFAULT);
        for (int i = 0; i < 10; i++) {
            tally.add(used(i, 0, Usage.of(100, 50)));
            tally.add(used(i, 1, i < 3 ? Usage.UNKNOWN : Usage.of(100, 50)));
            tally.add(used(i, 2, i < 3 ? new Usage(7L, null, null, null, null, null) : Usage.UNKNOWN));
        }
        Compaction whole = new Compaction(null, 0, 0, 0, 0, 0, true);
        tally.addJudgeCall(Usage.UNKNOWN, null, whole)
                .addGraderCall(Usage.of(1, 0), null)
                .addGraderCall(Usage.UNKNOWN, null);
        CampaignSummary summary = tally.summarize();

        String table = ResultTable.of("id", summary);
        assertThat(table.lines().filter(line -> line.startsWith("known")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(" 1,500 ");
        assertThat(table.lines().filter(line -> line.startsWith("some")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(" 1,050 (3 unknown) ");
        assertThat(table.lines().filter(line -> line.startsWith("none")))
                .singleElement(InstanceOfAssertFactories.STRING)
                .matches("none .* –  +–  +10 ms .*");
        assertThat(table).contains("Judge: 1 call, – tokens, cost –", "Graders: 2 calls, 1 token (1 unknown), cost –");
        assertThat(json(summary).at("/judge/usage/total").isNull()).isTrue();
        assertThat(json(summary).at("/judge/unknown_usage").intValue()).isEqualTo(1);
        assertThat(json(summary).at("/unknown_usage").intValue()).isEqualTo(15);
        assertThat(json(summary).at("/branches/none/usage/input").intValue()).isEqualTo(21);
        assertThat(json(summary).at("/branches/none/usage/output").isNull()).isTrue();
        assertThat(json(summary).at("/branches/none/unknown_usage").intValue()).isEqualTo(10);
    }

    private static OutcomeFact used(int i, int branch, Usage usage) {
        return new OutcomeFact(i, 1, branch, OutcomeStatus.COMPLETED, true, usage, null, 10);
    }

    @Test
    void shouldShowADashInTheTableOfAnEvaluationWhereTokensAreNotKnown() {
        JsonNode evaluation = Json.tree("""
            {"outcomes": [{"branchId": "a", "status": "COMPLETED", "latencyMs": 10, "usage": {"total": 1500}},
                          {"branchId": "b", "status": "COMPLETED", "latencyMs": 10, "usage": {"input": 7, "total": null}}]}\
            """);

        assertThat(EvaluationTable.of(evaluation).lines().skip(1))
                .anyMatch(line -> line.contains("a") && line.contains("1,500"))
                .anyMatch(line -> line.matches(".*b +COMPLETED +– .*"));
    }

    @Test
    void shouldHaveNoCostThatIsASumWhenNothingIsPriced() {
        assertThat(Numbers.spent(new Spend(Usage.of(1, 1), null, 3))).isEqualTo("–");
        assertThat(Numbers.spent(new Spend(Usage.of(1, 1), BigDecimal.ONE, 3))).isEqualTo("$1.00 + 3 unpriced");
    }
}
