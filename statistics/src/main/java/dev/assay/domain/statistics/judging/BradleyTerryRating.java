package dev.assay.domain.statistics.judging;

import org.jspecify.annotations.Nullable;

/**
 * The strength of a branch in the comparisons of a campaign. The names are those of its JSON.
 *
 * @param ties comparisons without a winner
 * @param ability by the model of Bradley and Terry: the natural logarithm of its odds against the mean of all branches. Null where
 *     it was compared with none, or where not all are connected by comparisons, over however many others
 * @param low lower end of the 95 % interval of ability; null as ability
 */
public record BradleyTerryRating(
        String branchId,
        int wins,
        int ties,
        int losses,
        @Nullable Double ability,
        @Nullable Double low,
        @Nullable Double high) {}
