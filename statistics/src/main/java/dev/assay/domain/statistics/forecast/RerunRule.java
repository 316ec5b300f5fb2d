package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.Threshold;

/** The rule of a gate that is asked again about the same cases. */
public sealed interface RerunRule {

    /**
     * A share of the cases must pass.
     *
     * @param trials of each case when it is run again, at least 1
     * @param pass share of its trials that a case needs
     * @param suite share of cases that must pass
     */
    record Thresholds(int trials, Threshold pass, Threshold suite) implements RerunRule {}

    /** The trials that pass are counted: the verdicts depend on the mean of the case rates. */
    non-sealed interface OfMean extends RerunRule {

        /**
         * The verdicts for means in a range.
         *
         * @param low the least mean that counts, 0–1
         * @param spread share of {@code mean (1 − mean)} that lies between the cases, 0–1
         */
        Verdicts within(double low, double high, double spread);
    }

    /** The verdicts by the mean of the case rates. */
    interface Verdicts {

        /** How probable it passes where the mean has this deviation around {@code mean}, 0–1. */
        double passes(double mean, double deviation);

        /** The same for FAIL. */
        double fails(double mean, double deviation);
    }
}
