package dev.assay.domain.statistics.sequential;

import dev.assay.domain.statistics.Interval;
import java.util.function.DoublePredicate;
import org.apache.commons.numbers.gamma.LogBeta;

/**
 * An interval of a rate that is valid at every moment at once, whenever one looks or stops (Robbins 1970). It holds the rates m
 * with {@code B(s + ½, n − s + ½) / B(½, ½) / (mˢ (1 − m)ⁿ⁻ˢ) < 1 / alpha}. It depends on s and n only, not on their order. It also
 * holds for the mean rate of a suite at complete rounds.
 */
public final class MixtureSequence {

    private static final double PRIOR = 0.5;
    private static final double PRECISION = 1e-13;
    private static final int MOST_HALVINGS = 200;

    private MixtureSequence() {}

    /**
     * The interval, 0 to 1 when nothing is done yet.
     *
     * @param passed s, 0 to {@code done}
     * @param done n, at least 0
     * @param alpha how often the interval may ever miss the rate, above 0 and below 1
     */
    public static Interval of(long passed, long done, double alpha) {
        if (done == 0) {
            return Interval.UNIT;
        }
        double least = evidence(passed, done) + Math.log(alpha);
        DoublePredicate inside = rate -> least < logLikelihood(passed, done, rate);
        double rate = (double) passed / done;
        return new Interval(passed == 0 ? 0 : edge(inside, 0, rate), passed == done ? 1 : edge(inside, 1, rate));
    }

    /**
     * The evidence against the rate being {@code threshold}: it may be rejected at alpha when this ever reaches 1 / alpha.
     *
     * @param threshold above 0 and below 1
     * @return at least 0; above what a double holds it is infinite
     */
    public static double evidence(long passed, long done, double threshold) {
        return Math.exp(evidence(passed, done) - logLikelihood(passed, done, threshold));
    }

    private static double evidence(long passed, long done) {
        return LogBeta.value(passed + PRIOR, done - passed + PRIOR) - LogBeta.value(PRIOR, PRIOR);
    }

    private static double logLikelihood(long passed, long done, double rate) {
        double passes = passed == 0 ? 0 : passed * Math.log(rate);
        return passed == done ? passes : passes + (done - passed) * Math.log1p(-rate);
    }

    /** The end of the interval, found by halving. */
    private static double edge(DoublePredicate inside, double from, double to) {
        double out = from;
        double in = to;
        for (int i = 0; i < MOST_HALVINGS && Math.abs(out - in) >= PRECISION; i++) {
            double middle = (out + in) / 2;
            if (inside.test(middle)) {
                in = middle;
            } else {
                out = middle;
            }
        }
        return (out + in) / 2;
    }
}
