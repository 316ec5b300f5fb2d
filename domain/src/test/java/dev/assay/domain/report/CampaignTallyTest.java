package dev.assay.domain.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CampaignTallyTest {

    private static final List<String> TWO_BRANCHES = List.of("small", "large");

    @Test
    void shouldAddUpEachBranchWhenFactsComeInAnyOrder() {
        CampaignTally tally = tally(2, 2, TWO_BRANCHES, new GatePolicy(0.5, 1.0, List.of()));
        tally.add(fact(1, 2, 1, OutcomeStatus.MODEL_ERROR, false))
                .add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(fact(1, 1, 0, OutcomeStatus.COMPLETED, false))
                .add(fact(0, 2, 0, OutcomeStatus.LIMIT, true))
                .add(fact(1, 2, 0, OutcomeStatus.COMPLETED, true))
                .add(fact(0, 1, 1, OutcomeStatus.COMPLETED, true))
                .add(fact(0, 2, 1, OutcomeStatus.TIMED_OUT, false))
                .add(fact(1, 1, 1, OutcomeStatus.COMPLETED, false));

        CampaignSummary summary = tally.summarize();

        BranchSummary small = summary.branches().get(0);
        assertThat(small.trials()).isEqualTo(new BranchSummary.TrialCounts(3, 1, 0, 0));
        assertThat(small.trialPassRate()).isEqualTo(Proportion.of(3, 4));
        assertThat(small.suitePassRate()).isEqualTo(Proportion.of(2, 2));
        assertThat(small.verdict()).isEqualTo(Verdict.PASS);
        assertThat(small.cases()).extracting(CaseSummary::passCount).containsExactly(2, 1);
        assertThat(small.cases()).extracting(CaseSummary::caseId).containsExactly("case-0", "case-1");
        BranchSummary large = summary.branches().get(1);
        assertThat(large.trials()).isEqualTo(new BranchSummary.TrialCounts(1, 1, 2, 0));
        assertThat(large.cases()).extracting(CaseSummary::status).containsExactly(CaseStatus.PASSED, CaseStatus.FAILED);
        assertThat(large.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.suitePassRate()).isEqualTo(Proportion.of(1, 2));
    }

    @Test
    void shouldCountWinsOfDecidedTrialsOnlyWhenSelectionsDiffer() {
        CampaignTally tally = tally(5, 1, TWO_BRANCHES, GatePolicy.DEFAULT);
        tally.add(new SelectionFact(0, 1, 1, false, true))
                .add(new SelectionFact(1, 1, 1, false, true))
                .add(new SelectionFact(2, 1, 0, true, false))
                .add(new SelectionFact(3, 1, null, false, false));

        CampaignSummary summary = tally.summarize();

        assertThat(summary.selections()).isEqualTo(new CampaignSummary.SelectionCounts(5, 2, 1, 1, 1));
        assertThat(summary.branches())
                .extracting(BranchSummary::wins)
                .containsExactly(Proportion.of(0, 2), Proportion.of(2, 2));
    }

    @Test
    void shouldAddTokensAndKnownCostsWhenSomePricesAreUnknown() {
        CampaignTally tally = tally(3, 1, List.of("only"), GatePolicy.DEFAULT);
        tally.add(spent(0, Usage.of(1, 2), "0.10"))
                .add(spent(1, Usage.of(10, 20), null))
                .add(spent(2, Usage.NONE, null))
                .addJudgeCall(Usage.of(100, 200), new BigDecimal("0.05"));

        CampaignSummary summary = tally.summarize();

        assertThat(summary.branches().getFirst().spend())
                .isEqualTo(new Spend(Usage.of(11, 22), new BigDecimal("0.10"), 1));
        assertThat(summary.judge())
                .isEqualTo(new CampaignSummary.JudgeCalls(1, new Spend(Usage.of(100, 200), new BigDecimal("0.05"), 0)));
        assertThat(summary.total()).isEqualTo(new Spend(Usage.of(111, 222), new BigDecimal("0.15"), 1));
    }

    @Test
    void shouldHaveNoCostWhenNoPriceIsKnown() {
        CampaignTally tally = tally(1, 1, List.of("only"), GatePolicy.DEFAULT).add(spent(0, Usage.of(1, 1), null));

        assertThat(tally.summarize().total()).isEqualTo(new Spend(Usage.of(1, 1), null, 1));
    }

    @Test
    void shouldMeasureOnlyAnswersWhenTakingPercentiles() {
        CampaignTally tally = tally(200, 1, List.of("only"), GatePolicy.DEFAULT);
        for (int i = 0; i < 100; i++) {
            tally.add(new OutcomeFact(i, 1, 0, OutcomeStatus.COMPLETED, true, Usage.NONE, null, 100 - i));
        }
        tally.add(new OutcomeFact(150, 1, 0, OutcomeStatus.TIMED_OUT, false, Usage.NONE, null, 300_000));

        assertThat(tally.summarize().branches().getFirst().latency()).isEqualTo(new Latency(100, 50L, 95L));
    }

    @Test
    void shouldUseTheNearestRankWhenFewWereMeasured() {
        assertThat(Latency.of(new long[] {})).isEqualTo(new Latency(0, null, null));
        assertThat(Latency.of(new long[] {7})).isEqualTo(new Latency(1, 7L, 7L));
        assertThat(Latency.of(new long[] {9, 7})).isEqualTo(new Latency(2, 7L, 9L));
    }

    @ParameterizedTest
    @CsvSource({
        // passed, failed, skipped and missing cases of 10; suite threshold; verdict
        "9, 1, 0, 0, 0.9, PASS",
        "8, 2, 0, 0, 0.9, FAIL",
        "8, 1, 1, 0, 0.9, INCONCLUSIVE",
        "8, 1, 0, 1, 0.9, INCONCLUSIVE",
        "8, 2, 0, 0, 0.8, PASS",
        "7, 2, 1, 0, 0.9, FAIL",
        "0, 0, 0, 10, 0.9, INCONCLUSIVE",
        "0, 10, 0, 0, 0, PASS",
    })
    void shouldBeInconclusiveWhenTrialsWithoutEvidenceCouldTurnTheVerdict(
            int passed, int failed, int skipped, int missing, double suiteThreshold, Verdict verdict) {
        CampaignTally tally = tally(10, 1, List.of("only"), new GatePolicy(1.0, suiteThreshold, List.of()));
        IntStream.range(0, passed).forEach(i -> tally.add(fact(i, 1, 0, OutcomeStatus.COMPLETED, true)));
        IntStream.range(passed, passed + failed).forEach(i -> tally.add(fact(i, 1, 0, OutcomeStatus.COMPLETED, false)));
        IntStream.range(passed + failed, passed + failed + skipped)
                .forEach(i -> tally.add(fact(i, 1, 0, OutcomeStatus.BUDGET_SKIPPED, null)));

        BranchSummary branch = tally.summarize().branches().getFirst();

        assertThat(tally.summarize().verdict()).isEqualTo(verdict);
        assertThat(branch.trials().noEvidence()).isEqualTo(skipped + missing);
        assertThat(branch.suitePassRate().unknown()).isEqualTo(skipped + missing);
    }

    @ParameterizedTest
    @CsvSource({
        "'', FAIL",
        "small, PASS",
        "large, FAIL",
        "open, INCONCLUSIVE",
        "small open, INCONCLUSIVE",
        "large open, FAIL",
    })
    void shouldLookOnlyAtTheNamedBranchesWhenTheGateNamesSome(String named, Verdict verdict) {
        List<String> gated = named.isEmpty() ? List.of() : List.of(named.split(" "));
        CampaignTally tally = tally(1, 1, List.of("small", "large", "open"), new GatePolicy(1, null, gated));
        tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true)).add(fact(0, 1, 1, OutcomeStatus.COMPLETED, false));

        CampaignSummary summary = tally.summarize();

        assertThat(summary.verdict()).isEqualTo(verdict);
        assertThat(summary.gatedBranches()).hasSize(gated.isEmpty() ? 3 : gated.size());
    }

    @Test
    void shouldGiveTheSameVerdictWhenMissingEvidenceIsTriedBothWays() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            int cases = 1 + random.nextInt(5);
            int trials = 1 + random.nextInt(4);
            GatePolicy gate = new GatePolicy(random.nextInt(5) / 4.0, random.nextInt(5) / 4.0, List.of());
            CampaignTally as = tally(cases, trials, TWO_BRANCHES, gate);
            CampaignTally allPassed = tally(cases, trials, TWO_BRANCHES, gate);
            CampaignTally allFailed = tally(cases, trials, TWO_BRANCHES, gate);
            for (int cell = 0; cell < cases * trials * 2; cell++) {
                int branch = cell % 2;
                int caseIndex = cell / 2 % cases;
                int trial = cell / 2 / cases + 1;
                Boolean passed = random.nextInt(4) == 0 ? null : Boolean.valueOf(random.nextInt(3) > 0);
                as.add(fact(caseIndex, trial, branch, OutcomeStatus.COMPLETED, passed));
                allPassed.add(fact(caseIndex, trial, branch, OutcomeStatus.COMPLETED, passed == null || passed));
                allFailed.add(fact(caseIndex, trial, branch, OutcomeStatus.COMPLETED, passed != null && passed));
            }
            Verdict best = allPassed.summarize().verdict();
            Verdict worst = allFailed.summarize().verdict();

            assertThat(as.summarize().verdict()).isEqualTo(best == worst ? best : Verdict.INCONCLUSIVE);
        }
    }

    @Test
    void shouldRefuseWhenAFactIsOutsideTheCampaignOrComesTwice() {
        CampaignTally tally = tally(1, 1, List.of("only"), GatePolicy.DEFAULT)
                .add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(new SelectionFact(0, 1, 0, false, false));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true)))
                .withMessageContaining("two outcomes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tally.add(new SelectionFact(0, 1, 0, false, false)))
                .withMessageContaining("two selections");
        assertThatIllegalArgumentException().isThrownBy(() -> tally.add(fact(0, 2, 0, OutcomeStatus.COMPLETED, true)));
        assertThatIllegalArgumentException().isThrownBy(() -> tally.add(fact(0, 1, 1, OutcomeStatus.COMPLETED, true)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tally(1, 1, List.of("a"), new GatePolicy(1, null, List.of("b"))))
                .withMessageContaining("[b]");
    }

    @Test
    void shouldReadBackEqualWhenStoredAsJson() {
        CampaignTally tally = tally(2, 1, TWO_BRANCHES, GatePolicy.DEFAULT)
                .add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(spent(1, Usage.of(1, 2), "0.123456789"));

        CampaignSummary summary = tally.summarize();
        String json = Json.write(summary);

        assertThat(Json.read(json, CampaignSummary.class)).isEqualTo(summary);
        assertThat(json)
                .contains("{\"caseId\":\"case-0\",\"passCount\":1,\"totalTrials\":1,\"passRate\":1.0,"
                        + "\"status\":\"passed\",\"noEvidence\":0,\"low\":0.206")
                .contains("\"costUsd\":0.123456789");
    }

    @Test
    void shouldHoldACampaignOfManyOutcomesWhenFactsAreStreamed() {
        int cases = 50_000;
        CampaignTally tally = tally(cases, 2, TWO_BRANCHES, GatePolicy.DEFAULT);
        for (int trial = 1; trial <= 2; trial++) {
            for (int i = 0; i < cases; i++) {
                tally.add(fact(i, trial, 0, OutcomeStatus.COMPLETED, true))
                        .add(fact(i, trial, 1, OutcomeStatus.COMPLETED, i % 2 == 0));
            }
        }

        assertThat(tally.summarize().branches())
                .extracting(branch -> branch.suitePassRate().successes())
                .containsExactly(50_000, 25_000);
    }

    private static CampaignTally tally(int cases, int trials, List<String> branchIds, GatePolicy gate) {
        List<String> caseIds =
                IntStream.range(0, cases).mapToObj(i -> "case-" + i).toList();
        return new CampaignTally(new TrialGrid(cases, trials), caseIds, branchIds, gate);
    }

    private static OutcomeFact fact(
            int caseIndex, int trial, int branchIndex, OutcomeStatus status, @Nullable Boolean passed) {
        return new OutcomeFact(caseIndex, trial, branchIndex, status, passed, Usage.of(1, 1), null, 10);
    }

    private static OutcomeFact spent(int caseIndex, Usage usage, @Nullable String costUsd) {
        return new OutcomeFact(
                caseIndex,
                1,
                0,
                OutcomeStatus.COMPLETED,
                true,
                usage,
                costUsd == null ? null : new BigDecimal(costUsd),
                10);
    }
}
