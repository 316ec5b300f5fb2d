package dev.assay.domain.report;

import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.NonInferiority;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.comparison.PairedDifference;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a gated branch with its baseline. The names are those of the report's JSON.
 *
 * @param branchId the gated branch
 * @param campaign the earlier campaign
 * @param baselineBranch its branch; null: it has none to compare with
 * @param maxDrop the drop that is accepted, 0–1
 * @param verdict PASS when the branch fell behind by no more than that, FAIL when by more, INCONCLUSIVE when the data decide neither
 * @param difference trial rate of the branch minus that of the baseline
 */
public record BaselineReport(
        String branchId,
        String campaign,
        @Nullable String baselineBranch,
        double maxDrop,
        Verdict verdict,
        Difference difference) {

    /**
     * A difference of trial rates.
     *
     * @param value −1 … 1; null without a shared case
     * @param low lower end of its 95 % interval; null as {@code value}
     * @param high upper end
     * @param cases cases that both have, with the same content
     */
    public record Difference(
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high,
            int cases) {}

    /** The report on a difference that is candidate minus baseline. */
    public static BaselineReport of(
            String branchId, BaselineRule rule, @Nullable String baselineBranch, PairedDifference difference) {
        Interval interval = difference.interval();
        return new BaselineReport(
                branchId,
                rule.campaign(),
                baselineBranch,
                rule.maxDrop(),
                NonInferiority.verdict(difference, rule.maxDrop()),
                new Difference(
                        difference.value(),
                        interval == null ? null : interval.low(),
                        interval == null ? null : interval.high(),
                        difference.cases()));
    }
}
