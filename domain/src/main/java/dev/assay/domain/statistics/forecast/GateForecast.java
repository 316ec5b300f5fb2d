package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.Threshold;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The probability that a planned campaign passes its gate: the gate's operating characteristic. Case rates are Beta with a given
 * mean and intraclass correlation.
 *
 * @param cases at least 1
 * @param trials of each case, at least 1
 * @param pass share of its trials that a case needs
 * @param suite share of cases that must pass
 */
public record GateForecast(int cases, int trials, Threshold pass, Threshold suite) {

    /**
     * The probability, 0–1.
     *
     * @param rate the mean of the case rates, 0–1
     * @param icc how much cases differ: 0 not at all, 1 every case passes always or never
     */
    public double passes(double rate, double icc) {
        int needed = pass.needed(trials);
        double caseRate;
        if (needed > trials) {
            caseRate = 0;
        } else if (icc <= 0 || rate == 0 || rate == 1) {
            caseRate = BinomialDistribution.of(trials, rate).survivalProbability(needed - 1);
        } else if (icc >= 1) {
            caseRate = needed > 0 ? rate : 1;
        } else {
            double size = (1 - icc) / icc;
            caseRate = new BetaBinomial(rate * size, (1 - rate) * size, trials)
                    .atLeast(needed, trials, 0, 0, BetaBinomial.risingLogs(1, trials));
        }
        return BinomialDistribution.of(cases, caseRate).survivalProbability(suite.needed(cases) - 1);
    }

    /** The probability that two runs agree, 0.5–1: both pass or both fail. */
    public double sameTwice(double rate, double icc) {
        double passes = passes(rate, icc);
        return passes * passes + (1 - passes) * (1 - passes);
    }
}
