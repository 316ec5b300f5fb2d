package dev.assay.domain.statistics;

import org.jspecify.annotations.Nullable;

/**
 * How far judges agree: Krippendorff's alpha for nominal values, 1 for perfect agreement, 0 for what chance gives. The names
 * are those of its JSON.
 *
 * @param alpha null where it is not defined: nothing was judged by two, or all values are the same
 * @param low lower end of its 95 % interval by the jackknife over units; null where alpha or the interval is not defined
 * @param high upper end, at most 1
 * @param units what was judged by at least two
 * @param values all their values
 */
public record Agreement(
        @Nullable Double alpha,
        @Nullable Double low,
        @Nullable Double high,
        int units,
        int values) {}
