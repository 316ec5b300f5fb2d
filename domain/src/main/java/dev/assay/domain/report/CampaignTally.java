package dev.assay.domain.report;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.report.fact.CellGroup;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.report.fact.SelectionFact;
import dev.assay.domain.report.fact.SelectionGroup;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sums of a campaign's outcomes and selections, fact by fact and in any order: its {@link CampaignSummary}.
 *
 * <p>Holds counters and latencies, about ten bytes per outcome, so facts, and groups of them, can be streamed from the store. What
 * has no fact when {@link #summarize} is called has no evidence. Not safe for use by several threads.
 */
public final class CampaignTally {

    private final TrialGrid grid;
    private final List<String> caseIds;
    private final TallyRules rules;
    private final Gate gate;
    private final List<BranchTally> branches = new ArrayList<>();
    private final BitSet selected = new BitSet();
    private final BitSet decided = new BitSet();
    private int undecided;
    private int withoutChoice;
    private final JudgeTally judges;
    private int graderCalls;
    private Spend graderSpend = Spend.NONE;

    /** Begins with no facts, and adds up only the needs of a gate. */
    public CampaignTally(TrialGrid grid, List<String> caseIds, List<String> branchIds, GatePolicy gate) {
        this(grid, caseIds, branchIds, new TallyRules(gate));
    }

    /**
     * Begins with no facts.
     *
     * @param caseIds the suite's cases in order
     * @param branchIds the campaign's branches in order, at least one
     * @param rules how they are added up; the branches of the gate are among {@code branchIds}
     */
    public CampaignTally(TrialGrid grid, List<String> caseIds, List<String> branchIds, TallyRules rules) {
        GatePolicy gate = rules.gate();
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
        this.rules = rules;
        this.judges = new JudgeTally(rules.pairwise() ? new PairTally(List.copyOf(branchIds)) : null);
        Set<String> gated = Set.copyOf(gate.branches().isEmpty() ? branchIds : gate.branches());
        this.gate = new Gate(gate, gated.size());
        for (int i = 0; i < branchIds.size(); i++) {
            branches.add(new BranchTally(
                    branchIds.get(i),
                    gated.contains(branchIds.get(i)),
                    grid,
                    rules,
                    this.gate,
                    rules.draws().ofBranch(i),
                    rules.draws().carriedOf(i)));
        }
    }

    /** Adds an outcome. A second one of the same cell is an error. */
    public CampaignTally add(OutcomeFact fact) {
        add(fact.cell());
        return fact.score() == null ? this : addScore(fact.branchIndex(), fact.caseIndex(), fact.trial(), fact.score());
    }

    /** Notes that the answers of a branch to a case are copies: they say nothing of other ones. */
    public CampaignTally foundAlike(int branchIndex) {
        branch(branchIndex).foundAlike();
        return this;
    }

    /** Adds outcomes. A second one of the same cell is an error. */
    public CampaignTally add(CellGroup group) {
        group.caseIndexes().forEach(caseIndex -> ordinal(caseIndex, group.trial()));
        branch(group.branchIndex()).add(group);
        return this;
    }

    /** Adds the score, 0–1, of an outcome whose end was added before. */
    public CampaignTally addScore(int branchIndex, int caseIndex, int trial, double score) {
        branch(branchIndex).addScore(ordinal(caseIndex, trial), score);
        return this;
    }

    /** Adds a selection. A second one of the same trial is an error. */
    public CampaignTally add(SelectionFact fact) {
        return add(fact.group()).addVotes(fact.caseIndex(), fact.votes());
    }

    /** Adds selections. A second one of the same trial is an error. */
    public CampaignTally add(SelectionGroup group) {
        for (int caseIndex : group.caseIndexes()) {
            int ordinal = ordinal(caseIndex, group.trial());
            if (selected.get(ordinal)) {
                throw new IllegalArgumentException(
                        "Trial " + group.trial() + " of case " + caseIndex + " has two selections");
            }
            selected.set(ordinal);
            count(group, ordinal);
        }
        return this;
    }

    private void count(SelectionGroup group, int ordinal) {
        if (group.fallback()) {
            undecided++;
        } else if (group.decided() && group.selectedIndex() != null) {
            decided.set(ordinal);
            if (group.tied()) {
                branch(group.selectedIndex()).tie();
            } else {
                branch(group.selectedIndex()).win(ordinal);
            }
        } else {
            withoutChoice++;
        }
    }

    /** Adds the votes of judges in a trial of a case. */
    public CampaignTally addVotes(int caseIndex, List<JudgeVote> votes) {
        judges.add(caseIndex, votes);
        return this;
    }

    /**
     * Adds a judge call.
     *
     * @param costUsd null where no price is known
     * @param compaction what was cut of the texts that the judge read
     */
    public CampaignTally addJudgeCall(Usage usage, @Nullable BigDecimal costUsd, Compaction compaction) {
        return addJudgeCall(Spend.of(usage, costUsd), compaction);
    }

    /** The same, with what of it a batch brought. */
    public CampaignTally addJudgeCall(Spend spend, Compaction compaction) {
        judges.addCall(spend, compaction);
        return this;
    }

    /**
     * Adds a call of a grader.
     *
     * @param costUsd null where no price is known
     */
    public CampaignTally addGraderCall(Usage usage, @Nullable BigDecimal costUsd) {
        return addGraderCall(Spend.of(usage, costUsd));
    }

    /** The same, with what of it a batch brought. */
    public CampaignTally addGraderCall(Spend spend) {
        graderCalls++;
        graderSpend = graderSpend.plus(spend);
        return this;
    }

    /** Adds the usage that a custom strategy reports for itself; its cost is unknown. */
    public CampaignTally addStrategyUse(Usage usage) {
        judges.addUse(usage);
        return this;
    }

    /** The result of all facts so far. */
    public CampaignSummary summarize() {
        List<BranchSummary> summaries = branches.stream()
                .map(branch -> branch.summarize(caseIds, decided))
                .toList();
        List<BranchSummary> gated =
                summaries.stream().filter(BranchSummary::gated).toList();
        Spend total = summaries.stream()
                .map(BranchSummary::spend)
                .reduce(judges.spend().plus(graderSpend), Spend::plus);
        return new CampaignSummary(
                        GateReport.of(gate, gated),
                        null,
                        gated.stream()
                                .map(BranchSummary::suitePassRate)
                                .min(Comparator.comparingInt(Proportion::successes))
                                .orElseThrow(),
                        new CampaignSummary.Reruns(
                                summaries.stream()
                                        .mapToInt(one -> one.trials().redrawn())
                                        .sum(),
                                rules.draws().wholeReruns()),
                        summaries,
                        new CampaignSummary.SelectionCounts(
                                grid.size(),
                                decided.cardinality(),
                                undecided,
                                withoutChoice,
                                grid.size() - selected.cardinality()),
                        judges.summarize(),
                        graderCalls == 0 ? null : new CampaignSummary.GraderCalls(graderCalls, graderSpend),
                        total,
                        summaries.stream().anyMatch(one -> one.trials().skipped() > 0) ? rules.budgetUsd() : null,
                        null)
                .told();
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
