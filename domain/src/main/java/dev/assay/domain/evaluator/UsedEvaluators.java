package dev.assay.domain.evaluator;

import java.util.List;

/**
 * Who gave the verdicts of a campaign and of a scoring of it. The names are those of its JSON.
 *
 * @param before those of the campaign, the one of most cells first, {@value EvaluatorSet#MOST} at most
 * @param after those of the scoring, likewise
 * @param same whether both have the same: what flips then is their own noise. False where one of them is not known
 */
public record UsedEvaluators(List<UsedEvaluator> before, List<UsedEvaluator> after, boolean same) {

    /** What the report says of the same evaluators. */
    public static final String NOISE = "Same evaluators: these flips are their own noise.";

    public UsedEvaluators {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** Those of two campaigns. */
    public static UsedEvaluators of(EvaluatorSet before, EvaluatorSet after) {
        return new UsedEvaluators(before.most(), after.most(), before.isSameAs(after));
    }
}
