package dev.assay.domain.statistics;

/**
 * An interval; both ends belong to it.
 *
 * @param high upper end, at least {@code low}
 */
public record Interval(double low, double high) {

    /** The interval of all rates. */
    public static final Interval UNIT = new Interval(0, 1);

    public Interval {
        if (!(low <= high)) {
            throw new IllegalArgumentException("An interval from " + low + " to " + high + " holds nothing");
        }
    }

    /** The interval {@code centre ∓ half}, cut to what lies within {@code limits}. */
    public static Interval around(double centre, double half, Interval limits) {
        return new Interval(limits.nearest(centre - half), limits.nearest(centre + half));
    }

    /** {@code value}, or the end that is nearest to it. */
    public double nearest(double value) {
        return Math.clamp(value, low, high);
    }
}
