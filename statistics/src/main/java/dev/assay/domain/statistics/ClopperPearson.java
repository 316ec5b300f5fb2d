package dev.assay.domain.statistics;

/**
 * The exact interval of a rate (Clopper and Pearson 1934), with a sample size that need not be whole (Korn and Graubard 1998). With
 * s = rate · size and a = (1 − level) / 2 it begins at the a-quantile of {@code Beta(s, size − s + 1)}. It ends at the (1 −
 * a)-quantile of {@code Beta(s + 1, size − s)}. It begins at 0 exactly when nothing passed, and ends at 1 when everything did.
 */
public final class ClopperPearson {

    /** Rounding may move a rate of nothing or everything this far, for each of the sample. */
    private static final double ROUNDING = 1e-9;

    private ClopperPearson() {}

    /** The interval at 95 %. */
    public static Interval of(double rate, double size) {
        return of(rate, size, Quantiles.LEVEL);
    }

    /**
     * The interval.
     *
     * @param rate what was observed; held in 0–1
     * @param size independent observations that the rate is worth, above 0
     * @param level how often such intervals cover the true rate at least, above 0 and below 1
     */
    public static Interval of(double rate, double size, double level) {
        if (!(size > 0 && level > 0 && level < 1)) {
            throw new IllegalArgumentException("No interval at level " + level + " of " + size + " observations");
        }
        double tail = (1 - level) / 2;
        double successes = Interval.UNIT.nearest(rate) * size;
        double failures = size - successes;
        double low = successes <= ROUNDING * size ? 0 : Quantiles.beta(tail, successes, failures + 1);
        double high = failures <= ROUNDING * size ? 1 : Quantiles.beta(1 - tail, successes + 1, failures);
        return new Interval(low, high);
    }
}
