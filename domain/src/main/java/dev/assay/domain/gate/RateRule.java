package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A gate that asks for certainty: PASS or FAIL only when the trials are enough to be sure (see {@link SureLook}). It stands in the
 * place of the thresholds.
 *
 * @param metric what must be reached
 * @param threshold the rate that each gated branch must have, 0–1
 * @param alpha how often the verdict may be wrong, above 0 and below 1
 */
public record RateRule(Metric metric, double threshold, double alpha) {

    public static final double DEFAULT_ALPHA = 0.05;

    /** The quantity that a rule looks at. */
    public enum Metric {
        /** The pass rate of the trials of these very cases. */
        @JsonProperty("trial-rate")
        TRIAL_RATE
    }

    public RateRule {
        if (!(threshold >= 0 && threshold <= 1)) {
            throw new IllegalArgumentException("A rule's threshold must be between 0 and 1");
        }
        if (!(alpha > 0 && alpha < 1)) {
            throw new IllegalArgumentException("A rule's alpha must be above 0 and below 1");
        }
    }

    /**
     * The verdict on one branch. To pass, all branches must, which needs no correction; each could make the campaign fail, so a
     * FAIL takes its share of alpha.
     *
     * @param unknown its trials of which nothing is known
     * @param of all its trials, at least 1
     * @param branches branches that the gate looks at, at least 1
     */
    public Verdict verdict(int passed, int unknown, int of, int branches) {
        double side = alpha / 2;
        if (SureLook.verdict(passed, unknown, of, threshold, side) == Verdict.PASS) {
            return Verdict.PASS;
        }
        boolean fails = SureLook.verdict(passed, unknown, of, threshold, side / branches) == Verdict.FAIL;
        return fails ? Verdict.FAIL : Verdict.INCONCLUSIVE;
    }
}
