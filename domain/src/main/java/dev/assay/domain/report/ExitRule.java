package dev.assay.domain.report;

import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;

/**
 * The exit code of a run whose campaign is complete, and the sentence that says which rule decided (design §7).
 *
 * @param code 0 passed, 100 failed, 101 inconclusive
 * @param sentence for the last line of the output
 */
public record ExitRule(int code, String sentence) {

    public static final int PASSED = 0;
    public static final int FAILED = 100;
    public static final int INCONCLUSIVE = 101;

    /**
     * What the user asked for.
     *
     * @param ci whether {@code --ci} was given
     * @param suiteThresholdGiven whether the campaign file or the command line names a suite threshold
     * @param noFail whether {@code --no-fail} was given
     */
    public record Options(boolean ci, boolean suiteThresholdGiven, boolean noFail) {}

    /**
     * Decides. With {@code --ci} or a suite threshold the gate's verdict counts; without either, every case of every branch
     * that the gate looks at must pass.
     */
    public static ExitRule decide(Options options, CampaignSummary summary) {
        ExitRule rule = options.ci() || options.suiteThresholdGiven() ? byThreshold(summary) : byCases(summary);
        return options.noFail() && rule.code() != PASSED
                ? new ExitRule(PASSED, rule.sentence() + " Exit code 0 because of --no-fail.")
                : rule;
    }

    private static ExitRule byThreshold(CampaignSummary summary) {
        BranchSummary worst = worst(summary, Comparator.comparingInt(branch -> switch (branch.verdict()) {
            case FAIL -> 0;
            case INCONCLUSIVE -> 1;
            case PASS -> 2;
        }));
        Proportion rate = worst.suitePassRate();
        String reached =
                rate.successes() + " of " + cases(rate.denominator()) + " passed on branch " + worst.branchId();
        String threshold = "the suite threshold of " + percent(summary.suiteThreshold());
        return switch (summary.verdict()) {
            case PASS -> new ExitRule(PASSED, "Passed: " + reached + ", which reaches " + threshold + ".");
            case FAIL -> new ExitRule(FAILED, "Failed: " + reached + ", below " + threshold + ".");
            case INCONCLUSIVE ->
                new ExitRule(
                        INCONCLUSIVE,
                        "Inconclusive: " + reached + "; " + cases(rate.unknown())
                                + " without enough evidence could reach or miss " + threshold + ".");
        };
    }

    private static ExitRule byCases(CampaignSummary summary) {
        BranchSummary worst = worst(
                summary,
                Comparator.<BranchSummary>comparingInt(branch -> -branch.casesWith(CaseStatus.FAILED))
                        .thenComparingInt(branch -> -branch.casesWith(CaseStatus.INCONCLUSIVE)));
        int failed = worst.casesWith(CaseStatus.FAILED);
        int open = worst.casesWith(CaseStatus.INCONCLUSIVE);
        String all = cases(worst.suitePassRate().denominator()) + " on branch " + worst.branchId();
        if (failed > 0) {
            return new ExitRule(
                    FAILED,
                    "Failed: " + failed + " of " + all
                            + " failed; without --ci or a suite threshold every case must pass.");
        }
        return open > 0
                ? new ExitRule(
                        INCONCLUSIVE, "Inconclusive: " + open + " of " + all + " have too little evidence either way.")
                : new ExitRule(PASSED, "Passed: every case passed, " + all + ".");
    }

    private static BranchSummary worst(CampaignSummary summary, Comparator<BranchSummary> worstFirst) {
        return summary.gatedBranches().stream()
                .min(worstFirst.thenComparingInt(
                        branch -> branch.suitePassRate().successes()))
                .orElseThrow();
    }

    private static String cases(int count) {
        return count + (count == 1 ? " case" : " cases");
    }

    private static String percent(double share) {
        BigDecimal percent = BigDecimal.valueOf(share).movePointRight(2).round(new MathContext(4));
        return percent.stripTrailingZeros().toPlainString() + " %";
    }
}
