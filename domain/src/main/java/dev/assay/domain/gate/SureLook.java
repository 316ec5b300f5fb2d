package dev.assay.domain.gate;

import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.Interval;

/** One look at the trials of complete rounds: the verdict of the trial rate when it is sure enough. */
public final class SureLook {

    private SureLook() {}

    /**
     * PASS when the interval lies at or above {@code threshold}, FAIL when it lies below, else INCONCLUSIVE. The interval is exact
     * ({@link ClopperPearson}) with {@code error} on each side, and holds for cases that differ (Hoeffding 1956).
     *
     * @param passed trials that passed; missing evidence counts as failed for PASS and as passed for FAIL
     * @param of all trials of the complete rounds, at least 1
     * @param threshold the trial rate that must be reached, 0–1
     * @param error how often this look may be wrong on one side, above 0 and below ½: of {@code LookErrors}
     */
    public static Verdict verdict(int passed, int of, double threshold, double error) {
        return verdict(passed, 0, of, threshold, error);
    }

    /** As {@link #verdict(int, int, double, double)}, with {@code unknown} trials without evidence. */
    public static Verdict verdict(int passed, int unknown, int of, double threshold, double error) {
        double level = 1 - 2 * error;
        Interval low = ClopperPearson.of((double) passed / of, of, level);
        if (low.low() >= threshold) {
            return Verdict.PASS;
        }
        Interval high = unknown == 0 ? low : ClopperPearson.of((double) (passed + unknown) / of, of, level);
        return high.high() < threshold ? Verdict.FAIL : Verdict.INCONCLUSIVE;
    }
}
