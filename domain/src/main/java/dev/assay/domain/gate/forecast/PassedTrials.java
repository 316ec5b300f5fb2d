package dev.assay.domain.gate.forecast;

import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The number of trials that pass in some rounds of a suite with a known mean rate m. Cases of rate {@code m + √s (1 − m)} and
 * {@code m − √s m}, in the proportion m to 1 − m, have that mean and the spread s. Up to {@value #MOST_EXACT} trials their passes
 * are counted, beyond them the normal distribution of the same mean and variance stands on a lattice.
 */
final class PassedTrials {

    static final int MOST_EXACT = 500;

    private static final double REACH = 8;
    private static final double FLAT = 1e-9;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    private final int first;
    private final double[] chances;

    private PassedTrials(int first, double[] chances) {
        this.first = first;
        this.chances = chances;
    }

    /** The place of the first number on the lattice. */
    int first() {
        return first;
    }

    /** The chance of each number, from the first on. */
    double[] chances() {
        return chances;
    }

    /** The passes of {@code trials}, at steps of {@code step} at least. */
    static PassedTrials of(int trials, double mean, double spread, double step) {
        return trials <= MOST_EXACT && step <= 1
                ? exact(trials, mean, spread)
                : normal(trials * mean, variance(trials, mean, spread), step);
    }

    /** The step of a lattice on which passes of {@code trials} have so many steps to their standard deviation; 1 at least. */
    static double step(int trials, double mean, double spread, double steps) {
        return trials <= MOST_EXACT ? 1 : Math.max(1, Math.sqrt(variance(trials, mean, spread)) / steps);
    }

    private static double variance(int trials, double mean, double spread) {
        return trials * mean * (1 - mean) * (1 - spread);
    }

    /** A part of a case is a case with a probability: both neighbours count. */
    private static PassedTrials exact(int trials, double mean, double spread) {
        double easy = mean + Math.sqrt(spread) * (1 - mean);
        double hard = mean - Math.sqrt(spread) * mean;
        double wanted = trials * mean;
        int fewer = (int) Math.min(trials, Math.floor(wanted + FLAT));
        double part = Math.clamp(wanted - fewer, 0, 1);
        double[] chances = sum(fewer, easy, trials - fewer, hard);
        if (part > FLAT && fewer < trials) {
            double[] more = sum(fewer + 1, easy, trials - fewer - 1, hard);
            for (int i = 0; i <= trials; i++) {
                chances[i] = (1 - part) * chances[i] + part * more[i];
            }
        }
        return new PassedTrials(0, chances);
    }

    private static double[] sum(int first, double chance, int second, double other) {
        BinomialDistribution others = BinomialDistribution.of(second, Math.clamp(other, 0, 1));
        BinomialDistribution ones = BinomialDistribution.of(first, Math.clamp(chance, 0, 1));
        double[] right = new double[second + 1];
        for (int i = 0; i <= second; i++) {
            right[i] = others.probability(i);
        }
        double[] sums = new double[first + second + 1];
        for (int i = 0; i <= first; i++) {
            double left = ones.probability(i);
            for (int j = 0; left > 0 && j <= second; j++) {
                sums[i + j] += left * right[j];
            }
        }
        return sums;
    }

    /** Each number takes what lies near it, by how near: so the mean stays what it is. The variance that this adds is taken off. */
    private static PassedTrials normal(double mean, double variance, double step) {
        double deviation = Math.sqrt(Math.max(variance - step * step / 6, FLAT)) / step;
        double centre = mean / step;
        int first = (int) Math.floor(centre - REACH * deviation) - 1;
        int last = (int) Math.ceil(centre + REACH * deviation) + 1;
        double[] chances = new double[last - first + 1];
        for (int i = 0; i < chances.length; i++) {
            double at = first + i - centre;
            chances[i] = Math.max(0, below(at - 1, deviation) - 2 * below(at, deviation) + below(at + 1, deviation));
        }
        return new PassedTrials(first, chances);
    }

    /** How far a normal variable around 0 lies below {@code at} on average, where it does: ∫ Φ. */
    private static double below(double at, double deviation) {
        double z = at / deviation;
        return deviation * (z * NORMAL.cumulativeProbability(z) + NORMAL.density(z));
    }
}
