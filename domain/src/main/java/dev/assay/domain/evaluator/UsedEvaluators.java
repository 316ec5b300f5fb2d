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

    private static final String UNKNOWN = "Verdicts of the first campaign are by a build that noted no evaluator.";

    public UsedEvaluators {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** What a reader must know of them, as sentences. */
    public List<String> warnings() {
        if (same) {
            return List.of(NOISE);
        }
        boolean isUnknown = before.stream().anyMatch(one -> one.evaluator() == null);
        return isUnknown ? List.of(UNKNOWN) : List.of();
    }

    /** Those of two campaigns. */
    public static UsedEvaluators of(EvaluatorSet before, EvaluatorSet after) {
        return new UsedEvaluators(before.most(), after.most(), before.isSameAs(after));
    }
}
