package dev.assay.domain.evaluator;

import dev.assay.domain.replay.RequestKey;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
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

    /** All evaluators of a campaign, the one of most cells first. */
    public static EvaluatorSet of(List<UsedEvaluator> all) {
        boolean isKnown = all.stream().noneMatch(one -> one.evaluator() == null);
        String names = all.stream()
                .map(UsedEvaluator::evaluator)
                .filter(Objects::nonNull)
                .sorted()
                .collect(Collectors.joining(" "));
        String digest = all.isEmpty() ? "" : RequestKey.sha256(names);
        return new EvaluatorSet(all.stream().limit(MOST).toList(), all.size(), isKnown ? digest : null);
    }

    /** Whether both are known, and are the same. */
    public boolean isSameAs(EvaluatorSet other) {
        return digest != null && digest.equals(other.digest);
    }
}
