package dev.assay.domain.statistics;

import org.jspecify.annotations.Nullable;

/**
 * A quantile of durations of which some ran into a limit: those took longer than all that were measured, by how much is not
 * known. The rank is the nearest one, the interval that of {@link OrderStatistics}.
 *
 * @param value the quantile; null when there are no durations
 * @param low lower end of its interval; null when too few durations have one
 * @param high upper end; null when too few durations have one
 * @param of durations, those over the limit among them
 */
public record LatencyQuantile(
        @Nullable Point value,
        @Nullable Point low,
        @Nullable Point high,
        int of) {

    /** A duration, as far as it is known. */
    public sealed interface Point {

        /** A duration that was measured. */
        record Measured(double duration) implements Point {}

        /** A duration that ran into a limit: longer than all that were measured. */
        record OverLimit() implements Point {}
    }

    /**
     * The quantile.
     *
     * @param sorted what was measured, ascending, in any unit
     * @param over how many ran into a limit, at least 0
     * @param share above 0 and below 1, such as 0.95
     * @param level above 0 and below 1
     */
    public static LatencyQuantile of(double[] sorted, int over, double share, double level) {
        int count = sorted.length + over;
        if (count == 0) {
            return new LatencyQuantile(null, null, null, 0);
        }
        OrderStatistics ranks = OrderStatistics.of(count, share, level);
        return new LatencyQuantile(
                point(sorted, ranks.rank()), point(sorted, ranks.low()), point(sorted, ranks.high()), count);
    }

    private static @Nullable Point point(double[] sorted, @Nullable Integer rank) {
        if (rank == null) {
            return null;
        }
        return rank <= sorted.length ? new Point.Measured(sorted[rank - 1]) : new Point.OverLimit();
    }
}
