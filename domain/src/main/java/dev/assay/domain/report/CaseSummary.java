package dev.assay.domain.report;

import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;

/**
 * How one case did on one branch, for people.
 *
 * @param caseId the case
 * @param passCount trials that passed
 * @param totalTrials all trials of the case, the denominator of {@code passRate}
 * @param passRate {@code passCount / totalTrials}, 0–1
 * @param status whether the pass rate reaches the threshold
 * @param noEvidence trials of which nothing is known; they stay in the denominator
 * @param low lower end of the pass rate's interval (see {@link Proportion}), 0–1
 * @param high upper end of it, 0–1
 */
public record CaseSummary(
        String caseId,
        int passCount,
        int totalTrials,
        double passRate,
        CaseStatus status,
        int noEvidence,
        double low,
        double high) {

    static CaseSummary of(String caseId, CaseGate gate) {
        return new CaseSummary(
                caseId,
                gate.passCount(),
                gate.totalTrials(),
                gate.passRate(),
                gate.status(),
                gate.noEvidence(),
                Proportion.wilsonLow(gate.passCount(), gate.totalTrials()),
                Proportion.wilsonHigh(gate.passCount() + gate.noEvidence(), gate.totalTrials()));
    }
}
