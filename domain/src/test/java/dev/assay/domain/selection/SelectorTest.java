package dev.assay.domain.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SelectorTest {

    private static final Strategy JUDGE = new Strategy.LlmJudge(JudgePolicy.plain(
            new Judge(new Agent.Scripted(new Agent.Script(List.of("1"), Duration.ZERO, List.of(), null)), null), null));

    @Test
    void shouldTakeTheOnlyBranchWithoutAWinWhenTransparent() {
        Selection selection = select(new Strategy.Transparent(), completed(0, 10));

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.strategy()).isEqualTo("transparent");
        assertThat(selection.fallback()).isFalse();
        assertThat(selection.decided()).isFalse();
    }

    @Test
    void shouldRefuseSeveralBranchesWhenTransparent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> select(new Strategy.Transparent(), completed(0, 1), completed(1, 1)));
    }

    @Test
    void shouldTakeTheFirstBranchWhenPickFirst() {
        Selection selection = select(new Strategy.PickFirst(), completed(1, 1), completed(0, 10));

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.decided())
                .as("nothing was compared, so no branch wins")
                .isFalse();
        assertThat(selection.fallback()).isFalse();
    }

    @Test
    void shouldFallBackToTheFirstThatCompletedWhenPickFirstFindsTheFirstFailed() {
        Selection selection = select(
                new Strategy.PickFirst(),
                outcome(0, OutcomeStatus.MODEL_ERROR, 0, ""),
                completed(1, 1),
                completed(2, 1));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).contains("branches[1]");
    }

    @Test
    void shouldTakeTheFirstOfEqualsWhenTokenEfficient() {
        Selection selection = select(new Strategy.TokenEfficient(), completed(0, 9), completed(1, 5), completed(2, 5));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).contains("5").contains("first of 2");
    }

    @Test
    void shouldLetNobodyWinByTokensWhenAUsageIsNotKnown() {
        Selection least = select(new Strategy.TokenEfficient(), completed(0, 0), completed(1, 9), completed(2, 5));
        Selection most = select(new Strategy.Elaborate(), completed(0, 0), completed(1, 9), completed(2, 5));
        Selection none = select(new Strategy.TokenEfficient(), completed(0, 0), completed(1, 0));

        assertThat(least.selectedIndex()).isEqualTo(2);
        assertThat(least.fallback()).isTrue();
        assertThat(least.decided()).isFalse();
        assertThat(least.reason())
                .isEqualTo("Least tokens: 5 among the known; 1 of 3 usages is not known, so no branch wins.");
        assertThat(most.selectedIndex()).isEqualTo(1);
        assertThat(most.fallback()).isTrue();
        assertThat(none.selectedIndex()).isZero();
        assertThat(none.decided()).isFalse();
        assertThat(none.reason())
                .isEqualTo("No usage is known, so none is the least. The first that completed was taken.");
    }

    @Test
    void shouldLetNobodyWinByTokensWhenHalfOfAUsageIsNotKnown() {
        Outcome half = used(0, new Usage(1L, null, null, null, null, null));
        Outcome total = used(1, new Usage(null, null, null, null, null, 7L));

        assertThat(select(new Strategy.TokenEfficient(), half, total, used(2, Usage.of(4, 4))))
                .returns(1, Selection::selectedIndex)
                .returns(true, Selection::fallback)
                .returns(
                        "Least tokens: 7 among the known; 1 of 3 usages is not known, so no branch wins.",
                        Selection::reason);
        assertThat(select(new Strategy.TokenEfficient(), total, used(2, Usage.of(4, 4))))
                .as("a total that was reported is enough")
                .returns(1, Selection::selectedIndex)
                .returns(true, Selection::won);
    }

    private static Outcome used(int branchIndex, Usage usage) {
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(), 0, "answer"),
                new Measured(usage, null, Duration.ZERO),
                List.of());
    }

    @Test
    void shouldAskTheCustomStrategyWhenOneBranchCompleted() {
        Strategy.Custom custom = new Strategy.Custom("mine");

        assertThat(Selector.choose(custom, List.of(outcome(0, OutcomeStatus.TIMED_OUT, 0, ""), completed(1, 1))))
                .isEqualTo(new Choice.AskCustom(custom, List.of(completed(1, 1))));
        assertThat(Selector.whenCancelled(custom, List.of(completed(1, 1))))
                .returns(1, Selection::selectedIndex)
                .returns(true, Selection::fallback);
    }

    @ParameterizedTest
    @EnumSource(
            value = OutcomeStatus.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"COMPLETED", "LIMIT", "NOT_NEEDED"})
    void shouldAskTheJudgeOfAnEvaluationWhenTwoBranchesCompletedWhateverBecameOfTheOthers(OutcomeStatus status) {
        assertThat(Selector.choose(JUDGE, List.of(outcome(0, status, 0, ""), completed(1, 1), completed(2, 1))))
                .isEqualTo(new Choice.AskJudge(List.of(completed(1, 1), completed(2, 1))));
    }

    @Test
    void shouldWaitOnlyForSkippedBranchesAndOnlyWithStrategiesThatArePaidFor() {
        Outcome skipped = outcome(0, OutcomeStatus.BUDGET_SKIPPED, 0, "");
        Outcome failed = outcome(0, OutcomeStatus.MODEL_ERROR, 0, "");
        Strategy.Custom asking = new Strategy.Custom("mine", Map.of(), 1);
        Strategy.Custom silent = new Strategy.Custom("mine");

        assertThat(Selector.chooseOrWait(JUDGE, List.of(failed, completed(1, 1), completed(2, 1))))
                .isInstanceOf(Choice.AskJudge.class);
        assertThat(Selector.chooseOrWait(asking, List.of(skipped, completed(1, 1))))
                .isInstanceOf(Choice.Made.class);
        assertThat(Selector.chooseOrWait(silent, List.of(skipped, completed(1, 1))))
                .isInstanceOf(Choice.AskCustom.class);
        assertThat(Selector.chooseOrWait(new Strategy.Elaborate(), List.of(skipped, completed(1, 1), completed(2, 2))))
                .extracting(choice -> ((Choice.Made) choice).selection().decided())
                .isEqualTo(true);
    }

    @Test
    void shouldSelectNothingWhenABranchHadStoppedEarly() {
        List<Outcome> outcomes = List.of(
                outcome(0, OutcomeStatus.NOT_NEEDED, 0, ""),
                outcome(1, OutcomeStatus.BUDGET_SKIPPED, 0, ""),
                completed(2, 1),
                completed(3, 1));

        for (Strategy strategy :
                List.of(JUDGE, new Strategy.PickFirst(), new Strategy.Elaborate(), new Strategy.Custom("mine"))) {
            Selection selection = ((Choice.Made) Selector.chooseOrWait(strategy, outcomes)).selection();
            assertThat(selection.selectedIndex()).isNull();
            assertThat(selection.decided()).isFalse();
            assertThat(selection.fallback()).isFalse();
        }
    }

    @Test
    void shouldAskNoJudgeOfACampaignWhenTheBudgetDidNotCoverEveryBranch() {
        Selection selection = ((Choice.Made) Selector.chooseOrWait(
                        JUDGE,
                        List.of(outcome(0, OutcomeStatus.BUDGET_SKIPPED, 0, ""), completed(1, 1), completed(2, 1))))
                .selection();

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).contains("no judge was asked");
    }

    @Test
    void shouldLetTheJudgeChooseAmongTheOthersWhenABranchWasCancelled() {
        Outcome cancelled = outcome(0, OutcomeStatus.CANCELLED, 0, "");

        assertThat(Selector.choose(JUDGE, List.of(cancelled, completed(1, 1), completed(2, 1))))
                .isEqualTo(new Choice.AskJudge(List.of(completed(1, 1), completed(2, 1))));
    }

    @Test
    void shouldTakeTheFirstThatCompletedWhenATrialWasCancelledBeforeItsJudge() {
        Selection selection = Selector.whenCancelled(JUDGE, List.of(completed(1, 1), completed(2, 1)));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(Selector.whenCancelled(new Strategy.Elaborate(), List.of(completed(1, 1), completed(2, 2)))
                        .selectedIndex())
                .isEqualTo(2);
    }

    @Test
    void shouldNeverLetAFailedBranchWinWhenItUsedNoTokens() {
        Selection selection = select(
                new Strategy.TokenEfficient(),
                outcome(0, OutcomeStatus.MODEL_ERROR, 0, ""),
                outcome(1, OutcomeStatus.LIMIT, 1, "\u00A0"),
                completed(2, 5));

        assertThat(selection.selectedIndex()).isEqualTo(2);
        assertThat(selection.decided())
                .as("there was one branch to choose from")
                .isFalse();
        assertThat(selection.fallback()).isFalse();
    }

    @Test
    void shouldTakeTheLastOfEqualsWhenElaborate() {
        Selection selection = select(new Strategy.Elaborate(), completed(0, 9), completed(1, 9), completed(2, 5));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.reason()).contains("last of 2");
    }

    @Test
    void shouldChooseAmongLimitOutcomesWhenTheyHaveAText() {
        Selection selection = select(
                new Strategy.Elaborate(), completed(0, 9), outcome(1, OutcomeStatus.LIMIT, 12, "as far as I got"));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = OutcomeStatus.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"COMPLETED", "LIMIT"})
    void shouldSelectNothingWhenNoBranchCompleted(OutcomeStatus status) {
        for (Strategy strategy :
                List.of(new Strategy.PickFirst(), new Strategy.TokenEfficient(), new Strategy.Elaborate(), JUDGE)) {
            Selection selection = select(strategy, outcome(0, status, 3, "text"), outcome(1, status, 3, "text"));

            assertThat(selection.selectedIndex()).isNull();
            assertThat(selection.decided()).isFalse();
            assertThat(selection.strategy()).isEqualTo(strategy.type());
            assertThat(selection.reason()).contains("branches[0]", "branches[1]", status.name(), "It broke.");
        }
    }

    @Test
    void shouldShowSelectableOutcomesInBranchOrderWhenAJudgeIsNeeded() {
        Choice choice = Selector.choose(
                JUDGE,
                List.of(
                        outcome(3, OutcomeStatus.COMPLETED, 1, ""),
                        outcome(2, OutcomeStatus.LIMIT, 1, "c"),
                        outcome(1, OutcomeStatus.TIMED_OUT, 1, "b"),
                        outcome(0, OutcomeStatus.LIMIT, 1, " ")));

        assertThat(choice).isInstanceOfSatisfying(Choice.AskJudge.class, ask -> {
            assertThat(ask.shown()).extracting(Outcome::branchIndex).containsExactly(2, 3);
            assertThat(ask.shown()).extracting(Outcome::response).containsExactly("c", "");
        });
    }

    @Test
    void shouldAskNoJudgeWhenOneBranchCompleted() {
        Selection selection = select(JUDGE, outcome(0, OutcomeStatus.TIMED_OUT, 0, ""), completed(1, 1));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isFalse();
        assertThat(selection.fallback()).isFalse();
    }

    @Test
    void shouldTakeTheFirstOfEqualsWhenLowestCost() {
        Selection selection = select(
                new Strategy.LowestCost(), measured(0, "0.02", 1), measured(1, "0.010", 1), measured(2, "0.01", 1));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).isEqualTo("Least cost: 0.010 USD, the first of 2 equals.");
    }

    @Test
    void shouldLetNobodyWinWhenACostIsNotKnown() {
        Selection selection =
                select(new Strategy.LowestCost(), measured(0, null, 1), measured(1, "0.02", 1), measured(2, "0.01", 1));

        assertThat(selection.selectedIndex()).isEqualTo(2);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).contains("1 of 3 costs is not known");
        assertThat(select(new Strategy.LowestCost(), measured(0, null, 1), measured(1, null, 1))
                        .selectedIndex())
                .isZero();
    }

    @Test
    void shouldTakeTheFastestWhenLowestLatency() {
        Selection selection = select(
                new Strategy.LowestLatency(), measured(0, null, 30), measured(1, null, 20), measured(2, null, 20));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).isEqualTo("Least time: 20 ms, the first of 2 equals.");
    }

    /** What a batch of the provider brought has no time, and so is not the fastest. */
    @Test
    void shouldLetNobodyWinWhenATimeIsNotKnown() {
        Selection selection = select(
                new Strategy.LowestLatency(), measured(0, null, -1), measured(1, null, 30), measured(2, null, 20));

        assertThat(selection.selectedIndex()).isEqualTo(2);
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).contains("Least time: 20 ms", "1 of 3 times is not known");
        assertThat(select(new Strategy.LowestLatency(), measured(0, null, -1), measured(1, null, -1))
                        .reason())
                .contains("No time is known");
    }

    /** Three checks of weights 0.1, 0.2 and 0.3: P passed, F failed, U unscored. */
    @ParameterizedTest
    @CsvSource({
        // The first two are worth as much as the third, to the last digit.
        "UNDECIDED, PPF FFP, 0, false, a tie",
        "FIRST, PPF FFP, 0, true, a tie",
        "TOKEN_EFFICIENT, PPF FFP, 1, true, a tie",
        "TOKEN_EFFICIENT, PPF FFP 0, 0, false, not every usage",
        "UNDECIDED, PFF FFP, 1, true, Highest score: 0.5.",
        "UNDECIDED, FFF FFF, 0, false, a tie",
        "UNDECIDED, UFF FFP, 1, true, Highest score: 0.5.",
        "UNDECIDED, PPU FFP, 0, false, unscored",
        "FIRST, PPU FFP, 0, false, unscored",
        "UNDECIDED, PPP FFU, 0, true, Highest score: 1.",
    })
    void shouldWeighChecksWhenHighestScore(TiePolicy ties, String checks, int winner, boolean wins, String reason) {
        String[] marks = checks.split(" ");

        Selection selection = select(
                new Strategy.HighestScore(ties),
                checked(0, marks[0], 20),
                checked(1, marks[1], marks.length > 2 ? 0 : 10));

        assertThat(selection.selectedIndex()).isEqualTo(winner);
        assertThat(selection.decided()).isEqualTo(wins);
        assertThat(selection.tied()).isEqualTo(wins && reason.equals("a tie"));
        assertThat(selection.won()).isEqualTo(wins && !selection.tied());
        assertThat(selection.fallback()).isEqualTo(!wins);
        assertThat(selection.reason()).containsIgnoringCase(reason);
    }

    @Test
    void shouldLetNobodyWinWhenNoCheckHasAWeight() {
        Selection selection = select(new Strategy.HighestScore(TiePolicy.FIRST), completed(0, 1), completed(1, 1));

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason()).contains("No check");
    }

    @Test
    void shouldRefuseWhenABranchHasTwoOutcomes() {
        assertThatIllegalArgumentException().isThrownBy(() -> select(JUDGE, completed(1, 1), completed(1, 2)));
    }

    private static Selection select(Strategy strategy, Outcome... outcomes) {
        Choice choice = Selector.choose(strategy, List.of(outcomes));
        assertThat(choice).isInstanceOf(Choice.Made.class);
        return ((Choice.Made) choice).selection();
    }

    private static Outcome completed(int branchIndex, int tokens) {
        return outcome(branchIndex, OutcomeStatus.COMPLETED, tokens, "answer " + branchIndex);
    }

    private static Outcome outcome(int branchIndex, OutcomeStatus status, int tokens, String response) {
        @Nullable
        Failure failure = status == OutcomeStatus.COMPLETED ? null : new Failure(ErrorCode.INTERNAL, "It broke.");
        // total differs from input + output: strategies go by what the provider counted.
        Usage usage = new Usage(100 - tokens, 0, 0, 0, 0, tokens);
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(status, failure, 1),
                new Outcome.Answer(List.of(), 0, response),
                new Measured(usage, null, Duration.ZERO),
                List.of());
    }

    private static Outcome measured(int branchIndex, @Nullable String costUsd, int millis) {
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(), 0, "answer"),
                new Measured(
                        Usage.of(1, 1), costUsd == null ? null : new BigDecimal(costUsd), Duration.ofMillis(millis)),
                List.of());
    }

    private static Outcome checked(int branchIndex, String marks, int tokens) {
        List<CheckResult> checks = new ArrayList<>();
        for (int i = 0; i < marks.length(); i++) {
            CheckResult.Status status = switch (marks.charAt(i)) {
                case 'P' -> CheckResult.Status.PASSED;
                case 'F' -> CheckResult.Status.FAILED;
                default -> CheckResult.Status.UNSCORED;
            };
            Double score = status == CheckResult.Status.UNSCORED
                    ? null
                    : Double.valueOf(status == CheckResult.Status.PASSED ? 1 : 0);
            checks.add(new CheckResult(
                    "contains",
                    new Finding(status, score, "why"),
                    new CheckRole(false, BigDecimal.valueOf(i + 1, 1), null, false, null)));
        }
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(), 0, "answer"),
                new Measured(Usage.of(0, tokens), null, Duration.ZERO),
                checks);
    }
}
