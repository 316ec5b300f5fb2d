package dev.assay.activities.proxy;

import dev.assay.domain.trace.ModelTurn;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sum of the requests of one attempt.
 *
 * @param usage tokens of those that were answered; unknown where those of any are
 * @param costUsd what they cost in US dollars; null where that of any is not known, 0 where none was answered
 * @param isOverBudget whether the campaign's budget kept a request from being sent
 */
public record ModelTotals(
        Usage usage, @Nullable BigDecimal costUsd, List<ModelTurn> turns, List<String> warnings, boolean isOverBudget) {

    public ModelTotals {
        turns = List.copyOf(turns);
        warnings = List.copyOf(warnings);
    }
}
