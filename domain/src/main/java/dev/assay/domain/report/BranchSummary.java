package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.usage.Spend;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of one branch.
 *
 * @param gated whether the campaign's gate looks at it
 * @param verdict whether it reaches what the gate asks of each branch
 * @param reasons why its verdict is INCONCLUSIVE; else empty, as in older summaries
 * @param suitePassRate cases that passed, of all cases; inconclusive ones are unknown
 * @param trialPassRate trials that passed, of all trials; those without evidence are unknown
 * @param trials the same trials by how they ended
 * @param spend tokens and cost of its outcomes
 * @param cases each case, in the suite's order
 * @param repeatability whether it would say the same again
 * @param reducers each reducer that the campaign names, by its name
 */
public record BranchSummary(
        String branchId,
        boolean gated,
        Verdict verdict,
        List<GateReason> reasons,
        Proportion suitePassRate,
        Proportion trialPassRate,
        TrialCounts trials,
        @JsonUnwrapped Chosen chosen,
        Spend spend,
        Latency latency,
        List<CaseSummary> cases,
        @JsonUnwrapped Repeatability repeatability,
        Map<String, ReducerRate> reducers,
        @JsonUnwrapped EarlyStop early) {

    public BranchSummary {
        cases = List.copyOf(cases);
        reasons = reasons == null ? List.of() : List.copyOf(reasons);
        early = early == null ? EarlyStop.NONE : early;
        repeatability = repeatability == null ? Repeatability.UNKNOWN : repeatability;
        reducers = reducers == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(reducers));
    }

    /** A branch without repeatability. */
    public BranchSummary(
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
        this(
                branchId,
                gated,
                verdict,
                List.of(),
                suitePassRate,
                trialPassRate,
                trials,
                new Chosen(wins, 0),
                spend,
                latency,
                cases,
                Repeatability.UNKNOWN,
                Map.of(),
                EarlyStop.NONE);
    }

    /**
     * The number of trials in which a branch was chosen.
     *
     * @param wins trials that it won, of the decided trials in which it could be chosen
     * @param ties of these, the ones in which it was as good as others and a rule for ties took it. It is 0 in older summaries,
     *     which count them as wins
     */
    public record Chosen(Proportion wins, int ties) {}

    /** Trials that it won, of the decided trials in which it could be chosen. */
    public Proportion wins() {
        return chosen.wins();
    }

    /** The same beside its baseline. */
    BranchSummary beside(BaselineReport baseline) {
        GateDecision next = new GateDecision(verdict, reasons).and(baseline.decision());
        return new BranchSummary(
                branchId,
                gated,
                next.verdict(),
                next.reasons(),
                suitePassRate,
                trialPassRate,
                trials,
                chosen,
                spend,
                latency,
                cases,
                repeatability.beside(next.verdict(), baseline.rerun()),
                reducers,
                early);
    }

    /**
     * Trials by how they ended: passed, failed, errors and those without evidence are together all trials of the campaign. A trial
     * that was asked again counts by its first draw that passed or failed.
     *
     * @param passed see {@link TrialVerdict#PASSED}
     * @param failed see {@link TrialVerdict#FAILED}
     * @param errors see {@link TrialVerdict#ERROR} and {@link TrialVerdict#PROVIDER_ERROR}
     * @param noEvidence see {@link TrialVerdict#NO_EVIDENCE}; trials without an outcome are among them
     * @param unscored of these, the ones that were answered; 0 in older summaries
     * @param notNeeded of these, the ones that were not asked, since the campaign stopped early; 0 in older summaries
     * @param skipped of these, the ones that the budget did not cover; 0 in older summaries
     * @param redrawn trials that were asked again after they had passed or failed; 0 in older summaries
     * @param errorCodes {@code errors} by their code; empty in older summaries
     */
    public record TrialCounts(
            int passed,
            int failed,
            int errors,
            int noEvidence,
            int unscored,
            int notNeeded,
            int skipped,
            int redrawn,
            Map<ErrorCode, Integer> errorCodes) {

        public TrialCounts {
            errorCodes = errorCodes == null || errorCodes.isEmpty()
                    ? Map.of()
                    : Collections.unmodifiableMap(new EnumMap<>(errorCodes));
        }

        /** Trials of which none was asked again, without codes. */
        public TrialCounts(int passed, int failed, int errors, int noEvidence) {
            this(passed, failed, errors, noEvidence, 0, 0, 0, 0, Map.of());
        }

        /** Trials that ended in an answer or an error. */
        public int asked() {
            return passed + failed + errors + unscored;
        }
    }

    /** Trials that ended in an error which is no evidence. */
    int unknownErrors() {
        return trialPassRate.unknown() - trials.noEvidence();
    }

    /** The number of cases with {@code status}. */
    public int casesWith(CaseStatus status) {
        return (int) cases.stream().filter(one -> one.status() == status).count();
    }
}
