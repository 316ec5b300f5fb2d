package dev.assay.domain.statistics.forecast;

import dev.assay.domain.statistics.Threshold;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The probability that a planned campaign passes its thresholds: their operating characteristic. Case rates are Beta with a given
 * mean and intraclass correlation.
 *
 * @param cases at least 1
 * @param trials of each case, at least 1
 * @param pass share of its trials that a case needs
 * @param suite share of cases that must pass
 */
public record GateForecast(int cases, int trials, Threshold pass, Threshold suite) {

    /** Numbers of cases that are less probable change no shown digit. */
    private static final double NEGLIGIBLE = 1e-13;

    /**
     * The probability, 0–1.
     *
     * @param rate the mean of the case rates, 0–1
     * @param icc how much cases differ: 0 not at all, 1 every case passes always or never
     */
    public double passes(double rate, double icc) {
        double once = new CaseChances(rate, icc).atLeast(pass.needed(trials), trials);
        return BinomialDistribution.of(cases, once).survivalProbability(suite.needed(cases) - 1);
    }

    /**
     * The probability that two runs of the same cases both pass, 0–1. A case that passes once passes again with a higher
     * probability: it keeps its rate. So of S cases that pass in the first run, and of the others, binomial numbers pass again.
     */
    public double passesTwice(double rate, double icc) {
        CaseChances one = new CaseChances(rate, icc);
        int needed = pass.needed(trials);
        double once = one.atLeast(needed, trials);
        double twice = one.atLeastTwice(needed, trials);
        double again = once == 0 ? 0 : twice / once;
        double after = once == 1 ? 0 : Math.clamp((once - twice) / (1 - once), 0, 1);
        BinomialDistribution first = BinomialDistribution.of(cases, once);
        int enough = suite.needed(cases);
        double sum = 0;
        for (int passed = Math.max(0, enough); passed <= cases; passed++) {
            double chance = first.probability(passed);
            if (chance > NEGLIGIBLE) {
                sum += chance * TwoCounts.atLeast(enough, passed, again, cases - passed, after);
            }
        }
        return Math.clamp(sum, 0, 1);
    }
}
