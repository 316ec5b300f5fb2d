package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.EffectiveSize;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;

/**
 * The precision of so many cases and trials. The variance of a rate p is p (1 − p). Its share {@code icc} lies between cases, and
 * only more cases lessen it. The rest lies within them, and more trials lessen it, too (Miller 2024).
 *
 * @param trials of each case, at least 1
 * @param rate the pass rate that is expected, 0–1
 * @param icc the intraclass correlation that is expected, 0–1
 * @param correlation of the case rates of two that are compared, −1 … 1
 */
public record PrecisionForecast(int trials, double rate, double icc, double correlation) {

    /** The default power of a plan: four of five such differences are found. */
    public static final double POWER = 0.8;

    /** Where a quotient that is exactly whole comes out a hair above it, no case is added. */
    private static final double ROUNDING = 1e-9;

    /** Half the interval of the pass rate of other cases like these, z √(p (1 − p) (icc + (1 − icc) / trials) / cases). */
    public double halfWidth(int cases, double level) {
        return Quantiles.normal(level) * Math.sqrt(rate * (1 - rate) * (icc + (1 - icc) / trials) / cases);
    }

    /** Half the interval of the pass rate of these very cases, run again: the variance within cases only. */
    public double halfWidthRunAgain(int cases, double level) {
        return Quantiles.normal(level) * Math.sqrt(rate * (1 - rate) * (1 - icc) / ((double) cases * trials));
    }

    /**
     * Half the interval that a report will have ({@code TrialRate}): Clopper and Pearson's around the rate. Its effective size is that
     * of case rates of the expected variance s² = p (1 − p) (icc + (1 − icc) / trials).
     *
     * @param groups how many groups of related cases, each a case of its own where cases are not related
     * @param independent k of {@link EffectiveSize}: as many groups of one size as these are worth
     */
    public double printedHalfWidth(int cases, int groups, double independent, double level) {
        double one = rate * (1 - rate) * (icc + (1 - icc) / trials);
        // The mean of the cases varies, too, which takes a part of the variance that is left around it.
        double meanSquare = rate * rate + one * groups / cases - one * independent / cases / (independent + 2);
        double size = EffectiveSize.of(independent, rate, meanSquare, (double) cases * trials);
        return half(ClopperPearson.of(rate, size, level));
    }

    /** The same of these very cases, run again. */
    public double printedHalfWidthRunAgain(int cases, double level) {
        return half(ClopperPearson.of(rate, (double) cases * trials, level));
    }

    private static double half(Interval interval) {
        return (interval.high() - interval.low()) / 2;
    }

    /**
     * The smallest difference of two on the same cases that is found: (z of level + z of power) √(V / cases).
     *
     * @param power how often it is found, above 0 and below 1
     */
    public double smallestDifference(int cases, double power, double level) {
        return reach(power, level) * Math.sqrt(pairVariance(rate) / cases);
    }

    /**
     * The cases that are needed to find {@code difference}.
     *
     * @param difference from {@code rate}, not 0; what it leads to is held in 0–1
     * @param power how often it is found, above 0 and below 1
     * @return at least 0; {@link Long#MAX_VALUE} where it would be more
     */
    public long casesNeeded(double difference, double power, double level) {
        if (difference == 0) {
            throw new IllegalArgumentException("No number of cases finds a difference of 0");
        }
        double reach = reach(power, level);
        double variance = pairVariance(Math.clamp(rate + difference, 0, 1));
        return (long) Math.ceil(reach * reach * variance / (difference * difference) - ROUNDING);
    }

    /** The variance of the difference of one case between this rate and {@code other}: between cases, and within over trials. */
    public double pairVariance(double other) {
        double first = rate * (1 - rate);
        double second = other * (1 - other);
        double between = icc * (first + second - 2 * correlation * Math.sqrt(first * second));
        return between + (1 - icc) * (first + second) / trials;
    }

    private static double reach(double power, double level) {
        return Quantiles.normal(level) + Quantiles.below(power);
    }
}
