package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The difference that a comparison of so many cases finds at 95 %, in four of five repetitions, by how much its own cases differ.
 * Formula: {@code (z of level + z of power) √(V / cases)} with the V of {@link PairedDifference}.
 *
 * @param smallest the smallest difference of trial rates that is found, 0–1
 * @param casesNeeded the cases that would rule out a drop of the margin when there is none. Null for a margin of 0, which no number
 *     of cases rules out
 */
public record DetectableDifference(
        double smallest, @Nullable Long casesNeeded) {

    private static final double POWER = 0.8;

    /**
     * The detectable difference; null when no case is shared.
     *
     * @param first the trials of each shared case with the first; what is unknown failed
     * @param second the same with the second, in the same order
     * @param margin the drop that is accepted, 0–1
     */
    public static @Nullable DetectableDifference of(List<CaseCounts> first, List<CaseCounts> second, double margin) {
        if (first.isEmpty()) {
            return null;
        }
        double[] differences = new double[first.size()];
        Arrays.setAll(differences, i -> second.get(i).lowest() - first.get(i).lowest());
        Arrays.sort(differences);
        double variance = PairedDifference.variance(differences);
        double reach = Quantiles.normal(Quantiles.LEVEL) + Quantiles.below(POWER);
        return new DetectableDifference(
                Math.min(1, reach * Math.sqrt(variance / differences.length)),
                margin == 0 ? null : (Long) (long) Math.ceil(reach * reach * variance / (margin * margin)));
    }
}
