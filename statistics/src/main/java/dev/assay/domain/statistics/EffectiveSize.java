package dev.assay.domain.statistics;

import java.util.Arrays;
import org.apache.commons.numbers.core.Sum;

/**
 * The number of independent observations of 0 or 1 that the rates of cases are worth. Trials of one case are no independent ones:
 * two hundred trials of ten cases may say as little as ten.
 *
 * <p>There are k cases (1 / Σ w² for cases of weight w), with mean rate m and mean squared rate q. Then
 * {@code m⁺ = (k m + 1) / (k + 2)} and {@code v⁺ = (k q + 1 − (k + 2) m⁺²) / (k + 1)}. The size is {@code k m⁺ (1 − m⁺) / v⁺}, at
 * least k. The two pseudo-cases, one that always passes and one that never does, keep it finite (after Agresti and Coull 1998).
 */
public final class EffectiveSize {

    private EffectiveSize() {}

    /**
     * The effective size.
     *
     * @param cases k, at least 1
     * @param mean m, 0–1
     * @param meanSquare q, 0–1
     * @param most what the rates would be worth if all trials were independent; {@link Double#POSITIVE_INFINITY}: no bound
     */
    public static double of(double cases, double mean, double meanSquare, double most) {
        double centre = (cases * mean + 1) / (cases + 2);
        double variance = (cases * meanSquare + 1 - (cases + 2) * centre * centre) / (cases + 1);
        return Math.max(cases, Math.min(cases * centre * (1 - centre) / variance, most));
    }

    /** The effective size of {@code rates}, 0–1, in any order, at least one, that count the same. */
    public static double of(double[] rates) {
        double[] sorted = rates.clone();
        Arrays.sort(sorted);
        double mean = Sum.of(sorted).getAsDouble() / sorted.length;
        double meanSquare = Sum.ofProducts(sorted, sorted).getAsDouble() / sorted.length;
        return of(sorted.length, mean, meanSquare, Double.POSITIVE_INFINITY);
    }
}
