package dev.assay.domain.gate;

import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PairedRates;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gate of a campaign: the one place that turns evidence into verdicts.
 *
 * @param policy what must be reached
 * @param branches branches that the gate looks at, at least 1
 */
public record Gate(GatePolicy policy, int branches) {

    /**
     * The doubt about a branch's verdict: the trials that count as unknown in its bounds.
     *
     * @param missing trials that were not asked or have no result
     * @param redrawn trials whose first and last draw disagree
     */
    public record Doubt(int missing, int errors, int redrawn) {

        /** Of two together. */
        public Doubt and(Doubt other) {
            return new Doubt(missing + other.missing, errors + other.errors, redrawn + other.redrawn);
        }

        /** Why a verdict that it could turn is INCONCLUSIVE. */
        public List<GateReason> reasons() {
            List<GateReason> reasons = new ArrayList<>();
            if (errors > 0) {
                reasons.add(GateReason.ERRORS);
            }
            if (redrawn > 0) {
                reasons.add(GateReason.REDRAWN);
            }
            if (missing > 0 || reasons.isEmpty()) {
                reasons.add(GateReason.MISSING_EVIDENCE);
            }
            return reasons;
        }
    }

    /**
     * The verdict on one branch by the thresholds, or by the rule that replaces them. Where only a baseline decides, it is PASS.
     *
     * @param bounds each case, with disagreeing draws as unknown; at least one
     */
    public GateDecision decide(List<CaseCounts> bounds, Doubt doubt) {
        RateRule rule = policy.rule();
        if (rule != null) {
            return byRule(rule, bounds, doubt);
        }
        Verdict verdict = policy.countsCases() ? byCases(bounds) : Verdict.PASS;
        return new GateDecision(verdict, verdict == Verdict.INCONCLUSIVE ? doubt.reasons() : List.of());
    }

    /** The verdict of the thresholds alone. */
    public Verdict byCases(List<CaseCounts> bounds) {
        return SettledBranch.of(bounds, policy.passThreshold(), policy.effectiveSuiteThreshold())
                .verdict();
    }

    /**
     * The verdict of the looks of {@code stop: sure}.
     *
     * @param look what the first sure look said; null: none was sure
     * @param turns whether a look would be sure if all were known
     */
    public static GateDecision ofLooks(@Nullable Verdict look, boolean turns, Doubt doubt) {
        return look == null && turns
                ? new GateDecision(Verdict.INCONCLUSIVE, doubt.reasons())
                : GateDecision.ofLook(look == null ? Verdict.INCONCLUSIVE : look);
    }

    /**
     * The verdict of a branch beside another one: its trial rate may fall behind by no more than {@code maxDrop}, 0–1. Where what is
     * known would decide, what is not known is the reason.
     *
     * @param rates of the other, then of the branch
     * @param doubt about both
     */
    public static GateDecision beside(PairedRates rates, double maxDrop, Doubt doubt) {
        Verdict verdict = NonInferiority.verdict(rates.difference(Quantiles.LEVEL), maxDrop);
        if (verdict != Verdict.INCONCLUSIVE) {
            return new GateDecision(verdict, List.of());
        }
        if (rates.first().isEmpty()) {
            return new GateDecision(verdict, List.of(GateReason.NO_SHARED_CASES));
        }
        Verdict known = NonInferiority.verdict(rates.certain().difference(Quantiles.LEVEL), maxDrop);
        return new GateDecision(verdict, known == Verdict.INCONCLUSIVE ? List.of(GateReason.UNSURE) : doubt.reasons());
    }

    private GateDecision byRule(RateRule rule, List<CaseCounts> bounds, Doubt doubt) {
        int passed = bounds.stream().mapToInt(CaseCounts::passed).sum();
        int unknown = bounds.stream().mapToInt(CaseCounts::unknown).sum();
        int of = bounds.stream().mapToInt(CaseCounts::planned).sum();
        Verdict verdict = rule.verdict(passed, unknown, of, branches);
        if (verdict != Verdict.INCONCLUSIVE) {
            return new GateDecision(verdict, List.of());
        }
        if (unknown < of && isSure(rule, passed, of - unknown)) {
            return new GateDecision(verdict, doubt.reasons());
        }
        boolean turns = isSure(rule, passed, of) || isSure(rule, passed + unknown, of);
        return turns && doubt.errors() + doubt.redrawn() > 0
                ? new GateDecision(verdict, new Doubt(0, doubt.errors(), doubt.redrawn()).reasons())
                : GateDecision.ofLook(verdict);
    }

    /** Whether the rule decides where everything is known. */
    private boolean isSure(RateRule rule, int passed, int of) {
        return rule.verdict(passed, 0, of, branches) != Verdict.INCONCLUSIVE;
    }

    /**
     * The verdict on all branches that the gate looks at, before anything is demanded of them together.
     *
     * @param each what it says of each of them
     */
    public static GateDecision together(List<GateDecision> each) {
        Verdict verdict = Verdict.ofAll(each.stream().map(GateDecision::verdict).toList());
        List<GateReason> reasons = new ArrayList<>();
        if (verdict == Verdict.INCONCLUSIVE) {
            each.forEach(one -> reasons.addAll(one.reasons()));
        }
        return new GateDecision(verdict, reasons);
    }
}
