package dev.assay.domain.report;

import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.gate.forecast.GateRerun;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.comparison.RateTest;
import dev.assay.domain.statistics.forecast.RerunChances;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of a gated branch with its baseline. The names are those of the report's JSON.
 *
 * @param baselineBranch its branch; null: it has none to compare with
 * @param maxDrop the drop that is accepted, 0–1
 * @param verdict PASS when the branch fell behind by no more than that, FAIL when by more, INCONCLUSIVE when the data decide neither
 * @param reasons why it is INCONCLUSIVE; else empty
 * @param difference trial rate of the branch minus that of the baseline
 * @param sharedDraws answers that both hold; null in older summaries
 * @param rerun what this says of the branch, run again; null where that is not known, and in older summaries
 */
public record BaselineReport(
        String branchId,
        String campaign,
        @Nullable String baselineBranch,
        double maxDrop,
        Verdict verdict,
        List<GateReason> reasons,
        Difference difference,
        @Nullable Integer sharedDraws,
        @Nullable RerunChances rerun) {

    public BaselineReport {
        // A summary of an earlier build has none.
        reasons = reasons != null
                ? List.copyOf(reasons)
                : verdict != Verdict.INCONCLUSIVE
                        ? List.of()
                        : List.of(difference.cases() == 0 ? GateReason.NO_SHARED_CASES : GateReason.UNSURE);
    }

    /**
     * A difference of trial rates.
     *
     * @param value −1 … 1, with what is unknown as failed; null without a shared case
     * @param low lower end of its 95 % interval; null as {@code value}, and with one group
     * @param cases cases that both have, with the same content
     * @param known the mean difference of what is known; null without a case of which both have a known trial, and in older summaries
     * @param groups of how many groups of related cases; null: cases are not related
     * @param p two-sided p-value of no difference, by what is known; null where nothing is, with one group, and in older summaries
     */
    public record Difference(
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high,
            int cases,
            @Nullable Double known,
            @Nullable Integer groups,
            @Nullable Double p) {}

    /**
     * The report on a branch beside its baseline.
     *
     * @param rates of the baseline, then of the branch
     * @param doubt about both
     */
    public static BaselineReport of(
            String branchId,
            BaselineRule rule,
            @Nullable String baselineBranch,
            PairedRates rates,
            Gate.Doubt doubt,
            int sharedDraws) {
        GateDecision decision = Gate.beside(rates, rule.maxDrop(), doubt);
        PairedDifference difference = rates.difference(Quantiles.LEVEL);
        RateTest test = rates.test();
        Interval interval = difference.interval();
        return new BaselineReport(
                branchId,
                rule.campaign(),
                baselineBranch,
                rule.maxDrop(),
                decision.verdict(),
                decision.reasons(),
                new Difference(
                        difference.value(),
                        interval == null ? null : interval.low(),
                        interval == null ? null : interval.high(),
                        difference.cases(),
                        rates.known().value(),
                        rates.groupCount(),
                        test == null ? null : (Double) test.p()),
                sharedDraws,
                GateRerun.beside(rates, rule.maxDrop()));
    }

    /** The same where others judged the baseline: it decides nothing, whatever the difference is. */
    public BaselineReport judgedOtherwise() {
        return difference.cases() == 0
                ? this
                : new BaselineReport(
                        branchId,
                        campaign,
                        baselineBranch,
                        maxDrop,
                        Verdict.INCONCLUSIVE,
                        List.of(GateReason.EVALUATORS_DIFFER),
                        difference,
                        sharedDraws,
                        null);
    }

    /** The part of the gate's decision that the baseline makes. */
    GateDecision decision() {
        return new GateDecision(verdict, reasons);
    }
}
