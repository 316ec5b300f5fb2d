package dev.assay.web.campaign;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.sequential.MixtureSequence;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.LedgerTotals;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a campaign, branch by branch.
 *
 * @param state where it stands
 * @param verdict what the gate said; null until it is COMPLETED
 * @param failureReason why it could not go on; null unless FAILED
 * @param progress all branches together
 * @param branches each branch, in order
 * @param judge what the judge used
 * @param usage tokens of all outcomes and judge calls
 * @param costUsd sum of their known costs in US dollars; null where no price is known
 * @param spend what the ledger says of every request, retries included
 * @param health whether it goes on, and what holds it up
 */
@Schema(name = "Progress")
public record ProgressView(
        String id,
        CampaignState state,
        @Nullable Verdict verdict,
        @Nullable String failureReason,
        CampaignView.Counts progress,
        List<BranchView> branches,
        JudgeView judge,
        Usage usage,
        @Nullable BigDecimal costUsd,
        LedgerTotals spend,
        CampaignHealth health) {

    public ProgressView {
        branches = List.copyOf(branches);
    }

    /**
     * The progress of one branch.
     *
     * @param id the campaign author's id
     * @param cellsTotal trials of the campaign
     * @param cellsDone cells with a final outcome
     * @param cellsNotNeeded cells that were not asked, since the campaign stopped early; not among {@code cellsDone}
     * @param cellsPassed of those that are done, the ones that passed
     * @param cellsFailed of those that are done, the ones that ended in MODEL_ERROR or TIMED_OUT
     * @param wins trials that it won by a decided selection
     * @param usage tokens of its outcomes
     * @param costUsd sum of their known costs in US dollars; null where no price is known
     * @param passRate cells that passed, of those that are done
     */
    @Schema(name = "BranchProgress")
    public record BranchView(
            String id,
            long cellsTotal,
            long cellsDone,
            long cellsNotNeeded,
            long cellsPassed,
            long cellsFailed,
            long wins,
            Usage usage,
            @Nullable BigDecimal costUsd,
            RunningRate passRate) {

        static BranchView of(BranchCounters branch, long trialsTotal) {
            return new BranchView(
                    branch.branchId(),
                    trialsTotal,
                    branch.done(),
                    branch.notNeeded(),
                    branch.passed(),
                    branch.failed(),
                    branch.wins(),
                    branch.usage(),
                    branch.costUsd(),
                    RunningRate.of(branch.passed(), branch.done()));
        }
    }

    /**
     * A rate that may be looked at while it grows. Its interval covers the true rate at every moment at once, however often one
     * looks or when one stops (Robbins 1970).
     *
     * @param value 0–1; null when nothing is done yet
     * @param low lower end of the interval, 0–1
     * @param high upper end
     * @param level how often such an interval covers the true rate at every moment, 0–1
     */
    @Schema(name = "RunningRate")
    public record RunningRate(@Nullable Double value, double low, double high, double level) {

        static RunningRate of(long passed, long done) {
            Interval interval = MixtureSequence.of(passed, done, 1 - Quantiles.LEVEL);
            return new RunningRate(
                    done == 0 ? null : (Double) ((double) passed / done),
                    interval.low(),
                    interval.high(),
                    Quantiles.LEVEL);
        }
    }

    /**
     * The usage of the judge.
     *
     * @param usage tokens of its calls
     * @param costUsd sum of their known costs in US dollars; null where no price is known
     */
    @Schema(name = "JudgeProgress")
    public record JudgeView(Usage usage, @Nullable BigDecimal costUsd) {}

    static ProgressView of(
            StoredCampaign campaign, CampaignCounters counters, LedgerTotals spend, CampaignHealth health) {
        return new ProgressView(
                campaign.id(),
                campaign.state(),
                campaign.verdict(),
                campaign.failureReason(),
                CampaignView.Counts.of(counters),
                counters.branches().stream()
                        .map(branch -> BranchView.of(branch, counters.trialsTotal()))
                        .toList(),
                new JudgeView(counters.judgeUsage(), counters.judgeCostUsd()),
                counters.usage(),
                counters.costUsd(),
                spend,
                health);
    }
}
