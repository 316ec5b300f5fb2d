package dev.assay.domain.evaluation;

import dev.assay.domain.usage.Usage;
import java.util.Objects;

/**
 * The answer of a custom strategy about a trial.
 *
 * @param decision the winner, if there is one
 * @param usage tokens that the strategy used by itself. They count as evaluation usage. What {@link StrategyContext#ask} used is
 *     counted already and is left out here
 */
public record StrategyAnswer(EvaluationDecision decision, Usage usage) {

    public StrategyAnswer {
        Objects.requireNonNull(decision, "decision");
        Objects.requireNonNull(usage, "usage");
    }
}
