package dev.assay.domain.statistics;

import java.util.function.DoublePredicate;

/** The search for a bound by halving, to the precision of a double in 0–1. */
public final class Halving {

    private static final int STEPS = 60;

    private Halving() {}

    /**
     * The least number that is enough.
     *
     * @param missed a number that is not enough
     * @param enough whether a number is; all above one that is are, too
     */
    public static double least(double missed, double found, DoublePredicate enough) {
        double low = missed;
        double high = found;
        for (int i = 0; i < STEPS; i++) {
            double middle = (low + high) / 2;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }
}
