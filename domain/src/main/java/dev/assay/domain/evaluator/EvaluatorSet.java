package dev.assay.domain.evaluator;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The evaluators of a campaign's results.
 *
 * @param most the {@value #MOST} of most cells; the one of most first
 * @param count how many there are in all, unknown ones as one
 * @param digest one name for all of them together; null: some are not known
 */
public record EvaluatorSet(
        List<UsedEvaluator> most, int count, @Nullable String digest) {

    /** The most evaluators that are told: a campaign may have checks of its own for each case. */
    public static final int MOST = 100;

    public EvaluatorSet {
        most = List.copyOf(most);
    }

    /** Whether both are known, and are the same. */
    public boolean isSameAs(EvaluatorSet other) {
        return digest != null && digest.equals(other.digest);
    }
}
