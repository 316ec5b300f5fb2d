package dev.assay.domain.selection;

import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.text.Excerpt;
import java.util.List;

/** What follows from a custom strategy's pick. Its errors are never corrected silently: then nobody is selected. */
public final class CustomChoice {

    private CustomChoice() {}

    /**
     * The selection that {@code strategy} makes.
     *
     * @param candidates the outcomes that can be chosen, in branch order, at least two
     */
    public static Selection of(SelectionStrategy strategy, List<Outcome> candidates) {
        SelectionStrategy.Pick pick;
        try {
            pick = strategy.pick(candidates);
        } catch (RuntimeException e) {
            return failed(strategy, "failed with " + Excerpt.of(e.toString()));
        }
        if (pick == null) {
            return failed(strategy, "returned nothing");
        }
        if (pick.index() < 0 || pick.index() >= candidates.size()) {
            return failed(
                    strategy,
                    "returned index " + pick.index() + ", but there are " + candidates.size()
                            + " candidates, counted from 0");
        }
        String reason = pick.reason() == null ? "" : Excerpt.of(pick.reason());
        return new Selection(
                "custom",
                new Decision.Won(candidates.get(pick.index()).branchIndex()),
                "Strategy " + strategy.name() + (reason.isBlank() ? " chose." : ": " + reason));
    }

    private static Selection failed(SelectionStrategy strategy, String what) {
        String reason = "Strategy " + strategy.name() + " " + what + "; nothing was selected. Correct it and run the"
                + " campaign again.";
        return new Selection("custom", new Decision.FellBack(null), reason);
    }
}
