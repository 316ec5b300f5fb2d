package dev.assay.domain.statistics.comparison;

/**
 * The test of no difference between the rates of two on the same cases, by known trials alone.
 *
 * @param p two-sided, 0–1
 */
public record RateTest(double p, Method method) {

    /** The method that found a p-value. */
    public enum Method {
        /** {@link SignFlipTest}, exact: both have as many known trials in each case. */
        SIGN_FLIP,
        /** The same by the normal distribution: counting would take too long. */
        SIGN_FLIP_NORMAL,
        /** {@link PlusFour}, by t: known trials differ in a case, so differences lean to one side even without an effect. */
        STUDENTISED,
        /** {@link GroupedDifference}: cases are related. */
        JACKKNIFE
    }

    static RateTest of(SignFlipTest test) {
        return new RateTest(
                test.p(),
                switch (test.method()) {
                    case EXACT -> Method.SIGN_FLIP;
                    case NORMAL -> Method.SIGN_FLIP_NORMAL;
                });
    }
}
