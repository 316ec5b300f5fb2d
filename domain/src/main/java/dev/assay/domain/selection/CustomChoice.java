package dev.assay.domain.selection;

import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The choice that follows from a custom strategy's answer. Its errors are never corrected silently: no branch is then selected. */
public final class CustomChoice {

    private static final String TYPE = "custom";

    private CustomChoice() {}

    /**
     * The selection that follows from the answer of strategy {@code name}.
     *
     * @param candidates the outcomes that can be chosen, in branch order, at least one
     * @param answer what it returned; null: nothing
     */
    public static Selection of(String name, List<Outcome> candidates, @Nullable StrategyAnswer answer) {
        if (answer == null) {
            return failed(name, "returned nothing");
        }
        return switch (answer.decision()) {
            case EvaluationDecision.Select(int index, String ignored)
            when index < 0 || index >= candidates.size() ->
                failed(
                        name,
                        "returned index " + index + ", but there " + are(candidates.size()) + ", counted from 0",
                        answer);
            case EvaluationDecision.Select(int index, String reason) -> {
                Integer branch = candidates.get(index).branchIndex();
                Decision decision = candidates.size() == 1 ? new Decision.Only(branch) : new Decision.Won(branch);
                yield selection(decision, "Strategy " + name + said(reason, " chose."), answer);
            }
            case EvaluationDecision.Undecided(String reason) ->
                selection(
                        new Decision.FellBack(candidates.getFirst().branchIndex()),
                        "Strategy " + name + " is undecided" + said(reason, ".")
                                + " The first that completed was taken; no branch wins.",
                        answer);
        };
    }

    /**
     * No branch is selected because of strategy {@code name}.
     *
     * @param what it did, as the rest of a sentence that begins with it
     */
    public static Selection failed(String name, String what) {
        return failed(name, what, null);
    }

    /** The first that completed, taken for now: the budget does not cover the asks of strategy {@code name}. */
    public static Selection notCovered(String name, List<Outcome> candidates) {
        return new Selection(
                TYPE,
                new Decision.FellBack(candidates.getFirst().branchIndex()),
                "The budget did not cover what strategy " + name + " asks. The first that completed was taken.");
    }

    private static Selection failed(String name, String what, @Nullable StrategyAnswer answer) {
        String reason =
                "Strategy " + name + " " + what + "; nothing was selected. Correct it and run the campaign again.";
        return selection(new Decision.FellBack(null), reason, answer);
    }

    private static Selection selection(Decision decision, String reason, @Nullable StrategyAnswer answer) {
        Selection selection = new Selection(TYPE, decision, reason);
        return answer == null ? selection : selection.using(answer.usage());
    }

    private static String said(String reason, String otherwise) {
        String line = Excerpt.of(reason);
        return line.isBlank() ? otherwise : ": " + line;
    }

    private static String are(int candidates) {
        return candidates == 1 ? "is 1 candidate" : "are " + candidates + " candidates";
    }
}
