package dev.assay.domain.gate.forecast;

import dev.assay.domain.statistics.Halving;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PlusFour;
import java.util.function.DoublePredicate;

/**
 * The earlier campaign beside which a planned one stands.
 *
 * @param rate the mean of its case rates, 0–1
 * @param trials of each of its cases, at least 1
 * @param shared cases that both have, at least 0
 * @param correlation of the case rates of both, −1 … 1
 */
public record BaselineRates(double rate, int trials, int shared, double correlation) {

    /** The correlation of the case rates of two branches, where nothing is known of it. */
    public static final double CORRELATION = 0.5;

    /** One of which nothing is known: it is as good as what is planned, with as many trials. */
    static BaselineRates like(PlannedSuite suite) {
        return new BaselineRates(suite.rate(), suite.trials(), suite.cases(), CORRELATION);
    }

    /** The planned trials of the shared cases. */
    PlannedSuite sharedBy(PlannedSuite suite) {
        return new PlannedSuite(shared, suite.trials(), suite.rate(), suite.icc());
    }

    /**
     * The bounds of the trials that pass: where the interval of the difference ({@code PairedDifference}) begins at −maxDrop, and
     * where it ends there. A difference d has the variance that cases have at the rates r and r + d.
     */
    RateLooks.Look look(PlannedSuite suite, double maxDrop) {
        long all = (long) shared * suite.trials();
        double passFrom = least(d -> end(suite, d, -1) >= -maxDrop);
        double failBelow = least(d -> end(suite, d, 1) >= -maxDrop);
        return new RateLooks.Look(
                suite.trials(),
                passFrom > 1 - rate ? all + 1 : (long) Math.ceil(all * (rate + passFrom) - 1e-6),
                failBelow > 1 - rate ? all : (long) Math.ceil(all * (rate + failBelow) - 1e-6) - 1);
    }

    /** The least difference that is enough; 2 when none is. Larger ones are enough, too. */
    private double least(DoublePredicate enough) {
        double low = -rate;
        double high = 1 - rate;
        if (!enough.test(high)) {
            return 2;
        }
        if (enough.test(low)) {
            return low;
        }
        return Halving.least(low, high, enough);
    }

    /** @param side −1: the lower end of the interval; 1: the upper one */
    private double end(PlannedSuite suite, double difference, int side) {
        double one = variance(suite, Interval.UNIT.nearest(rate + difference)) * (shared - 1) / shared;
        PlusFour expected = PlusFour.of(shared * difference, shared * (one + difference * difference), shared);
        return expected.centre() + side * Quantiles.normal(Quantiles.LEVEL) * expected.error();
    }

    /** Of the difference of one case, whose trials pass at {@code other} in the planned campaign. */
    private double variance(PlannedSuite suite, double other) {
        double before = rate * (1 - rate);
        double after = other * (1 - other);
        double icc = suite.icc();
        double between = icc * (before + after - 2 * correlation * Math.sqrt(before * after));
        return between + (1 - icc) * (before / trials + after / suite.trials());
    }
}
