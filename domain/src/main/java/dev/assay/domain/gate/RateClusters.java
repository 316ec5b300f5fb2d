package dev.assay.domain.gate;

import org.jspecify.annotations.Nullable;

/**
 * The evidence of a rate whose observations belong to cases. The names are those of its JSON.
 *
 * @param effective how many independent observations the rate is worth; null without a denominator
 * @param icc share of the variance that lies between cases, 0–1; null where it cannot be known
 * @param designEffect how many trials are worth one that is independent; null for a rate that is not one of trials
 * @param suiteLow lower end of the interval for these very cases, run again; null as {@code designEffect}
 * @param groups of how many groups of related cases; null: cases are not related
 */
public record RateClusters(
        @Nullable Double effective,
        @Nullable Double icc,
        @Nullable Double designEffect,
        @Nullable Double suiteLow,
        @Nullable Double suiteHigh,
        @Nullable Integer groups) {

    static final RateClusters NONE = new RateClusters(null, null, null, null, null, null);
}
