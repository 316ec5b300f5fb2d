package dev.assay.domain.report;

import org.jspecify.annotations.Nullable;

/**
 * The probability that one branch beats another, by the model of Bradley and Terry. The names are those of its JSON.
 *
 * @param other a branch, later in the campaign
 * @param wins probability that {@code one} beats {@code other}, above 0 and below 1
 * @param low lower end of its 95 % interval; null when all comparisons are of one case
 * @param p two-sided p-value of both being as strong; null as {@code low}
 * @param pHolm the same, adjusted for the number of pairs (Holm 1979)
 */
public record PairSummary(
        String one,
        String other,
        double wins,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double p,
        @Nullable Double pHolm) {}
