package dev.assay.domain.report;

import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.plan.TrialGrid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** Adds up the outcomes of one branch. */
final class BranchTally {

    private final String branchId;
    private final boolean gated;
    private final TrialGrid grid;
    private final BitSet seen = new BitSet();
    private final int[] passedByCase;
    private final int[] notPassedByCase;
    private int failed;
    private int errors;
    private int wins;
    private Spend spend = Spend.NONE;
    private long[] latencies = new long[64];
    private int measured;

    BranchTally(String branchId, boolean gated, TrialGrid grid) {
        this.branchId = branchId;
        this.gated = gated;
        this.grid = grid;
        this.passedByCase = new int[grid.cases()];
        this.notPassedByCase = new int[grid.cases()];
    }

    void add(OutcomeFact fact) {
        int ordinal = grid.ordinal(fact.caseIndex(), fact.trial());
        if (seen.get(ordinal)) {
            throw new IllegalArgumentException("Branch " + branchId + " has two outcomes of trial " + fact.trial()
                    + " of case " + fact.caseIndex());
        }
        seen.set(ordinal);
        count(fact);
        spend = spend.plus(Spend.of(fact.usage(), fact.costUsd()));
        measure(fact);
    }

    void win() {
        wins++;
    }

    BranchSummary summarize(List<String> caseIds, GatePolicy gate, int decided) {
        List<CaseSummary> cases = new ArrayList<>(caseIds.size());
        for (int i = 0; i < caseIds.size(); i++) {
            cases.add(summarize(caseIds.get(i), i, gate.passThreshold()));
        }
        int passedCases = count(cases, CaseStatus.PASSED);
        int openCases = count(cases, CaseStatus.INCONCLUSIVE);
        int passed = Arrays.stream(passedByCase).sum();
        int noEvidence = grid.size() - passed - failed - errors;
        return new BranchSummary(
                branchId,
                gated,
                Proportion.verdict(passedCases, openCases, cases.size(), gate.effectiveSuiteThreshold()),
                Proportion.of(passedCases, openCases, cases.size()),
                Proportion.of(passed, noEvidence, grid.size()),
                new BranchSummary.TrialCounts(passed, failed, errors, noEvidence),
                Proportion.of(wins, decided),
                spend,
                Latency.of(Arrays.copyOf(latencies, measured)),
                cases);
    }

    private CaseSummary summarize(String caseId, int caseIndex, double threshold) {
        int passed = passedByCase[caseIndex];
        int noEvidence = grid.trials() - passed - notPassedByCase[caseIndex];
        CaseGate gate = CaseGate.of(passed, noEvidence, grid.trials(), threshold);
        return CaseSummary.of(caseId, gate);
    }

    private static int count(List<CaseSummary> cases, CaseStatus status) {
        return (int) cases.stream().filter(one -> one.status() == status).count();
    }

    private void count(OutcomeFact fact) {
        switch (fact.verdict()) {
            case PASSED -> passedByCase[fact.caseIndex()]++;
            case FAILED -> {
                failed++;
                notPassedByCase[fact.caseIndex()]++;
            }
            case ERROR -> {
                errors++;
                notPassedByCase[fact.caseIndex()]++;
            }
            case NO_EVIDENCE -> {}
        }
    }

    private void measure(OutcomeFact fact) {
        switch (fact.status()) {
            case COMPLETED, LIMIT -> {
                if (measured == latencies.length) {
                    latencies = Arrays.copyOf(latencies, measured * 2);
                }
                latencies[measured++] = fact.latencyMs();
            }
            case MODEL_ERROR, TIMED_OUT, CANCELLED, BUDGET_SKIPPED -> {}
        }
    }
}
