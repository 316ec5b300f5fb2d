package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.LostParts;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.RerunAgreement;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.forecast.RerunChances;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verdict of the gate on a campaign, and its reasons. The names are those of the report's JSON.
 *
 * @param reasons why it is INCONCLUSIVE; else empty, as in older summaries
 * @param passThreshold share of a case's trials that must pass, 0–1
 * @param suiteThreshold share of cases that must pass, 0–1
 * @param rateRule what stands in the place of the thresholds; null: they decide
 * @param rerun what it would say of the campaign, run again
 * @param rerunAgreement how probable the same campaign, run again, gets the same verdict, 0–1; null where {@code why} says so, and
 *     in older summaries
 * @param why why there is no agreement; null: there is one
 * @param errorRate share of the gated branches' trials that were asked that ended in an error, 0–1; null when none was
 *     asked, and in older summaries
 * @param lost what an import left out; null: nothing
 * @param baselines how each gated branch stands beside the baseline; empty: there is none
 */
public record GateReport(
        Verdict verdict,
        List<GateReason> reasons,
        double passThreshold,
        double suiteThreshold,
        @Nullable RateRule rateRule,
        @JsonUnwrapped RerunVerdicts rerun,
        @Nullable Double rerunAgreement,
        Repeatability.@Nullable Why why,
        @Nullable Double errorRate,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable LostParts lost,
        List<BaselineReport> baselines) {

    public GateReport {
        reasons = reasons == null ? List.of() : List.copyOf(reasons);
        rerun = rerun == null ? RerunVerdicts.UNKNOWN : rerun;
        baselines = baselines == null ? List.of() : List.copyOf(baselines);
    }

    /** The verdict of the thresholds alone, of a summary that has no more. */
    public GateReport(Verdict verdict, double passThreshold, double suiteThreshold) {
        this(
                verdict,
                List.of(),
                passThreshold,
                suiteThreshold,
                null,
                RerunVerdicts.UNKNOWN,
                null,
                null,
                null,
                null,
                List.of());
    }

    /**
     * Decides, without the baseline. Beside one, the demands are made last: {@link #beside}.
     *
     * @param gated the branches that the gate looks at, at least one
     */
    static GateReport of(Gate gate, List<BranchSummary> gated) {
        GatePolicy policy = gate.policy();
        Verdict counted =
                Verdict.ofAll(gated.stream().map(BranchSummary::verdict).toList());
        int errors = gated.stream().mapToInt(one -> one.trials().errors()).sum();
        int asked = gated.stream().mapToInt(one -> one.trials().asked()).sum();
        Again again = Again.of(counted, gated);
        Double errorRate = asked == 0 ? null : (Double) ((double) errors / asked);
        GateDecision together = Gate.together(gated.stream()
                .map(one -> new GateDecision(one.verdict(), one.reasons()))
                .toList());
        GateDecision decision =
                policy.baseline() == null ? together.meeting(policy.demands(), again.agreement(), errorRate) : together;
        return new GateReport(
                decision.verdict(),
                decision.reasons(),
                policy.passThreshold(),
                policy.effectiveSuiteThreshold(),
                policy.rule(),
                again.rerun(),
                again.agreement(),
                again.why(),
                errorRate,
                policy.demands().lost(),
                List.of());
    }

    /** The verdicts that the gate would say, run again: the branches are independent. */
    private record Again(RerunVerdicts rerun, @Nullable Double agreement, Repeatability.@Nullable Why why) {

        static Again of(Verdict verdict, List<BranchSummary> gated) {
            List<@Nullable RerunChances> each = new ArrayList<>();
            gated.forEach(branch -> each.add(branch.repeatability().rerun().chances()));
            Double agreement = RerunAgreement.ofChances(verdict, each);
            RerunVerdicts rerun = RerunVerdicts.of(RerunAgreement.passes(each), RerunAgreement.fails(each));
            return new Again(rerun, agreement, agreement != null ? null : why(verdict, gated));
        }

        private static Repeatability.Why why(Verdict verdict, List<BranchSummary> gated) {
            if (verdict == Verdict.INCONCLUSIVE) {
                return Repeatability.Why.INCONCLUSIVE;
            }
            boolean alike =
                    gated.stream().anyMatch(branch -> branch.repeatability().why() == Repeatability.Why.TRIALS_ALIKE);
            return alike ? Repeatability.Why.TRIALS_ALIKE : Repeatability.Why.TOO_FEW_REPEATS;
        }
    }

    /**
     * The same beside a baseline: no gated branch may fall behind.
     *
     * @param demands what is asked beyond the thresholds
     */
    GateReport beside(List<BaselineReport> compared, GateDemands demands, List<BranchSummary> gated) {
        GateDecision counted = new GateDecision(verdict, reasons);
        for (BaselineReport one : compared) {
            counted = counted.and(one.decision());
        }
        Again again = Again.of(counted.verdict(), gated);
        GateDecision decision = counted.meeting(demands, again.agreement(), errorRate);
        return new GateReport(
                decision.verdict(),
                decision.reasons(),
                passThreshold,
                suiteThreshold,
                rateRule,
                again.rerun(),
                again.agreement(),
                again.why(),
                errorRate,
                lost,
                compared);
    }
}
