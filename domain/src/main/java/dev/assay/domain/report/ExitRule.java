package dev.assay.domain.report;

import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.LostParts;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The exit code of a run whose campaign is complete, and the sentence that names the rule that decided (design §7). The campaign's
 * own verdict decides: its gate was submitted with the campaign.
 *
 * @param code 0 passed, 100 failed, 101 inconclusive
 * @param sentence for the last line of the output
 */
public record ExitRule(int code, Verdict verdict, String sentence) {

    public static final int PASSED = 0;
    public static final int FAILED = 100;
    public static final int INCONCLUSIVE = 101;

    /**
     * Decides.
     *
     * @param noFail whether {@code --no-fail} was given: the code is 0 then
     */
    public static ExitRule decide(CampaignSummary summary, boolean noFail) {
        int code = switch (summary.verdict()) {
            case PASS -> PASSED;
            case FAIL -> FAILED;
            case INCONCLUSIVE -> INCONCLUSIVE;
        };
        String sentence = sentence(summary);
        return noFail && code != PASSED
                ? new ExitRule(PASSED, summary.verdict(), sentence + " Exit code 0 because of --no-fail.")
                : new ExitRule(code, summary.verdict(), sentence);
    }

    /** The sentence that names the rule that decided. */
    static String sentence(CampaignSummary summary) {
        LostParts lost = summary.gate().lost();
        if (lost != null && summary.gate().reasons().contains(GateReason.LOST)) {
            int cases = summary.gatedBranches().getFirst().suitePassRate().denominator();
            return "Inconclusive: " + lost.text(cases)
                    + ". Write what was left out as Assay has it, or take it out of the file.";
        }
        if (doubtOf(summary).contains(GateReason.REDRAWN)) {
            int redrawn = summary.reruns().redrawn();
            return "Inconclusive: " + trials(redrawn) + (redrawn == 1 ? " was" : " were")
                    + " asked again after a result, and the verdict depends on which draw counts. The first one does;"
                    + " `assay rerun ID --whole` asks every cell again.";
        }
        if (doubtOf(summary).contains(GateReason.ERRORS)) {
            int unknown = summary.gatedBranches().stream()
                    .mapToInt(BranchSummary::unknownErrors)
                    .sum();
            return "Inconclusive: " + trials(unknown)
                    + " ended in errors that are no evidence, and they could turn the verdict.";
        }
        if (summary.gate().reasons().contains(GateReason.ERRORS)) {
            return "Inconclusive: " + percent(orZero(summary.gate().errorRate()))
                    + " of the trials that were asked ended in errors, more than the gate accepts.";
        }
        if (summary.gate().reasons().contains(GateReason.UNREPEATABLE)) {
            Double agreement = summary.gate().rerunAgreement();
            return agreement == null
                    ? "Inconclusive: "
                            + (summary.gate().why() == Repeatability.Why.TRIALS_ALIKE
                                    ? "repeated answers are too alike to say whether a re-run would say the same."
                                    : "it takes ten trials that repeat a case to say whether a re-run would say the"
                                            + " same.")
                    : "Inconclusive: run again, this gate would say the same in " + percent(agreement)
                            + " of runs, which is less than it asks for.";
        }
        BranchSummary worst = worst(summary);
        if (summary.budgetUsd() != null && isSkipped(worst)) {
            return "Inconclusive: " + worst.trials().skipped() + " of "
                    + trials(worst.trialPassRate().denominator()) + " on branch " + worst.branchId()
                    + " have no result: the budget of $"
                    + summary.budgetUsd().stripTrailingZeros().toPlainString() + " is spent.";
        }
        if (summary.verdict() == Verdict.PASS && !summary.gate().baselines().isEmpty()) {
            return (summary.gate().rateRule() == null
                            ? "Passed: no gated branch"
                            : byRule(summary, worst) + " No gated branch")
                    + " fell behind the baseline "
                    + summary.gate().baselines().getFirst().campaign() + ".";
        }
        return summary.gate().baselines().stream()
                .filter(one -> one.verdict() == summary.verdict() && one.verdict() != Verdict.PASS)
                .findFirst()
                .map(ExitRule::beside)
                .orElseGet(() -> summary.gate().rateRule() != null
                        ? byRule(summary, worst)
                        : summary.suiteThreshold() == 1 ? byCases(worst) : byThreshold(summary, worst));
    }

    /** What could turn the verdict of a branch that is undecided. */
    private static Set<GateReason> doubtOf(CampaignSummary summary) {
        return summary.verdict() != Verdict.INCONCLUSIVE
                ? Set.of()
                : summary.gatedBranches().stream()
                        .flatMap(branch -> branch.reasons().stream())
                        .collect(Collectors.toSet());
    }

