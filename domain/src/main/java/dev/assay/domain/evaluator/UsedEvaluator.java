package dev.assay.domain.evaluator;

import org.jspecify.annotations.Nullable;

/**
 * An evaluator of a campaign's results. The names are those of its JSON.
 *
 * @param evaluator its hash; null: by a build that noted no evaluator
 * @param kind check, grader or judge; null as {@code evaluator}
 * @param code its rule and number, such as {@code icontains/1}; null as {@code evaluator}, and where it has none
 * @param cells of which it decided something
 */
public record UsedEvaluator(
        @Nullable String evaluator,
        @Nullable String kind,
        @Nullable String code,
        int cells) {}
