package dev.assay.domain.statistics;

import java.util.stream.IntStream;
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

    /**
     * As {@link #of(double[], int, double, double)} of durations that belong to cases, with the interval for other cases like these.
     * Durations of a case are alike, so they say less than as many of different cases.
     *
     * <p>What they are worth is found at the quantile (Woodruff 1952). F is the share of the n durations up to it, and v its variance
     * when one case at a time is left out. They are worth {@code n* = F (1 − F) / v}, held between cases and n. The ranks of n* are
     * those of {@link OrderStatistics}, stretched to n.
     *
     * @param cases the case of each duration that was measured, in the order of {@code sorted}
     * @param overCases the case of each that ran into a limit
     */
    public static LatencyQuantile ofCases(double[] sorted, int[] cases, int[] overCases, double share, double level) {
        LatencyQuantile alone = of(sorted, overCases.length, share, level);
        int count = alone.of();
        if (count == 0) {
            return alone;
        }
        int worth = worth(
                sorted,
                cases,
                overCases,
                OrderStatistics.of(count, share, level).rank());
        OrderStatistics ranks = OrderStatistics.of(worth, share, level);
        double stretch = (double) count / worth;
        return new LatencyQuantile(
                alone.value,
                point(sorted, ranks.low() == null ? null : (Integer) (1 + (int) ((ranks.low() - 1) * stretch))),
                point(sorted, ranks.high() == null ? null : (Integer) (int) Math.ceil(ranks.high() * stretch)),
                count);
    }

    /** n*, rounded down; n where all or none are up to the quantile. */
    private static int worth(double[] sorted, int[] cases, int[] overCases, int rank) {
        int last = 0;
        for (int one : cases) {
            last = Math.max(last, one);
        }
        for (int one : overCases) {
            last = Math.max(last, one);
        }
        double[] upTo = new double[last + 1];
        double[] all = new double[last + 1];
        for (int i = 0; i < cases.length; i++) {
            all[cases[i]]++;
            upTo[cases[i]] += rank > sorted.length || sorted[i] <= sorted[rank - 1] ? 1 : 0;
        }
        for (int one : overCases) {
            all[one]++;
        }
        int count = cases.length + overCases.length;
        Jackknife share = Jackknife.ofRatio(having(upTo, all), having(all, all));
        if (share == null || !share.varies()) {
            return count;
        }
        double worth = share.value() * (1 - share.value()) / (share.error() * share.error());
        return (int) Math.clamp(worth, Math.min(share.units(), count), count);
    }

    /** The values of the cases that have a duration. */
    private static double[] having(double[] values, double[] all) {
        return IntStream.range(0, all.length)
                .filter(i -> all[i] > 0)
                .mapToDouble(i -> values[i])
                .toArray();
    }

    private static @Nullable Point point(double[] sorted, @Nullable Integer rank) {
        if (rank == null) {
            return null;
        }
        return rank <= sorted.length ? new Point.Measured(sorted[rank - 1]) : new Point.OverLimit();
    }
}
