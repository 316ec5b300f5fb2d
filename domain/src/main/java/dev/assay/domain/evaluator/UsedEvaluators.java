package dev.assay.domain.evaluator;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who gave the verdicts that are compared. The names are those of its JSON.
 *
 * @param before those of the first campaign, the one of most cells first
 * @param after those of the scoring
 * @param same whether both have the same: what flips then is their own noise. False where one of them is not known
 */
public record UsedEvaluators(List<UsedEvaluator> before, List<UsedEvaluator> after, boolean same) {

    /** What the report says of the same evaluators. */
    public static final String NOISE = "Same evaluators: these flips are their own noise.";

    private static final Comparator<UsedEvaluator> ORDER = Comparator.comparingInt(UsedEvaluator::cells)
            .reversed()
            .thenComparing(UsedEvaluator::evaluator, Comparator.nullsLast(Comparator.naturalOrder()));

    public UsedEvaluators {
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /** Those of two, each once. */
    public static UsedEvaluators of(List<UsedEvaluator> before, List<UsedEvaluator> after) {
        return new UsedEvaluators(
                before.stream().sorted(ORDER).toList(),
                after.stream().sorted(ORDER).toList(),
                isSame(before, after));
    }

    private static boolean isSame(List<UsedEvaluator> before, List<UsedEvaluator> after) {
        Set<@Nullable String> hashes = hashes(before);
        return !hashes.contains(null) && hashes.equals(hashes(after));
    }

    private static Set<@Nullable String> hashes(List<UsedEvaluator> all) {
        Set<@Nullable String> hashes = new HashSet<>();
        all.forEach(one -> hashes.add(one.evaluator()));
        return hashes;
    }
}
