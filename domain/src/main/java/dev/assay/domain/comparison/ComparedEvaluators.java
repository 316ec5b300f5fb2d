package dev.assay.domain.comparison;

import dev.assay.domain.evaluator.EvaluatorSet;
import dev.assay.domain.evaluator.UsedEvaluator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who judged the two that are compared. The names are those of its JSON.
 *
 * @param a those of the first, the one of most cells first, {@value EvaluatorSet#MOST} at most
 * @param b those of the second, likewise
 * @param same whether both have the same; null: a build that noted no evaluator judged one of them
 */
public record ComparedEvaluators(
        List<UsedEvaluator> a,
        List<UsedEvaluator> b,
        @Nullable Boolean same) {

    public ComparedEvaluators {
        a = List.copyOf(a);
        b = List.copyOf(b);
    }

    /** Those of two. */
    public static ComparedEvaluators of(EvaluatorSet a, EvaluatorSet b) {
        boolean isKnown = a.digest() != null && b.digest() != null;
        return new ComparedEvaluators(a.most(), b.most(), isKnown ? (Boolean) a.isSameAs(b) : null);
    }

    /** What people must know before they read anything else; null: one evaluator judged both. */
    public @Nullable String warning() {
        if (same == null) {
            return "Who judged A or B is not known: a build judged that noted no evaluator. This may compare judges,"
                    + " not branches.";
        }
        return same ? null : "A and B were judged by different evaluators: this compares judges, not branches.";
    }
}
