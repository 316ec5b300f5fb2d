package dev.assay.domain.gate.forecast;

/**
 * The trials of a branch that has not run, and how good it is taken to be.
 *
 * @param cases at least 1
 * @param trials of each case, at least 1
 * @param rate the true pass rate of trials, 0–1
 * @param icc share of the variance that lies between cases, 0–1
 */
public record PlannedSuite(int cases, int trials, double rate, double icc) {

    public PlannedSuite {
        if (cases < 1 || trials < 1) {
            throw new IllegalArgumentException(cases + " cases with " + trials + " trials make no campaign");
        }
    }

    /** All trials. */
    int all() {
        return Math.multiplyExact(cases, trials);
    }
}
