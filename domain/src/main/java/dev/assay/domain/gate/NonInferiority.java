package dev.assay.domain.gate;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.comparison.PairedDifference;

/** The rule that a candidate is worse than its baseline by no more than a margin. */
public final class NonInferiority {

    private NonInferiority() {}

    /**
     * PASS when the interval's lower end is at least {@code −margin}, FAIL when its upper end is below it, else INCONCLUSIVE.
     *
     * @param difference candidate minus baseline; without a shared case it is INCONCLUSIVE
     * @param margin the drop that is accepted, 0–1; 0 asks for no loss at all
     */
    public static Verdict verdict(PairedDifference difference, double margin) {
        Interval interval = difference.interval();
        if (interval == null) {
            return Verdict.INCONCLUSIVE;
        }
        if (interval.low() >= -margin) {
            return Verdict.PASS;
        }
        return interval.high() < -margin ? Verdict.FAIL : Verdict.INCONCLUSIVE;
    }
}
