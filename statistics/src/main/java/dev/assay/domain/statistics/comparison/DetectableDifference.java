package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The difference that a comparison of so many cases finds at 95 %, in four of five repetitions. It is the {@link FindableDifference}
 * with the measured V of {@link PairedDifference}, whose four pseudo-cases keep it above 0.
 *
 * @param smallest the smallest difference of trial rates that is found, 0–1; null when the cases find none
 * @param casesNeeded the cases that would rule out a drop of the margin when there is none. Null for a margin of 0, which no number
 *     of cases rules out
 * @param why why there is no smallest difference; null: there is one
 */
public record DetectableDifference(
        @Nullable Double smallest, @Nullable Long casesNeeded, FindableDifference.@Nullable Why why) {

    private static final double POWER = 0.8;

    /**
     * The detectable difference; null when no case is shared.
     *
     * @param first the trials of each shared case with the first; what is unknown failed
     * @param second the same with the second, in the same order
     * @param margin the drop that is accepted, 0–1
     */
    public static @Nullable DetectableDifference of(List<CaseCounts> first, List<CaseCounts> second, double margin) {
        double[] differences = new double[first.size()];
        Arrays.setAll(differences, i -> second.get(i).lowest() - first.get(i).lowest());
        return of(differences, margin);
    }

    /**
     * The detectable difference; null when no case is shared.
     *
     * @param differences of the rates of each shared case, −1 … 1, in any order
     * @param margin the drop that is accepted, 0–1
     */
    public static @Nullable DetectableDifference of(double[] differences, double margin) {
        if (differences.length == 0) {
            return null;
        }
        double[] sorted = differences.clone();
        Arrays.sort(sorted);
        double variance = PlusFour.of(sorted).variance();
        FindableDifference findable = new FindableDifference(_ -> variance, 1, POWER, Quantiles.LEVEL);
        Double smallest = findable.smallest(sorted.length);
        return new DetectableDifference(
                smallest,
                findable.casesToRuleOut(margin),
                smallest == null ? FindableDifference.Why.NONE_FINDABLE : null);
    }
}
