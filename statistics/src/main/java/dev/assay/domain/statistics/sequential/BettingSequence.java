package dev.assay.domain.statistics.sequential;

import dev.assay.domain.statistics.Interval;
import java.util.Arrays;

/**
 * An interval of the mean of values 0–1 in the order in which they came. It is valid at every moment at once (Waudby-Smith and
 * Ramdas 2024, hedged betting). A bet against each mean m = 0, 1/grid … 1 multiplies its stake by 1 ± λ (x − m). The mean stays in
 * while neither stake, halved, reached 1 / alpha. The interval is the hull of the means that stay, one step of the grid wider each
 * way.
 */
public final class BettingSequence {

    /** Bets stay below this share of what could be lost. */
    private static final double TRUNCATION = 0.5;

    private BettingSequence() {}

    /**
     * The interval after the last value, 0 to 1 when there is none.
     *
     * @param values 0–1; cases must have come in random order
     * @param alpha how often the interval may ever miss the mean, above 0 and below 1
     * @param grid how many steps the means are apart, at least 1
     */
    public static Interval of(double[] values, double alpha, int grid) {
        if (values.length == 0) {
            return Interval.UNIT;
        }
        double[] bets = bets(values, alpha);
        int first = -1;
        int last = -1;
        for (int i = 0; i <= grid; i++) {
            if (isIn((double) i / grid, values, bets, alpha)) {
                first = first < 0 ? i : first;
                last = i;
            }
        }
        if (first < 0) {
            double mean = Arrays.stream(values).average().orElseThrow();
            return new Interval(mean, mean);
        }
        return new Interval(Math.max(0, (first - 1.0) / grid), Math.min(1, (last + 1.0) / grid));
    }

    private static boolean isIn(double mean, double[] values, double[] bets, double alpha) {
        double up = 0;
        double down = 0;
        for (int i = 0; i < values.length; i++) {
            double surplus = values[i] - mean;
            double over = mean > 0 ? Math.min(bets[i], TRUNCATION / mean) : bets[i];
            double under = mean < 1 ? Math.min(bets[i], TRUNCATION / (1 - mean)) : bets[i];
            up += Math.log(Math.max(1 + over * surplus, 0));
            down += Math.log(Math.max(1 - under * surplus, 0));
        }
        return Math.max(up, down) - Math.log(2) < -Math.log(alpha);
    }

    /**
     * Bets that know only the values before them: {@code λₜ = √(2 ln(2 / alpha) / (vₜ₋₁ t ln(1 + t)))}. The running mean is
     * {@code (½ + Σ x) / (t + 1)}. The variance is {@code vₜ = (¼ + Σ (x − mean)²) / (t + 1)}, with v₀ = ¼.
     */
    private static double[] bets(double[] values, double alpha) {
        double[] bets = new double[values.length];
        double sum = 0.5;
        double squares = 0.25;
        double variance = 0.25;
        for (int i = 0; i < values.length; i++) {
            int time = i + 1;
            bets[i] = Math.sqrt(2 * Math.log(2 / alpha) / (variance * time * Math.log(1.0 + time)));
            sum += values[i];
            double deviation = values[i] - sum / (time + 1);
            squares += deviation * deviation;
            variance = squares / (time + 1);
        }
        return bets;
    }
}
