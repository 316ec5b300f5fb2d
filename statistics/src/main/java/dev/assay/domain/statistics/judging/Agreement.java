package dev.assay.domain.statistics.judging;

import org.jspecify.annotations.Nullable;

/**
 * The agreement of judges: Krippendorff's alpha, 1 for perfect agreement, 0 for what chance gives. The names are those of its JSON.
 *
 * @param alpha null where it is not defined: nothing was judged by two, or all values are the same
 * @param low lower end of its 95 % interval by leaving out one case at a time, −1 … 1; null where alpha is, and for one case
 * @param units what was judged by at least two
 * @param cases of those units; 0 in a summary that was stored before cases were counted
 */
public record Agreement(
        @Nullable Double alpha,
        @Nullable Double low,
        @Nullable Double high,
        int units,
        int values,
        int cases) {}
