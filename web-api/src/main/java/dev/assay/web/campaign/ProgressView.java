package dev.assay.web.campaign;

import dev.assay.campaigns.account.CampaignAccounts;
import dev.assay.campaigns.account.RateSoFar;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.health.CampaignHealth;
import dev.assay.domain.statistics.Quantiles;
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
 * @param failureReason why it could not go on; null unless FAILED, or PAUSED since PostgreSQL refuses its rows
 * @param progress all branches together
 * @param branches each branch, in order
 * @param judge what the judge used
 * @param usage tokens of all outcomes and judge calls, as far as they are known
 * @param unknownUsage answers whose input, output or total was not reported, and so is not in {@code usage} in full
 * @param costUsd sum of their known costs in US dollars; null where no price is known
 * @param spend what the ledger says of every request, retries included
 * @param health whether it goes on, and what holds it up
 * @param account what happened and what to do, as every surface says it
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
        long unknownUsage,
        @Nullable BigDecimal costUsd,
        LedgerTotals spend,
        CampaignHealth health,
        CampaignAccount account) {

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
     * @param usage tokens of its outcomes, as far as they are known
     * @param unknownUsage answers whose input, output or total was not reported, and so is not in {@code usage} in full
     * @param costUsd sum of their known costs in US dollars; null where no price is known
     * @param passRate its trials that passed, of those of which something is known; that of the report once the campaign has completed
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
            long unknownUsage,
            @Nullable BigDecimal costUsd,
            RunningRate passRate) {

        static BranchView of(StoredCampaign campaign, BranchCounters branch, long trialsTotal) {
            return new BranchView(
                    branch.branchId(),
                    trialsTotal,
                    branch.done(),
                    branch.notNeeded(),
                    branch.passed(),
                    branch.failed(),
                    branch.wins(),
                    branch.tokens().usage(),
                    branch.tokens().unknownUsage(),
                    branch.costUsd(),
                    RunningRate.of(campaign, List.of(branch)));
        }
    }

    /**
     * A rate that may be looked at while it grows. Its interval covers the true rate at every moment at once, however often one
     * looks or when one stops (Robbins 1970).
     *
     * @param value of what is known, 0–1; null when nothing is
     * @param low lower end of the interval, 0–1
     * @param high upper end
     * @param level how often such an interval covers the true rate at every moment, 0–1
     * @param why what makes the interval say little; null: nothing
     * @param passed cells that passed; of one that was asked again the first draw counts
     * @param known cells of which something is known
     */
    @Schema(name = "RunningRate")
    public record RunningRate(
            @Nullable Double value,
            double low,
            double high,
            double level,
            @Nullable Why why,
            long passed,
            long known) {

        /** The reason why a running interval says little. */
        @Schema(name = "RunningRateWhy")
        public enum Why {
            /**
             * Cases are asked in the order of the file, which may be sorted by difficulty: those to come may be harder or easier. Not
             * said when every cell has ended with an answer or an error.
             */
            ORDER_GIVEN
        }

        /** The rate of some branches of a campaign together: that of the report once it is there. */
        static RunningRate of(StoredCampaign campaign, List<BranchCounters> branches) {
            RateSoFar rate = RateSoFar.of(campaign, branches);
            return new RunningRate(
                    rate.value(),
                    rate.interval().low(),
                    rate.interval().high(),
                    Quantiles.LEVEL,
                    rate.isSorted() ? Why.ORDER_GIVEN : null,
                    rate.passed(),
                    rate.known());
        }
    }

    /**
     * The usage of the judge.
     *
     * @param usage tokens of its calls, as far as they are known
     * @param unknownUsage answers whose input, output or total was not reported, and so is not in {@code usage} in full
     * @param costUsd sum of their known costs in US dollars; null where no price is known
     */
    @Schema(name = "JudgeProgress")
    public record JudgeView(
            Usage usage, long unknownUsage, @Nullable BigDecimal costUsd) {}

    static ProgressView of(StoredCampaign campaign, CampaignAccounts.Reading reading) {
        CampaignAccount account = reading.account();
        CampaignCounters counters = reading.counters();
        return new ProgressView(
                campaign.id(),
                account.state(),
                account.verdict(),
                campaign.failureReason(),
                CampaignView.Counts.of(counters, account),
                counters.branches().stream()
                        .map(branch -> BranchView.of(campaign, branch, counters.trialsTotal()))
                        .toList(),
                new JudgeView(
                        counters.judgeTokens().usage(), counters.judgeTokens().unknownUsage(), counters.judgeCostUsd()),
                counters.tokens().usage(),
                counters.tokens().unknownUsage(),
                counters.costUsd(),
                reading.spend(),
                account.health(),
                account);
    }
}
