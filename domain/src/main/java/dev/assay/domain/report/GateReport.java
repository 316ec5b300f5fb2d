package dev.assay.domain.report;

import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.RerunAgreement;
import dev.assay.domain.gate.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of the gate on a campaign, and its reasons. The names are those of the report's JSON.
 *
 * @param verdict what the gate says
 * @param reasons why it is INCONCLUSIVE; else empty, as in older summaries
 * @param passThreshold share of a case's trials that must pass, 0–1
 * @param suiteThreshold share of cases that must pass, 0–1
 * @param rateRule what stands in the place of the thresholds; null: they decide
 * @param rerunAgreement how probable the same campaign, run again, gets the same verdict from the thresholds, 0–1; null where
 *     {@code why} says so, and in older summaries
 * @param why why there is no agreement; null: there is one
 * @param errorRate share of the gated branches' trials that ended in an error, 0–1; null in older summaries
 * @param baselines how each gated branch stands beside the baseline; empty: there is none
 */
public record GateReport(
        Verdict verdict,
        List<GateReason> reasons,
        double passThreshold,
        double suiteThreshold,
        @Nullable RateRule rateRule,
        @Nullable Double rerunAgreement,
        Repeatability.@Nullable Why why,
        @Nullable Double errorRate,
        List<BaselineReport> baselines) {

    public GateReport {
        reasons = reasons == null ? List.of() : List.copyOf(reasons);
        baselines = baselines == null ? List.of() : List.copyOf(baselines);
    }

    /** The verdict of the thresholds alone, of a summary that has no more. */
    public GateReport(Verdict verdict, double passThreshold, double suiteThreshold) {
        this(verdict, List.of(), passThreshold, suiteThreshold, null, null, null, null, List.of());
    }

    /**
     * Decides, without the baseline.
     *
     * @param gated the branches that the gate looks at, at least one
     */
    static GateReport of(GatePolicy gate, List<BranchSummary> gated) {
        Verdict counted =
                Verdict.ofAll(gated.stream().map(BranchSummary::verdict).toList());
        int errors = gated.stream().mapToInt(one -> one.trials().errors()).sum();
        int trials = gated.stream().mapToInt(one -> one.trials().all()).sum();
        Double agreement = gate.countsCases() ? agreement(counted, gated) : null;
        GateDecision decision = gate.rule() == null
                ? GateDecision.of(counted, agreement, errors, trials, gate.demands())
                : GateDecision.ofLook(counted)
                        .withErrors(errors, trials, gate.demands().maxErrorRate());
        return new GateReport(
                decision.verdict(),
                decision.reasons(),
                gate.passThreshold(),
                gate.effectiveSuiteThreshold(),
                gate.rule(),
                agreement,
                agreement != null || !gate.countsCases() ? null : why(counted),
                (double) errors / trials,
                List.of());
    }

    private static @Nullable Double agreement(Verdict counted, List<BranchSummary> gated) {
        List<@Nullable Double> passes = new ArrayList<>();
        gated.forEach(branch -> passes.add(branch.repeatability().rerunPass()));
        return RerunAgreement.of(counted, passes);
    }

    private static Repeatability.Why why(Verdict counted) {
        return counted == Verdict.INCONCLUSIVE ? Repeatability.Why.INCONCLUSIVE : Repeatability.Why.TOO_FEW_REPEATS;
    }

    /** The same beside a baseline: no gated branch may fall behind. */
    GateReport beside(List<BaselineReport> compared) {
        GateDecision decision = new GateDecision(verdict, reasons);
        for (BaselineReport one : compared) {
            decision = decision.and(
                    GateDecision.ofBaseline(one.verdict(), one.difference().cases()));
        }
        return new GateReport(
                decision.verdict(),
                decision.reasons(),
                passThreshold,
                suiteThreshold,
                rateRule,
                rerunAgreement,
                why,
                errorRate,
                compared);
    }
}
