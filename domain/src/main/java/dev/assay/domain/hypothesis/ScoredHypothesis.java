package dev.assay.domain.hypothesis;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A hypothesis with its scores.
 *
 * @param rank its place in its list, from 1
 * @param composite their weighted sum, not rounded
 * @param verdict by the rubric
 * @param batchIndex the batch in which it was scored, from 0
 */
public record ScoredHypothesis(
        String id,
        int rank,
        Map<String, BigDecimal> scores,
        BigDecimal composite,
        HypothesisVerdict verdict,
        ModelOpinion model,
        List<String> reasons,
        int batchIndex) {

    /**
     * A model's own verdict on a hypothesis, beside its scores.
     *
     * @param verdict null: it says nothing
     * @param disagrees whether it says something else than the rubric
     */
    public record ModelOpinion(@Nullable HypothesisVerdict verdict, boolean disagrees) {}

    ScoredHypothesis ranked(int place) {
        return new ScoredHypothesis(id, place, scores, composite, verdict, model, reasons, batchIndex);
    }

    boolean isRejected() {
        return verdict == HypothesisVerdict.FAIL;
    }
}
