package dev.assay.domain.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CustomChoiceTest {

    private static final List<Outcome> CANDIDATES = List.of(outcome(1), outcome(4));

    @Test
    void shouldMapTheIndexToItsBranchWhenSomeCannotBeChosen() {
        Selection selection = choose(_ -> new SelectionStrategy.Pick(1, "It is the best."));

        assertThat(selection.selectedIndex()).isEqualTo(4);
        assertThat(selection.decided()).isTrue();
        assertThat(selection.reason()).isEqualTo("Strategy mine: It is the best.");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2, 4, Integer.MAX_VALUE})
    void shouldSelectNobodyWhenTheIndexIsOutOfRange(int index) {
        Selection selection = choose(_ -> new SelectionStrategy.Pick(index, "Trust me."));

        assertThat(selection.selectedIndex()).isNull();
        assertThat(selection.decided()).isFalse();
        assertThat(selection.fallback()).isTrue();
        assertThat(selection.reason())
                .contains("Strategy mine returned index " + index + ", but there are 2 candidates, counted from 0");
    }

    @Test
    void shouldSelectNobodyWhenTheStrategyFails() {
        Selection failed = choose(_ -> {
            throw new IllegalStateException("no idea");
        });
        Selection nothing = choose(_ -> null);

        assertThat(failed.selectedIndex()).isNull();
        assertThat(failed.reason()).contains("failed with java.lang.IllegalStateException: no idea");
        assertThat(nothing.selectedIndex()).isNull();
        assertThat(nothing.reason()).contains("returned nothing");
    }

    private static Selection choose(Function<List<Outcome>, SelectionStrategy.@Nullable Pick> picks) {
        return CustomChoice.of(
                new SelectionStrategy() {
                    @Override
                    public String name() {
                        return "mine";
                    }

                    @Override
                    @SuppressWarnings("NullAway") // A strategy of others may well return null.
                    public Pick pick(List<Outcome> candidates) {
                        return picks.apply(candidates);
                    }
                },
                CANDIDATES);
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
