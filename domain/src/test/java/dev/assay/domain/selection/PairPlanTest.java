package dev.assay.domain.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgeFormat;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.judge.ResponseComparison;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairPlanTest {

    private static final Judge JUDGE =
            new Judge(new Agent.Scripted(new Agent.Script(List.of("1"), Duration.ZERO, List.of(), null)), null);

    private static Strategy.Pairwise pairwise(int judges, boolean swap, TiePolicy ties, @Nullable Integer rounds) {
        JudgePolicy policy =
                new JudgePolicy(Collections.nCopies(judges, JUDGE), null, JudgeFormat.PLAIN, swap, 1, false, ties);
        return new Strategy.Pairwise(policy, rounds);
    }

    private static final Strategy.Pairwise ALL = pairwise(1, true, TiePolicy.UNDECIDED, null);

    @Test
    void shouldCompareEveryPairInBothOrdersWhenThereAreNoRounds() {
        List<JudgeQuestion> questions = questions(ALL, 3, List.of());

        assertThat(questions)
                .extracting(JudgeQuestion::shown)
                .containsExactly(
                        List.of(0, 1), List.of(1, 0), List.of(0, 2), List.of(2, 0), List.of(1, 2), List.of(2, 1));
        assertThat(questions).extracting(JudgeQuestion::slot).doesNotHaveDuplicates();
        assertThat(JudgePlan.calls(ALL, 3)).isEqualTo(6);
    }

    @Test
    void shouldTakeTheBranchWithTheMostPointsWhenAllPairsAreCompared() {
        Selection selection = play(ALL, 4, shown -> strongest(shown, 2, 0, 3, 1));

        assertThat(selection.selectedIndex()).isEqualTo(2);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.strategy()).isEqualTo("pairwise");
        assertThat(selection.reason()).isEqualTo("branches[2] has the most points: 3 points from 6 comparisons.");
        assertThat(selection.votes()).hasSize(6);
    }

    @ParameterizedTest
    @CsvSource({"UNDECIDED, 0, false", "FIRST, 0, true", "TOKEN_EFFICIENT, 2, true"})
    void shouldResolveATieByTheRuleWhenPointsAreEqual(TiePolicy ties, int winner, boolean wins) {
        // Each beats the next, around.
        Selection selection = play(pairwise(1, false, ties, null), 3, shown -> {
            int one = shown.getFirst();
            return shown.getLast() == (one + 1) % 3 ? "1" : "2";
        });

        assertThat(selection.selectedIndex()).isEqualTo(winner);
        assertThat(selection.decided()).isEqualTo(wins);
        assertThat(selection.reason()).startsWith("A tie: 1 point from 3 comparisons each.");
    }

    @Test
    void shouldGiveHalfAPointToBothWhenAJudgeGoesByPosition() {
        Selection selection = play(ALL, 3, shown -> shown.contains(0) ? "1" : strongest(shown, 1, 2));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).contains("1.5 points");
    }

    @Test
    void shouldLetNobodyWinWhenAComparisonThatFailedCouldHaveChangedTheWinner() {
        Strategy.Pairwise once = pairwise(1, false, TiePolicy.FIRST, null);

        Selection close = play(once, 3, shown -> shown.equals(List.of(1, 2)) ? null : strongest(shown, 0, 1, 2));
        Selection open = play(once, 3, shown -> shown.equals(List.of(0, 1)) ? null : strongest(shown, 0, 1, 2));

        assertThat(close.selectedIndex()).isZero();
        assertThat(close.decided())
                .as("branches 1 and 2 can reach one point only")
                .isTrue();
        assertThat(open.selectedIndex()).isZero();
        assertThat(open.decided()).isFalse();
        assertThat(open.reason()).contains("could have changed that, so no branch wins");
    }

    @Test
    void shouldFallBackWhenEveryComparisonFailed() {
        Selection selection = play(ALL, 3, shown -> null);

        assertThat(selection.selectedIndex()).isZero();
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"4, 2, 4", "5, 3, 6", "8, 3, 12", "16, 4, 32", "2, 20, 1", "3, 20, 3"})
    void shouldFindTheStrongestInFewRoundsWhenNeighboursMeet(int branches, int rounds, int comparisons) {
        Strategy.Pairwise swiss = pairwise(3, true, TiePolicy.FIRST, rounds);
        Integer[] order = IntStream.range(0, branches)
                .map(i -> (i * 3 + 1) % branches)
                .boxed()
                .toArray(Integer[]::new);
        Integer[] strengths = new TreeSet<>(List.of(order)).size() == branches
                ? order
                : IntStream.range(0, branches).boxed().toArray(Integer[]::new);

        Selection selection = play(swiss, branches, shown -> strongest(shown, strengths));

        assertThat(selection.selectedIndex()).isEqualTo(strengths[0]);
        List<ResponseComparison> played = ResponseComparison.of(selection.votes());
        assertThat(played).hasSize(comparisons);
        assertThat(played).extracting(ResponseComparison::branches).doesNotHaveDuplicates();
        assertThat(JudgePlan.calls(swiss, branches)).isEqualTo(comparisons * 2 * 3);
    }

    @Test
    void shouldKeepTheRecordedPairsWhenAnEarlierComparisonIsAskedAgain() {
        Strategy.Pairwise swiss = pairwise(1, false, TiePolicy.FIRST, 2);
        List<JudgeAnswer> answers = new ArrayList<>();
        answerAll(answers, questions(swiss, 4, answers), shown -> strongest(shown, 0, 1, 2, 3));
        List<JudgeQuestion> second = questions(swiss, 4, answers);
        answerAll(answers, second, shown -> strongest(shown, 0, 1, 2, 3));

        // A re-run asks the first comparison again, and now the other one wins.
        answers.replaceAll(answer -> answer.slot() == 0 ? new JudgeAnswer(0, answer.shown(), "2", null, true) : answer);

        assertThat(JudgePlan.next(swiss, 1, outcomes(4), answers)).isInstanceOf(JudgePlan.Step.Decided.class);
    }

    @Test
    void shouldNotPlayOnWhenACallOfTheRoundWasSkippedForNow() {
        Strategy.Pairwise swiss = pairwise(1, false, TiePolicy.FIRST, 2);
        Failure skipped = new Failure(ErrorCode.BUDGET_EXCEEDED, "The budget is spent.");
        List<JudgeAnswer> answers = List.of(
                new JudgeAnswer(0, List.of(0, 1), "1", null, true),
                new JudgeAnswer(1, List.of(2, 3), null, skipped, false));

        assertThat(JudgePlan.next(swiss, 1, outcomes(4), answers))
                .isInstanceOfSatisfying(
                        JudgePlan.Step.Decided.class,
                        step -> assertThat(step.isFinal()).isFalse());
    }

    /** The reply that names the stronger of two, the strongest of all first; null: the call fails. */
    private static String strongest(List<Integer> shown, Integer... order) {
        List<Integer> ranks = List.of(order);
        return ranks.indexOf(shown.get(0)) < ranks.indexOf(shown.get(1)) ? "1" : "2";
    }

    private static Selection play(
            Strategy.Pairwise strategy, int branches, Function<List<Integer>, @Nullable String> judge) {
        List<JudgeAnswer> answers = new ArrayList<>();
        Set<Integer> asked = new TreeSet<>();
        while (true) {
            switch (JudgePlan.next(strategy, 1, outcomes(branches), answers)) {
                case JudgePlan.Step.Ask(List<JudgeQuestion> questions) -> {
                    questions.forEach(question -> {
                        assertThat(asked.add(question.slot())).as("asked once").isTrue();
                        assertThat(question.slot()).isLessThan(JudgePlan.slotBound(strategy, branches));
                    });
                    answerAll(answers, questions, judge);
                }
                case JudgePlan.Step.Decided(Selection selection, boolean isFinal) -> {
                    assertThat(isFinal).isTrue();
                    return selection;
                }
            }
        }
    }

    private static void answerAll(
            List<JudgeAnswer> answers, List<JudgeQuestion> questions, Function<List<Integer>, @Nullable String> judge) {
        for (JudgeQuestion question : questions) {
            String reply = judge.apply(question.shown());
            Failure failure = reply == null ? new Failure(ErrorCode.PROVIDER_TIMEOUT, "No answer.") : null;
            answers.add(new JudgeAnswer(question.slot(), question.shown(), reply, failure, true));
        }
    }

    private static List<JudgeQuestion> questions(Strategy strategy, int branches, List<JudgeAnswer> answers) {
        JudgePlan.Step step = JudgePlan.next(strategy, 1, outcomes(branches), answers);
        assertThat(step).isInstanceOf(JudgePlan.Step.Ask.class);
        return ((JudgePlan.Step.Ask) step).questions();
    }

    /** The later the branch, the fewer its tokens. */
    private static List<Outcome> outcomes(int branches) {
        return IntStream.range(0, branches)
                .mapToObj(branch -> new Outcome(
                        0,
                        branch,
                        "s.b." + branch,
                        new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                        new Outcome.Answer(List.of(), 0, "answer " + branch),
                        new Measured(Usage.of(0, 100 - branch), null, Duration.ZERO),
                        List.of()))
                .toList();
    }
}
