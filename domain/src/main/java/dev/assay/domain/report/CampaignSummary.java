package dev.assay.domain.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.statistics.judging.Agreement;
import dev.assay.domain.statistics.judging.BradleyTerryRating;
import dev.assay.domain.usage.Spend;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a campaign: what {@link CampaignTally} adds up. Stored when a campaign ends; the names are those of its JSON.
 *
 * @param gate what the gate says, and why
 * @param sentence names the rule that decided, for people; null in older summaries
 * @param suitePassRate the lowest suite pass rate of the gate's branches
 * @param branches each branch, in the campaign's order
 * @param judge what judges took, or the models of a custom strategy; in summaries of earlier builds graders, too
 * @param graders what graders of checks took; null: none was asked
 * @param total tokens and cost of branches, judges and graders together
 * @param budgetUsd the budget that left trials without a result, in US dollars; null: none did
 * @param reused stored answers that stand in for new ones; null: all were asked for, or the summary is an older one
 */
public record CampaignSummary(
        @JsonUnwrapped GateReport gate,
        @Nullable String sentence,
        Proportion suitePassRate,
        @JsonUnwrapped Reruns reruns,
        List<BranchSummary> branches,
        SelectionCounts selections,
        JudgeCalls judge,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable GraderCalls graders,
        Spend total,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BigDecimal budgetUsd,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Reused reused) {

    public CampaignSummary {
        branches = List.copyOf(branches);
        reruns = reruns == null ? Reruns.NONE : reruns;
        if (branches.stream().noneMatch(BranchSummary::gated)) {
            throw new IllegalArgumentException("A gate looks at one branch at least");
        }
    }

    /**
     * The re-runs of a campaign. The names are those of its JSON.
     *
     * @param redrawn cells that were asked again after they had passed or failed: their first draw counts
     * @param wholeReruns re-runs that asked all cells of a branch again: they replace earlier draws
     */
    public record Reruns(int redrawn, int wholeReruns) {

        /** Nothing was asked again, or the summary is an older one. */
        public static final Reruns NONE = new Reruns(0, 0);
    }

    /**
     * The trials of the campaign by how they were decided; together {@code trials}.
     *
     * @param decided the strategy chose among at least two branches: the denominator of wins
     * @param undecided the strategy could not decide and fell back
     * @param withoutChoice nothing was chosen: at most one branch could be, or the strategy takes the first
     */
    public record SelectionCounts(int trials, int decided, int undecided, int withoutChoice, int missing) {}

    /**
     * Stored answers that stand in for new ones. The names are those of its JSON.
     *
     * @param cells of branches
     * @param calls of judges and graders
     * @param savedUsd what they cost when they were given, in US dollars; null where no cost is known
     * @param answeredFrom when the first of the answers was given; null: calls alone are copies
     * @param answeredTo when the last of them was given
     */
    public record Reused(
            long cells,
            long calls,
            @Nullable BigDecimal savedUsd,
            @Nullable Instant answeredFrom,
            @Nullable Instant answeredTo) {}

    /**
     * The usage of judges, and their agreement.
     *
     * @param spend their tokens and cost
     * @param agreement how far the judges of a panel agree on the trials; null: there is no panel, or nothing was judged
     * @param ranking the branches by how they fared in pairs, the strongest first; empty when they were not compared in pairs
     * @param pairs how often each branch beats each other; empty when they were not compared in pairs
     * @param position how often the response that was shown first was named; null: nothing was read
     * @param shortened of the calls, those that read cut texts: of the context, or of responses, too; 0 in older summaries
     * @param overLimit of these, those whose texts were still longer than the judge's budget; 0 in older summaries
     */
    public record JudgeCalls(
            int calls,
            Spend spend,
            @Nullable Agreement agreement,
            List<BradleyTerryRating> ranking,
            List<PairSummary> pairs,
            @Nullable PositionSummary position,
            int shortened,
            int overLimit) {

        public JudgeCalls {
            // Summaries that were stored before there were rankings or pairs have none.
            ranking = ranking == null ? List.of() : List.copyOf(ranking);
            pairs = pairs == null ? List.of() : List.copyOf(pairs);
        }

        /** Without a panel and pairs. */
        public JudgeCalls(int calls, Spend spend) {
            this(calls, spend, null, List.of(), List.of(), null, 0, 0);
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
     * @param demands what the gate asks beyond its thresholds
     */
    public CampaignSummary beside(List<BaselineReport> compared, GateDemands demands) {
        Map<String, BaselineReport> baselines =
                compared.stream().collect(Collectors.toMap(BaselineReport::branchId, Function.identity()));
        List<BranchSummary> together = branches.stream()
                .map(branch -> {
                    BaselineReport own = baselines.get(branch.branchId());
                    return own == null ? branch : branch.beside(own);
                })
                .toList();
        List<BranchSummary> gated =
                together.stream().filter(BranchSummary::gated).toList();
        return new CampaignSummary(
                        gate.beside(compared, demands, gated),
                        null,
                        suitePassRate,
                        reruns,
                        together,
                        selections,
                        judge,
                        graders,
                        total,
                        budgetUsd,
                        reused)
                .told();
    }

    /** The same, some of whose answers are copies. */
    public CampaignSummary with(@Nullable Reused copies) {
        return new CampaignSummary(
                gate, sentence, suitePassRate, reruns, branches, selections, judge, graders, total, budgetUsd, copies);
    }

    /** The same with the sentence that names the rule that decided. */
    CampaignSummary told() {
        return new CampaignSummary(
                gate,
                ExitRule.sentence(this),
                suitePassRate,
                reruns,
                branches,
                selections,
                judge,
                graders,
                total,
                budgetUsd,
                reused);
    }
}
