package dev.assay.domain.selection;

import dev.assay.domain.outcome.Outcome;
import java.util.List;

/** The answer of a strategy about a trial's outcomes. */
public sealed interface Choice {

    /** The winner is known. */
    record Made(Selection selection) implements Choice {}

    /**
     * Judges must be asked; {@link JudgePlan} has the questions and the result of the replies.
     *
     * @param shown the outcomes whose responses the judge reads, in branch order, at least two
     */
    record AskJudge(List<Outcome> shown) implements Choice {

        public AskJudge {
            shown = List.copyOf(shown);
        }
    }

    /**
     * A custom strategy must be asked; {@link CustomChoice} makes the result of its answer.
     *
     * @param candidates the outcomes that can be chosen, in branch order, at least one
     */
    record AskCustom(Strategy.Custom strategy, List<Outcome> candidates) implements Choice {

        public AskCustom {
            candidates = List.copyOf(candidates);
        }
    }
}
