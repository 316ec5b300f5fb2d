package dev.assay.domain.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitRuleTest {

    @ParameterizedTest
    @CsvSource({
        // suite threshold, --no-fail, passed, failed and open cases of 10, code
        "1, false, 10, 0, 0, 0",
        "1, false, 9, 1, 0, 100",
        "1, false, 9, 0, 1, 101",
        "1, false, 8, 1, 1, 100",
        "0.9, false, 9, 1, 0, 0",
        "0.9, false, 8, 2, 0, 100",
        "0.9, false, 8, 1, 1, 101",
        "0.9, false, 9, 0, 1, 0",
        "0.9, true, 0, 10, 0, 0",
        "1, true, 9, 1, 0, 0",
        "0.9, true, 8, 1, 1, 0",
    })
    void shouldExitAsTheVerdictSaysWhenTheCampaignIsComplete(
            double threshold, boolean noFail, int passed, int failed, int open, int code) {
        ExitRule rule = ExitRule.decide(summary(List.of("small"), List.of(), threshold, passed, failed), noFail);

        assertThat(rule.code()).isEqualTo(code);
        assertThat(passed + failed + open).isEqualTo(10);
        assertThat(rule.sentence()).endsWith(".").doesNotContain("null");
    }

    @Test
    void shouldSayWhichRuleDecidedWhenItFails() {
        assertThat(decide(1, 8, 2).sentence())
                .isEqualTo("Failed: 2 of 10 cases on branch small failed; every case must pass.");
        assertThat(decide(0.9, 8, 2).sentence())
                .isEqualTo("Failed: 8 of 10 cases passed on branch small, below the suite threshold of 90 %.");
        assertThat(ExitRule.decide(summary(List.of("small"), List.of(), 0.9, 8, 2), true)
                        .sentence())
                .endsWith("Exit code 0 because of --no-fail.");
    }

    @Test
    void shouldSayWhatIsOpenWhenInconclusive() {
        assertThat(decide(0.9, 8, 1).sentence())
                .isEqualTo("Inconclusive: 8 of 10 cases passed on branch small; 1 case without enough evidence could"
                        + " reach or miss the suite threshold of 90 %.");
    }

    @Test
    void shouldNameTheBudgetWhenTrialsThatItDidNotCoverKeepItUndecided() {
        assertThat(ExitRule.decide(skipped(8, 0), false))
                .isEqualTo(new ExitRule(
                        ExitRule.INCONCLUSIVE,
                        Verdict.INCONCLUSIVE,
                        "Inconclusive: 2 of 10 trials on branch small have no result: the budget of $0.05 is spent."));
        assertThat(ExitRule.decide(skipped(7, 1), false).sentence())
                .as("what is decided anyway has another reason")
                .startsWith("Failed: 1 of 10 cases");
    }

    /** Ten cases, those that neither passed nor failed skipped for the budget; every case must pass. */
    private static CampaignSummary skipped(int passed, int failed) {
        List<String> caseIds = IntStream.range(0, 10).mapToObj(i -> "case-" + i).toList();
        TallyRules rules = new TallyRules(
                GatePolicy.DEFAULT, List.of(), false, null, Stopping.NEVER, null, Draws.ONCE, new BigDecimal("0.0500"));
        CampaignTally tally = new CampaignTally(new TrialGrid(10, 1), caseIds, List.of("small"), rules);
        for (int i = 0; i < 10; i++) {
            boolean asked = i < passed + failed;
            OutcomeStatus status = asked ? OutcomeStatus.COMPLETED : OutcomeStatus.BUDGET_SKIPPED;
            Boolean isPassed = asked ? (Boolean) (i < passed) : null;
            tally.add(new OutcomeFact(i, 1, 0, status, isPassed, Usage.NONE, null, 1));
        }
        return tally.summarize();
    }

    @Test
    void shouldIgnoreOtherBranchesWhenTheGateNamesOne() {
        CampaignSummary summary = summary(List.of("small", "large"), List.of("small"), 1, 10, 0);

        assertThat(summary.branches().get(1).casesWith(CaseStatus.INCONCLUSIVE)).isEqualTo(10);
        assertThat(ExitRule.decide(summary, false).code()).isZero();
    }

    @Test
    void shouldNameTheWorstBranchWhenSeveralAreGated() {
        CampaignSummary summary = summary(List.of("small", "large"), List.of(), 0.9, 8, 2);

        assertThat(ExitRule.decide(summary, false).sentence()).contains("branch small");
        assertThat(ExitRule.decide(summary, false).code()).isEqualTo(100);
    }

    @TestFactory
    Stream<DynamicTest> suites() {
        return Vectors.tests(
                "trials.json",
                Map.of("suiteExit", ExitRuleTest::assertExit, "costWarning", ExitRuleTest::assertWarning),
                "caseGate",
                "suiteExit",
                "costWarning",
                "reducers");
    }

    private static void assertExit(JsonNode input, JsonNode expected) {
        double pass = input.get("passThreshold").doubleValue();
        double everyCase = input.get("ci").booleanValue() ? pass : 1;
        double suite = input.get("suiteThreshold").isNumber()
                ? input.get("suiteThreshold").doubleValue()
                : everyCase;
        List<String> statuses = new ArrayList<>();
        input.get("caseStatuses").forEach(word -> statuses.add(word.textValue().toUpperCase(Locale.ROOT)));
        // Which cases passed is given, so their own threshold decides nothing.
        CampaignSummary summary = summary(statuses, new GatePolicy(1.0, suite, List.of()));

        assertThat(summary.suitePassRate().value())
                .isEqualTo(expected.get("suite_pass_rate").doubleValue());
        assertThat(summary.verdict() == Verdict.PASS)
                .isEqualTo(expected.get("suite_pass").booleanValue());
        assertThat(ExitRule.decide(summary, input.get("noFail").booleanValue()).code())
                .isEqualTo(expected.get("exitCode").intValue());
    }

    /** A trial for each case; one whose case is inconclusive has no outcome. */
    private static CampaignSummary summary(List<String> statuses, GatePolicy gate) {
        List<String> caseIds =
                IntStream.range(0, statuses.size()).mapToObj(i -> "case-" + i).toList();
        CampaignTally tally = new CampaignTally(new TrialGrid(statuses.size(), 1), caseIds, List.of("small"), gate);
        for (int i = 0; i < statuses.size(); i++) {
            CaseStatus status = CaseStatus.valueOf(statuses.get(i));
            if (status != CaseStatus.INCONCLUSIVE) {
                boolean passed = status == CaseStatus.PASSED;
                tally.add(new OutcomeFact(i, 1, 0, OutcomeStatus.COMPLETED, passed, Usage.NONE, null, 1));
            }
        }
        return tally.summarize();
    }

    private static void assertWarning(JsonNode input, JsonNode expected) {
        long cells = input.get("cases").longValue()
                * input.get("trials").longValue()
                * input.get("branches").longValue();
        CostWarning warning = new CostWarning(cells, input.get("judgeCalls").longValue());
        assertThat(warning.isDueFrom(CostWarning.DEFAULT_FROM))
                .isEqualTo(expected.get("warns").booleanValue());
    }

    private static ExitRule decide(double threshold, int passed, int failed) {
        return ExitRule.decide(summary(List.of("small"), List.of(), threshold, passed, failed), false);
    }

    /** Ten cases; the first branch has outcomes as given, every other branch has none. */
    private static CampaignSummary summary(
            List<String> branchIds, List<String> gated, double threshold, int passed, int failed) {
        List<String> caseIds = IntStream.range(0, 10).mapToObj(i -> "case-" + i).toList();
        CampaignTally tally =
                new CampaignTally(new TrialGrid(10, 1), caseIds, branchIds, new GatePolicy(1.0, threshold, gated));
        for (int i = 0; i < passed + failed; i++) {
            tally.add(new OutcomeFact(i, 1, 0, OutcomeStatus.COMPLETED, i < passed, Usage.NONE, null, 1));
        }
        return tally.summarize();
    }
}