    /** Whether trials that the budget did not cover keep the branch undecided. */
    private static boolean isSkipped(BranchSummary branch) {
        return branch.verdict() == Verdict.INCONCLUSIVE
                && branch.reasons().contains(GateReason.MISSING_EVIDENCE)
                && branch.trials().skipped() > 0;
    }

    private static String trials(int count) {
        return count + (count == 1 ? " trial" : " trials");
    }

    private static double orZero(@Nullable Double share) {
        return share == null ? 0 : share;
    }

    private static String beside(BaselineReport baseline) {
        String branch = "branch " + baseline.branchId();
        if (baseline.difference().cases() == 0) {
            return "Inconclusive: " + branch + " shares no case with the baseline " + baseline.campaign() + ".";
        }
        if (baseline.reasons().contains(GateReason.EVALUATORS_DIFFER)) {
            return "Inconclusive: " + branch + " and the baseline " + baseline.campaign()
                    + " were judged by other evaluators, or nobody noted by whom: the difference may be theirs.";
        }
        String drop = "a drop of " + points(baseline.maxDrop());
        return baseline.verdict() == Verdict.FAIL
                ? "Failed: " + branch + " fell behind the baseline " + baseline.campaign() + " by more than "
                        + points(baseline.maxDrop()) + "."
                : "Inconclusive: " + drop + " of " + branch + " from the baseline " + baseline.campaign()
                        + " can neither be shown nor ruled out.";
    }

    private static String byRule(CampaignSummary summary, BranchSummary worst) {
        Proportion rate = worst.trialPassRate();
        String reached = ofKnown(rate) + " trials passed on branch " + worst.branchId();
        RateRule rule = Objects.requireNonNull(summary.gate().rateRule());
        String asked = "a trial rate of " + percent(rule.threshold());
        return switch (worst.verdict()) {
            case PASS -> "Passed: " + reached + ", which surely reaches " + asked + ".";
            case FAIL -> "Failed: " + reached + ", surely below " + asked + ".";
            case INCONCLUSIVE ->
                "Inconclusive: " + reached
                        + (worst.reasons().contains(GateReason.MISSING_EVIDENCE)
                                ? "; " + trials(rate.unknown()) + " without a result could turn "
                                : ", too few to be sure of ")
                        + asked + ".";
        };
    }

    private static String byThreshold(CampaignSummary summary, BranchSummary worst) {
        Proportion rate = worst.suitePassRate();
        String reached =
                rate.successes() + " of " + cases(rate.denominator()) + " passed on branch " + worst.branchId();
        String threshold = "the suite threshold of " + percent(summary.suiteThreshold());
        return switch (worst.verdict()) {
            case PASS -> "Passed: " + reached + ", which reaches " + threshold + ".";
            case FAIL -> "Failed: " + reached + ", below " + threshold + ".";
            case INCONCLUSIVE ->
                "Inconclusive: " + reached + "; " + cases(rate.unknown())
                        + " without enough evidence could reach or miss " + threshold + ".";
        };
    }

    private static String byCases(BranchSummary worst) {
        String all = cases(worst.suitePassRate().denominator()) + " on branch " + worst.branchId();
        return switch (worst.verdict()) {
            case PASS -> "Passed: every case passed, " + all + ".";
            case FAIL ->
                "Failed: " + worst.casesWith(CaseStatus.FAILED) + " of " + all + " failed; every case must pass.";
            case INCONCLUSIVE ->
                "Inconclusive: " + worst.casesWith(CaseStatus.INCONCLUSIVE) + " of " + all
                        + " have too little evidence either way.";
        };
    }

    private static BranchSummary worst(CampaignSummary summary) {
        Comparator<BranchSummary> byVerdict = Comparator.comparingInt(branch -> switch (branch.verdict()) {
            case FAIL -> 0;
            case INCONCLUSIVE -> 1;
            case PASS -> 2;
        });
        return summary.gatedBranches().stream()
                .min(byVerdict.thenComparingInt(branch -> branch.suitePassRate().successes()))
                .orElseThrow();
    }

    /** Such as "29 of 30 known": what is not needed or unknown is no failure. */
    private static String ofKnown(Proportion rate) {
        int known = rate.denominator() - rate.unknown();
        return rate.successes() + " of " + known + (rate.unknown() == 0 ? "" : " known");
    }

    private static String points(double share) {
        return percent(share).replace("%", "pp");
    }

    private static String cases(int count) {
        return count + (count == 1 ? " case" : " cases");
    }

    private static String percent(double share) {
        BigDecimal percent = BigDecimal.valueOf(share).movePointRight(2).round(new MathContext(4));
        return percent.stripTrailingZeros().toPlainString() + " %";
    }
}
