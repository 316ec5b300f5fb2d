package dev.assay.domain.hypothesis;

import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The totals of an evaluation. Each hypothesis is either scored or not, and a scored one has one of three verdicts.
 *
 * @param passed of these, the ones that pass
 * @param borderline of these, the ones between
 * @param failed of these, the ones that fail
 * @param unscored those without a score
 * @param meanComposite mean of the composites, rounded half up to 4 decimals; null: nothing was scored
 */
public record HypothesisSummary(
        int total,
        int scored,
        int passed,
        int borderline,
        int failed,
        int unscored,
        @Nullable BigDecimal meanComposite) {

    private static final int MEAN_DECIMALS = 4;

    static HypothesisSummary of(Collection<ScoredHypothesis> scored, int unscored) {
        return new HypothesisSummary(
                scored.size() + unscored,
                scored.size(),
                count(scored, HypothesisVerdict.PASS),
                count(scored, HypothesisVerdict.BORDERLINE),
                count(scored, HypothesisVerdict.FAIL),
                unscored,
                mean(scored));
    }

    private static int count(Collection<ScoredHypothesis> scored, HypothesisVerdict verdict) {
        return (int) scored.stream().filter(one -> one.verdict() == verdict).count();
    }

    private static @Nullable BigDecimal mean(Collection<ScoredHypothesis> scored) {
        if (scored.isEmpty()) {
            return null;
        }
        BigDecimal sum = scored.stream().map(ScoredHypothesis::composite).reduce(BigDecimal.ZERO, BigDecimal::add);
        return JsonNumbers.plain(sum.divide(BigDecimal.valueOf(scored.size()), MEAN_DECIMALS, RoundingMode.HALF_UP));
    }
}
