package dev.assay.domain.hypothesis;

import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of two modes on the same hypotheses.
 *
 * @param compared hypotheses that both scored: the count behind the next two
 * @param meanAbsoluteDifference of their composites, rounded half up to 4 decimals; null for none
 * @param equalVerdicts those of them with the same verdict
 */
public record ModeComparison(
        String first, String second, int compared, @Nullable BigDecimal meanAbsoluteDifference, int equalVerdicts) {

    private static final int DECIMALS = 4;

    /** The score and verdict of a hypothesis in one mode. */
    public record Score(BigDecimal composite, HypothesisVerdict verdict) {}

    /**
     * Compares each mode with each one after it.
     *
     * @param scores by mode, then by hypothesis
     */
    public static List<ModeComparison> of(Map<String, Map<String, Score>> scores) {
        List<String> modes = List.copyOf(scores.keySet());
        List<ModeComparison> comparisons = new ArrayList<>();
        for (int i = 0; i < modes.size(); i++) {
            for (String later : modes.subList(i + 1, modes.size())) {
                String mode = modes.get(i);
                comparisons.add(of(
                        mode,
                        later,
                        Objects.requireNonNull(scores.get(mode)),
                        Objects.requireNonNull(scores.get(later))));
            }
        }
        return comparisons;
    }

    private static ModeComparison of(String first, String second, Map<String, Score> one, Map<String, Score> other) {
        List<String> both = one.keySet().stream().filter(other::containsKey).toList();
        BigDecimal sum = BigDecimal.ZERO;
        int equal = 0;
        for (String id : both) {
            Score a = Objects.requireNonNull(one.get(id));
            Score b = Objects.requireNonNull(other.get(id));
            sum = sum.add(a.composite().subtract(b.composite()).abs());
            equal += a.verdict() == b.verdict() ? 1 : 0;
        }
        BigDecimal mean = both.isEmpty()
                ? null
                : JsonNumbers.plain(sum.divide(BigDecimal.valueOf(both.size()), DECIMALS, RoundingMode.HALF_UP));
        return new ModeComparison(first, second, both.size(), mean, equal);
    }
}
