package dev.assay.domain.report;

import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds up a campaign's outcomes and selections, fact by fact and in any order, to its {@link CampaignSummary}.
 *
 * <p>Holds counters and latencies, about ten bytes per outcome, so facts can be streamed from the store. What has no fact when
 * {@link #summarize} is called has no evidence. Not safe for use by several threads.
 */
public final class CampaignTally {

    private final TrialGrid grid;
    private final List<String> caseIds;
    private final GatePolicy gate;
    private final List<BranchTally> branches = new ArrayList<>();
    private final BitSet selected = new BitSet();
    private int decided;
    private int undecided;
    private int withoutChoice;
    private final JudgeTally judges;

    /**
     * Begins with no facts.
     *
     * @param grid the trials in force
     * @param caseIds the suite's cases in order
     * @param branchIds the campaign's branches in order, at least one
     * @param gate what must be reached; its branches are among {@code branchIds}
     */
    public CampaignTally(TrialGrid grid, List<String> caseIds, List<String> branchIds, GatePolicy gate) {
        this(grid, caseIds, branchIds, gate, false);
    }

    /**
     * Begins with no facts.
     *
     * @param grid the trials in force
     * @param caseIds the suite's cases in order
     * @param branchIds the campaign's branches in order, at least one
     * @param gate what must be reached; its branches are among {@code branchIds}
     * @param pairwise whether judges compare two branches at a time, which then are ranked
     */
    public CampaignTally(
            TrialGrid grid, List<String> caseIds, List<String> branchIds, GatePolicy gate, boolean pairwise) {
        if (caseIds.size() != grid.cases()) {
            throw new IllegalArgumentException(
                    "The suite has " + caseIds.size() + " cases, the campaign " + grid.cases());
        }
        if (branchIds.isEmpty() || !branchIds.containsAll(gate.branches())) {
            throw new IllegalArgumentException(
                    "Gate branches " + gate.branches() + " must be among the campaign's branches " + branchIds);
        }
        this.grid = grid;
        this.caseIds = List.copyOf(caseIds);
        this.gate = gate;
        this.judges = new JudgeTally(pairwise ? new PairTally(List.copyOf(branchIds)) : null);
        Set<String> gated = Set.copyOf(gate.branches().isEmpty() ? branchIds : gate.branches());
        for (String branchId : branchIds) {
            branches.add(new BranchTally(branchId, gated.contains(branchId), grid));
        }
    }

    /** Adds an outcome. A second one of the same cell is an error. */
    public CampaignTally add(OutcomeFact fact) {
        ordinal(fact.caseIndex(), fact.trial());
        branch(fact.branchIndex()).add(fact);
        return this;
    }

    /** Adds a selection. A second one of the same trial is an error. */
    public CampaignTally add(SelectionFact fact) {
        int ordinal = ordinal(fact.caseIndex(), fact.trial());
        if (selected.get(ordinal)) {
            throw new IllegalArgumentException(
                    "Trial " + fact.trial() + " of case " + fact.caseIndex() + " has two selections");
        }
        selected.set(ordinal);
        judges.add(fact.votes());
        if (fact.fallback()) {
            undecided++;
        } else if (fact.decided() && fact.selectedIndex() != null) {
            decided++;
            branch(fact.selectedIndex()).win();
        } else {
            withoutChoice++;
        }
        return this;
    }

    /**
     * Adds a judge call.
     *
     * @param costUsd null where no price is known
     */
    public CampaignTally addJudgeCall(Usage usage, @Nullable BigDecimal costUsd) {
        judges.addCall(usage, costUsd);
        return this;
    }

    /** Adds what a custom strategy says that it used by itself; nobody knows what that cost. */
    public CampaignTally addStrategyUse(Usage usage) {
        judges.addUse(usage);
        return this;
    }

    /** The result of all facts so far. */
    public CampaignSummary summarize() {
        List<BranchSummary> summaries = branches.stream()
                .map(branch -> branch.summarize(caseIds, gate, decided))
                .toList();
        List<BranchSummary> gated =
                summaries.stream().filter(BranchSummary::gated).toList();
        Spend total = summaries.stream().map(BranchSummary::spend).reduce(judges.spend(), Spend::plus);
        return new CampaignSummary(
                verdict(gated),
                gate.passThreshold(),
                gate.effectiveSuiteThreshold(),
                gated.stream()
                        .map(BranchSummary::suitePassRate)
                        .min(Comparator.comparingInt(Proportion::successes))
                        .orElseThrow(),
                summaries,
                new CampaignSummary.SelectionCounts(
                        grid.size(), decided, undecided, withoutChoice, grid.size() - selected.cardinality()),
                judges.summarize(),
                total);
    }

    /**
     * PASS when every branch passes, FAIL when one fails, whatever the trials without evidence would say; else they could turn
     * it either way. This is the verdict taken twice, all of them passed and all of them failed.
     */
    private static Verdict verdict(List<BranchSummary> gated) {
        if (gated.stream().anyMatch(branch -> branch.verdict() == Verdict.FAIL)) {
            return Verdict.FAIL;
        }
        boolean passed = gated.stream().allMatch(branch -> branch.verdict() == Verdict.PASS);
        return passed ? Verdict.PASS : Verdict.INCONCLUSIVE;
    }

    private int ordinal(int caseIndex, int trial) {
        if (caseIndex < 0 || caseIndex >= grid.cases() || trial < 1 || trial > grid.trials()) {
            throw new IllegalArgumentException("The campaign has no trial " + trial + " of case " + caseIndex);
        }
        return grid.ordinal(caseIndex, trial);
    }

    private BranchTally branch(int branchIndex) {
        if (branchIndex < 0 || branchIndex >= branches.size()) {
            throw new IllegalArgumentException("The campaign has no branch " + branchIndex);
        }
        return branches.get(branchIndex);
    }
}
