package dev.assay.store.result;

import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.usage.UsageTotal;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a campaign.
 *
 * @param trialsDone trials with a recorded selection whose cells are all final, or not needed
 * @param trialsFailed of these, the ones with a cell that ended in MODEL_ERROR or TIMED_OUT
 * @param branches in order
 * @param judgeTokens tokens of the judge calls
 * @param judgeCostUsd sum of the known costs of the judge calls; null where none is known
 */
public record CampaignCounters(
        long trialsTotal,
        long trialsDone,
        long trialsFailed,
        List<BranchCounters> branches,
        UsageTotal judgeTokens,
        @Nullable BigDecimal judgeCostUsd) {

    public CampaignCounters {
        branches = List.copyOf(branches);
    }

    /** Trials × branches. */
    public long cellsTotal() {
        return trialsTotal * branches.size();
    }

    /** Cells with a final outcome, and those that are not needed. */
    public long cellsDone() {
        return sum(BranchCounters::done) + cellsNotNeeded();
    }

    /** Of the cells that are done, the ones without a request, since the campaign stopped early. */
    public long cellsNotNeeded() {
        return sum(BranchCounters::notNeeded);
    }

    /** Of the cells that are done, the ones that passed. */
    public long cellsPassed() {
        return sum(BranchCounters::passed);
    }

    /** Of the cells that are done, the ones that ended in MODEL_ERROR or TIMED_OUT. */
    public long cellsFailed() {
        return sum(BranchCounters::failed);
    }

    /**
     * The share of the cells that passed by their first draw, among those that say something of their model. Null when none does.
     */
    public @Nullable Double passRate(ErrorTreatment errors) {
        long known = sum(branch -> branch.known(errors));
        return known == 0 ? null : (Double) ((double) sum(BranchCounters::passedFirst) / known);
    }

    /** Tokens of all branches and of the judge. */
    public UsageTotal tokens() {
        return branches.stream().map(BranchCounters::tokens).reduce(judgeTokens, UsageTotal::plus);
    }

    /** Sum of the known costs of all branches and of the judge, in US dollars; null where none is known. */
    public @Nullable BigDecimal costUsd() {
        return Stream.concat(branches.stream().map(BranchCounters::costUsd), Stream.ofNullable(judgeCostUsd))
                .filter(Objects::nonNull)
                .reduce(BigDecimal::add)
                .orElse(null);
    }

    private long sum(ToLongFunction<BranchCounters> counter) {
        return branches.stream().mapToLong(counter).sum();
    }
}
