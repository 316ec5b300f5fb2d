package dev.assay.domain.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CustomChoiceTest {

    private static final List<Outcome> CANDIDATES = List.of(outcome(1), outcome(4));

    @Test
    void shouldMapTheIndexToItsBranchWhenSomeCannotBeChosen() {
        Selection selection = choose(new EvaluationDecision.Select(1, "It is the best."));

        assertThat(selection.selectedIndex()).isEqualTo(4);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).isEqualTo("Strategy mine: It is the best.");
    }

    @Test
    void shouldCountNoWinWhenThereIsOneCandidate() {
        Selection selection = CustomChoice.of(
                "mine", List.of(outcome(3)), new StrategyAnswer(new EvaluationDecision.Select(0, ""), Usage.NONE));

        assertThat(selection.selectedIndex()).isEqualTo(3);
        assertThat(selection.decided()).isFalse();
        assertThat(selection.fallback()).isFalse();
        assertThat(selection.reason()).isEqualTo("Strategy mine chose.");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 2, 4, Integer.MAX_VALUE})
    void shouldSelectNobodyWhenTheIndexIsOutOfRange(int index) {
        Selection selection = choose(new EvaluationDecision.Select(index, "Trust me."));

        assertThat(selection.selectedIndex()).isNull();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.reason())
                .contains("Strategy mine returned index " + index + ", but there are 2 candidates, counted from 0");
    }

    @Test
    void shouldTakeTheFirstAndCountNoWinWhenTheStrategyIsUndecided() {
        Selection selection = choose(new EvaluationDecision.Undecided("They are alike.\u0000\uD800"));

        assertThat(selection.selectedIndex()).isEqualTo(1);
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.reason())
                .isEqualTo("Strategy mine is undecided: They are alike. \uFFFD The first that completed was taken;"
                        + " no branch wins.");
    }

    @Test
    void shouldSelectNobodyWhenTheStrategyFails() {
        Selection failed = CustomChoice.failed("mine", "failed with java.lang.IllegalStateException: no idea");
        Selection nothing = CustomChoice.of("mine", CANDIDATES, null);

        assertThat(failed.selectedIndex()).isNull();
        assertThat(failed.reason()).contains("failed with java.lang.IllegalStateException: no idea");
        assertThat(nothing.selectedIndex()).isNull();
        assertThat(nothing.reason()).contains("returned nothing");
    }

    @Test
    void shouldKeepTheUsageThatTheStrategyReportsWhateverItDecided() {
        Usage usage = new Usage(5, 4, 3, 2, 1, 9);

        for (EvaluationDecision decision : List.of(
                new EvaluationDecision.Select(0, ""),
                new EvaluationDecision.Select(7, ""),
                new EvaluationDecision.Undecided(""))) {
            assertThat(CustomChoice.of("mine", CANDIDATES, new StrategyAnswer(decision, usage))
                            .usage())
                    .isEqualTo(usage);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // A strategy of others may well use null.
    void shouldRefuseAnAnswerWhenAPartIsMissing() {
        assertThatNullPointerException().isThrownBy(() -> new EvaluationDecision.Select(0, null));
        assertThatNullPointerException().isThrownBy(() -> new EvaluationDecision.Undecided(null));
        assertThatNullPointerException().isThrownBy(() -> new StrategyAnswer(null, Usage.NONE));
        assertThatNullPointerException()
                .isThrownBy(() -> new StrategyAnswer(new EvaluationDecision.Undecided(""), null));
    }

    private static Selection choose(EvaluationDecision decision) {
        return CustomChoice.of("mine", CANDIDATES, new StrategyAnswer(decision, Usage.NONE));
    }

    private static Outcome outcome(int branchIndex) {
        return new Outcome(
                0,
                branchIndex,
                "s.b." + branchIndex,
                new Outcome.End(OutcomeStatus.COMPLETED, null, 1),
                new Outcome.Answer(List.of(), 0, "answer"),
                new Measured(Usage.NONE, null, Duration.ZERO),
                List.of());
    }
}
