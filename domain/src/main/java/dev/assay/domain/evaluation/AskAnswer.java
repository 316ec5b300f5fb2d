package dev.assay.domain.evaluation;

import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The reply of a model to a custom strategy.
 *
 * @param text what it said; may be empty
 * @param usage tokens of the call
 * @param costUsd in US dollars; null where no price is known
 */
public record AskAnswer(String text, Usage usage, @Nullable BigDecimal costUsd) {}
