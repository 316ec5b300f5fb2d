package dev.assay.domain.usage;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The usage and cost that a program prints of itself, where they are counted elsewhere.
 *
 * @param usage tokens, as far as it says
 * @param costUsd in US dollars; null: it does not say
 */
public record Reported(Usage usage, @Nullable BigDecimal costUsd) {}
