package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.Agreement;
import dev.assay.domain.statistics.BradleyTerryRating;
import dev.assay.domain.usage.Spend;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a campaign: what {@link CampaignTally} adds up. Stored when a campaign ends; the names are those of its JSON.
 *
 * @param gate what the gate says, and why
 * @param suitePassRate the lowest suite pass rate of the gate's branches
 * @param branches each branch, in the campaign's order
 * @param selections how the trials were decided
 * @param judge what judges took, or the models of a custom strategy; in summaries of earlier builds graders, too
 * @param graders what graders of checks took; null: none was asked
 * @param total tokens and cost of branches, judges and graders together
 */
public record CampaignSummary(
        @JsonUnwrapped GateReport gate,
        Proportion suitePassRate,
        List<BranchSummary> branches,
        SelectionCounts selections,
        JudgeCalls judge,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable GraderCalls graders,
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
     * @param withoutChoice nothing was chosen: at most one branch could be, or the strategy takes the first
     * @param missing no selection was recorded
     */
    public record SelectionCounts(int trials, int decided, int undecided, int withoutChoice, int missing) {}

    /**
     * The usage of judges, and their agreement.
     *
     * @param calls judge calls
     * @param spend their tokens and cost
     * @param agreement how far the judges of a panel agree on the trials; null: there is no panel, or nothing was judged
     * @param ranking the branches by how they fared in pairs, the strongest first; empty when they were not compared in pairs
     * @param pairs how often each branch beats each other; empty when they were not compared in pairs
     * @param position how often the response that was shown first was named; null: nothing was read
     */
    public record JudgeCalls(
            int calls,
            Spend spend,
            @Nullable Agreement agreement,
            List<BradleyTerryRating> ranking,
            List<PairSummary> pairs,
            @Nullable PositionSummary position) {

        public JudgeCalls {
            // Summaries that were stored before there were rankings or pairs have none.
            ranking = ranking == null ? List.of() : List.copyOf(ranking);
            pairs = pairs == null ? List.of() : List.copyOf(pairs);
        }

        /** Without a panel and pairs. */
        public JudgeCalls(int calls, Spend spend) {
            this(calls, spend, null, List.of(), List.of(), null);
        }
    }

    /**
     * The usage of graders.
     *
     * @param calls calls of graders, at least 1: those that ask again included, apart from retries
     * @param spend their tokens and cost
     */
    public record GraderCalls(int calls, Spend spend) {}

    /** The branches that the gate looks at, at least one. */
    public List<BranchSummary> gatedBranches() {
        return branches.stream().filter(BranchSummary::gated).toList();
    }

    /** The saving of stopping early on all branches; null: every cell was asked. */
    public EarlyStop.@Nullable Saved saved() {
        return branches.stream()
                .map(BranchSummary::early)
                .map(EarlyStop::saved)
                .filter(Objects::nonNull)
                .reduce(EarlyStop.Saved::plus)
                .orElse(null);
    }

    /** The gate's verdict. */
    public Verdict verdict() {
        return gate.verdict();
    }

    /** Share of a case's trials that must pass, 0–1. */
    public double passThreshold() {
        return gate.passThreshold();
    }

    /** Share of cases that must pass, 0–1. */
    public double suiteThreshold() {
        return gate.suiteThreshold();
    }

    /**
     * The same beside a baseline.
     *
     * @param compared each gated branch with its baseline
     */
    public CampaignSummary beside(List<BaselineReport> compared) {
        Map<String, Verdict> verdicts =
                compared.stream().collect(Collectors.toMap(BaselineReport::branchId, BaselineReport::verdict));
        List<BranchSummary> together = branches.stream()
                .map(branch -> {
                    Verdict own = verdicts.get(branch.branchId());
                    return own == null ? branch : branch.with(Verdict.ofAll(List.of(branch.verdict(), own)));
                })
                .toList();
        return new CampaignSummary(gate.beside(compared), suitePassRate, together, selections, judge, graders, total);
    }
}
