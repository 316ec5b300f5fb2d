package dev.assay.domain.gate;

import dev.assay.domain.statistics.CaseCounts;
import java.util.List;

/**
 * The result of one case on one branch (docs/fastskill.md).
 *
 * @param noEvidence trials of which nothing is known
 * @param totalTrials all trials of the case; failed ones, errors and those without evidence stay in
 * @param passRate {@code passCount / totalTrials}, 0–1
 * @param status whether the pass rate reaches the threshold
 */
public record CaseGate(int passCount, int noEvidence, int totalTrials, double passRate, CaseStatus status) {

    /**
     * Gates a case.
     *
     * @param totalTrials at least 1
     * @param threshold share of the trials that must pass, 0–1
     */
    public static CaseGate of(int passCount, int noEvidence, int totalTrials, double threshold) {
        if (totalTrials < 1) {
            throw new IllegalArgumentException("A case has at least one trial");
        }
        CaseStatus status = CaseStatus.of(Proportion.verdict(passCount, noEvidence, totalTrials, threshold));
        return new CaseGate(passCount, noEvidence, totalTrials, (double) passCount / totalTrials, status);
    }

    /** Gates a case by its counts. */
    public static CaseGate of(CaseCounts counts, double threshold) {
        return of(counts.passed(), counts.unknown(), counts.planned(), threshold);
    }

    /** Gates a case of which every trial has a verdict. */
    public static CaseGate of(List<TrialVerdict> trials, double threshold) {
        return of(
                count(trials, TrialVerdict.PASSED), count(trials, TrialVerdict.NO_EVIDENCE), trials.size(), threshold);
    }

    private static int count(List<TrialVerdict> trials, TrialVerdict verdict) {
        return (int) trials.stream().filter(trial -> trial == verdict).count();
    }
}
