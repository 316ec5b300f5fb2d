package dev.assay.domain.report;

import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.Agreement;
import dev.assay.domain.statistics.BradleyTerryRating;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a campaign: what {@link CampaignTally} adds up. Stored when a campaign ends; the names are those of its JSON.
 *
 * @param verdict what the gate says
 * @param passThreshold share of a case's trials that must pass, 0–1
 * @param suiteThreshold share of cases that must pass, 0–1
 * @param suitePassRate the lowest suite pass rate of the gate's branches
 * @param branches each branch, in the campaign's order
 * @param selections how the trials were decided
 * @param judge calls of the judge
 * @param total tokens and cost of branches and judge together
 */
public record CampaignSummary(
        Verdict verdict,
        double passThreshold,
        double suiteThreshold,
        Proportion suitePassRate,
        List<BranchSummary> branches,
        SelectionCounts selections,
        JudgeCalls judge,
        Spend total) {

    public CampaignSummary {
        branches = List.copyOf(branches);
        if (branches.stream().noneMatch(BranchSummary::gated)) {
            throw new IllegalArgumentException("A gate looks at one branch at least");
        }
    }

    /**
     * The trials of the campaign by how they were decided; together {@code trials}.
     *
     * @param trials all trials
     * @param decided the strategy chose among at least two branches: the denominator of wins
     * @param undecided the strategy could not decide and fell back
     * @param withoutChoice at most one branch could be chosen
     * @param missing no selection was recorded
     */
    public record SelectionCounts(int trials, int decided, int undecided, int withoutChoice, int missing) {}

    /**
     * What judging took.
     *
     * @param calls judge calls
     * @param spend their tokens and cost
     * @param agreement how far the judges of a panel agree on the trials; null: there is no panel, or nothing was judged
     * @param ranking the branches by how they fared in pairs, the strongest first; empty when they were not compared in pairs
     */
    public record JudgeCalls(
            int calls, Spend spend, @Nullable Agreement agreement, List<BradleyTerryRating> ranking) {

        public JudgeCalls {
            // Summaries that were stored before there were rankings have none.
            ranking = ranking == null ? List.of() : List.copyOf(ranking);
        }

        /** Without a panel and pairs. */
        public JudgeCalls(int calls, Spend spend) {
            this(calls, spend, null, List.of());
        }
    }

    /** The branches that the gate looks at, at least one. */
    public List<BranchSummary> gatedBranches() {
        return branches.stream().filter(BranchSummary::gated).toList();
    }
}
