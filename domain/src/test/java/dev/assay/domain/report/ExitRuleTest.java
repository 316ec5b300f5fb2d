package dev.assay.domain.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitRuleTest {

    @ParameterizedTest
    @CsvSource({
        // --ci, suite threshold given, --no-fail, passed, failed and open cases of 10, code
        "false, false, false, 10, 0, 0, 0",
        "false, false, false, 9, 1, 0, 100",
        "false, false, false, 9, 0, 1, 101",
        "false, false, false, 8, 1, 1, 100",
        "true, false, false, 9, 1, 0, 0",
        "false, true, false, 9, 1, 0, 0",
        "true, true, false, 8, 2, 0, 100",
        "false, true, false, 8, 1, 1, 101",
        "true, false, false, 9, 0, 1, 0",
        "true, false, true, 0, 10, 0, 0",
        "false, false, true, 9, 1, 0, 0",
        "false, true, true, 8, 1, 1, 0",
    })
    void shouldExitByTheRuleThatAppliesWhenTheCampaignIsComplete(
            boolean ci, boolean thresholdGiven, boolean noFail, int passed, int failed, int open, int code) {
        ExitRule rule = ExitRule.decide(
                new ExitRule.Options(ci, thresholdGiven, noFail), summary(List.of("small"), List.of(), passed, failed));

        assertThat(rule.code()).isEqualTo(code);
        assertThat(passed + failed + open).isEqualTo(10);
        assertThat(rule.sentence()).endsWith(".").doesNotContain("null");
    }

    @Test
    void shouldSayWhichRuleDecidedWhenItFails() {
        CampaignSummary summary = summary(List.of("small"), List.of(), 8, 2);

        assertThat(decide(false, false, summary).sentence())
                .isEqualTo("Failed: 2 of 10 cases on branch small failed; without --ci or a suite threshold every case"
                        + " must pass.");
        assertThat(decide(true, false, summary).sentence())
                .isEqualTo("Failed: 8 of 10 cases passed on branch small, below the suite threshold of 90 %.");
        assertThat(decide(true, true, summary).sentence()).endsWith("Exit code 0 because of --no-fail.");
    }

    @Test
    void shouldSayWhatIsOpenWhenInconclusive() {
        assertThat(decide(true, false, summary(List.of("small"), List.of(), 8, 1))
                        .sentence())
                .isEqualTo("Inconclusive: 8 of 10 cases passed on branch small; 1 case without enough evidence could"
                        + " reach or miss the suite threshold of 90 %.");
    }

    @Test
    void shouldIgnoreOtherBranchesWhenTheGateNamesOne() {
        CampaignSummary summary = summary(List.of("small", "large"), List.of("small"), 10, 0);

        assertThat(summary.branches().get(1).casesWith(CaseStatus.INCONCLUSIVE)).isEqualTo(10);
        assertThat(decide(false, false, summary).code()).isZero();
        assertThat(decide(true, false, summary).code()).isZero();
    }

    @Test
    void shouldNameTheWorstBranchWhenSeveralAreGated() {
        CampaignSummary summary = summary(List.of("small", "large"), List.of(), 8, 2);

        assertThat(decide(true, false, summary).sentence()).contains("branch small");
        assertThat(decide(true, false, summary).code()).isEqualTo(100);
    }

    private static ExitRule decide(boolean ci, boolean noFail, CampaignSummary summary) {
        return ExitRule.decide(new ExitRule.Options(ci, false, noFail), summary);
    }

    /** Ten cases; the first branch has outcomes as given, every other branch has none. */
    private static CampaignSummary summary(List<String> branchIds, List<String> gated, int passed, int failed) {
        List<String> caseIds = IntStream.range(0, 10).mapToObj(i -> "case-" + i).toList();
        CampaignTally tally =
                new CampaignTally(new TrialGrid(10, 1), caseIds, branchIds, new GatePolicy(1.0, 0.9, gated));
        for (int i = 0; i < passed + failed; i++) {
            tally.add(new OutcomeFact(i, 1, 0, OutcomeStatus.COMPLETED, i < passed, Usage.NONE, null, 1));
        }
        return tally.summarize();
    }
}
