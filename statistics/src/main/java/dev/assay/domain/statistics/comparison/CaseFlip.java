package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.CaseCounts;
import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.FisherExactTest;

/** A test whether one case passes more or less often with the second of two: Fisher's exact test (1922) on its trials. */
public final class CaseFlip {

    private CaseFlip() {}

    /** The two-sided p-value, 0–1, over the trials of which something is known; 1 when one of the two has none. */
    public static double p(CaseCounts first, CaseCounts second) {
        int passed = first.passed() + second.passed();
        int known = first.known() + second.known();
        if (first.known() == 0 || second.known() == 0 || passed == 0 || passed == known) {
            return 1;
        }
        int[][] table = {
            {first.passed(), first.known() - first.passed()},
            {second.passed(), second.known() - second.passed()}
        };
        return FisherExactTest.withDefaults()
                .with(AlternativeHypothesis.TWO_SIDED)
                .test(table)
                .getPValue();
    }
}
