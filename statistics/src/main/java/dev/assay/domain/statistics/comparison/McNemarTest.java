package dev.assay.domain.statistics.comparison;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The exact test of McNemar (1947) on cases that pass or fail. Only those count on which the two differ. Without a difference each
 * of them falls either way like a coin.
 *
 * @param p two-sided, 0–1; 1 when they differ nowhere
 * @param pWorse one-sided: how often chance alone makes the second as bad as this
 * @param midP two-sided, with half of the outcome that was observed on each side (Lancaster 1961): less cautious
 */
public record McNemarTest(double p, double pWorse, double midP, int discordant) {

    /**
     * The test.
     *
     * @param onlyFirst cases that passed with the first alone
     * @param onlySecond cases that passed with the second alone
     */
    public static McNemarTest of(int onlyFirst, int onlySecond) {
        int discordant = Math.addExact(onlyFirst, onlySecond);
        if (discordant == 0) {
            return new McNemarTest(1, 1, 1, 0);
        }
        BinomialDistribution coins = BinomialDistribution.of(discordant, 0.5);
        int fewer = Math.min(onlyFirst, onlySecond);
        double tail = coins.cumulativeProbability(fewer);
        double point = coins.probability(fewer);
        double middle = onlyFirst == onlySecond ? 1 - point : 2 * (tail - point / 2);
        return new McNemarTest(
                Math.min(1, 2 * tail), coins.survivalProbability(onlyFirst - 1), Math.min(1, middle), discordant);
    }
}
