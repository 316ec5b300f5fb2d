package dev.assay.domain.report;

import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import java.util.List;

/**
 * How one branch did.
 *
 * @param branchId the branch
 * @param gated whether the campaign's gate looks at it
 * @param verdict whether its suite pass rate reaches the suite threshold
 * @param suitePassRate cases that passed, of all cases; inconclusive ones are unknown
 * @param trialPassRate trials that passed, of all trials; those without evidence are unknown
 * @param trials the same trials by how they ended
 * @param wins trials that it won, of the trials that were decided
 * @param spend tokens and cost of its outcomes
 * @param latency how long its answers took
 * @param cases each case, in the suite's order
 */
public record BranchSummary(
        String branchId,
        boolean gated,
        Verdict verdict,
        Proportion suitePassRate,
        Proportion trialPassRate,
        TrialCounts trials,
        Proportion wins,
        Spend spend,
        Latency latency,
        List<CaseSummary> cases) {

    public BranchSummary {
        cases = List.copyOf(cases);
    }

    /**
     * Trials by how they ended; together all trials of the campaign.
     *
     * @param passed see {@link TrialVerdict#PASSED}
     * @param failed see {@link TrialVerdict#FAILED}
     * @param errors see {@link TrialVerdict#ERROR}
     * @param noEvidence see {@link TrialVerdict#NO_EVIDENCE}; trials without an outcome are among them
     */
    public record TrialCounts(int passed, int failed, int errors, int noEvidence) {}

    /** How many cases have {@code status}. */
    public int casesWith(CaseStatus status) {
        return (int) cases.stream().filter(one -> one.status() == status).count();
    }
}
