package dev.assay.domain.gate.forecast;

import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.forecast.RerunRule;

/** The verdicts of looks at the passed trials, by the mean of the case rates: a table that is read between its places. */
final class RateCurve implements RerunRule.Verdicts {

    private static final int STEPS = 64;
    private static final int POINTS = 16;
    private static final double[] NORMAL = normal();

    private final double low;
    private final double width;
    private final double[] passes = new double[STEPS + 1];
    private final double[] fails = new double[STEPS + 1];

    /** @param spread share of {@code mean (1 − mean)} that lies between the cases, 0–1 */
    RateCurve(int cases, double low, double high, double spread, RateLooks.Look... looks) {
        this.low = low;
        this.width = high - low;
        for (int i = 0; i <= STEPS; i++) {
            RateLooks.Followed followed = new RateLooks.Followed(cases, low + width * i / STEPS, spread, looks);
            passes[i] = followed.passes();
            fails[i] = followed.fails();
        }
    }

    @Override
    public double passes(double mean, double deviation) {
        return read(passes, mean, deviation);
    }

    @Override
    public double fails(double mean, double deviation) {
        return read(fails, mean, deviation);
    }

    /** The mean over the middles of equally probable parts of the normal distribution. */
    private double read(double[] table, double mean, double deviation) {
        double sum = 0;
        for (double point : NORMAL) {
            double place = width <= 0 ? 0 : Math.clamp((mean + point * deviation - low) / width, 0, 1) * STEPS;
            int below = Math.min((int) place, STEPS - 1);
            sum += table[below] + (table[below + 1] - table[below]) * (place - below);
        }
        return sum / POINTS;
    }

    private static double[] normal() {
        double[] points = new double[POINTS];
        for (int i = 0; i < POINTS; i++) {
            points[i] = Quantiles.below((i + 0.5) / POINTS);
        }
        return points;
    }
}
