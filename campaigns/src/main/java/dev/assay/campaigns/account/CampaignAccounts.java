package dev.assay.campaigns.account;

import dev.assay.campaigns.account.CampaignTotals.Totals;
import dev.assay.campaigns.health.HealthQueries;
import dev.assay.campaigns.plan.ExpectedEnds;
import dev.assay.domain.account.AccountFacts;
import dev.assay.domain.account.CampaignAccount;
import dev.assay.domain.account.CampaignAccount.BranchStanding;
import dev.assay.domain.account.CampaignAccount.Cells;
import dev.assay.domain.account.CampaignAccount.Pause;
import dev.assay.domain.account.ProviderCheck.Asked;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.Delivery;
import dev.assay.domain.delivery.DeliveryChoice;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.statistics.Interval;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.DeliveryChoices;
import dev.assay.store.result.BranchCounters;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.LedgerTotals;
import dev.assay.store.result.ProgressRepository;
import dev.assay.store.steering.PauseQueries;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the accounts of campaigns. What one takes does not grow with the campaign: counters are stored, and workers say what they
 * hold. Above 10,000 finished cells {@link CampaignTotals} are some seconds old.
 */
@Singleton
public final class CampaignAccounts {

    private final ProgressRepository progress;
    private final CampaignTotals totals;
    private final HealthQueries health;
    private final ExpectedEnds ends;
    private final PauseQueries pauses;
    private final BatchRepository batches;
    private final DeliveryChoices choices;

    CampaignAccounts(
            ProgressRepository progress,
            CampaignTotals totals,
            HealthQueries health,
            ExpectedEnds ends,
            PauseQueries pauses,
            BatchRepository batches,
            DeliveryChoices choices) {
        this.choices = choices;
        this.batches = batches;
        this.progress = progress;
        this.totals = totals;
        this.health = health;
        this.ends = ends;
        this.pauses = pauses;
    }

    /**
     * An account, and the numbers in more detail of which it was made.
     *
     * @param spend of the ledger
     */
    public record Reading(CampaignAccount account, CampaignCounters counters, LedgerTotals spend) {}

    /** The account of a campaign now. */
    public Reading read(StoredCampaign campaign) {
        CampaignCounters counters =
                progress.find(campaign.id()).orElseThrow(() -> CampaignRepository.missing(campaign.id()));
        Totals sums = totals.of(campaign, counters.cellsDone());
        Cells cells = Cells.of(
                        counters.cellsTotal(),
                        counters.cellsDone() - counters.cellsNotNeeded(),
                        counters.cellsNotNeeded(),
                        sums.skipped(),
                        sums.rerun())
                .outIn(campaign.definition().mayBeOut() ? batches.requestsOut(campaign.id()) : 0);
        AccountFacts facts = new AccountFacts(
                new AccountFacts.Campaign(
                        campaign.id(),
                        !campaign.isEvaluation() && !campaign.scoresHypotheses(),
                        campaign.verdict(),
                        sums.rule()),
                cells,
                asked(campaign, counters),
                sums.errors(),
                counters.branches().stream()
                        .map(one -> standing(campaign, one, sums.errorsOf(one.branchIndex())))
                        .toList(),
                health.facts(campaign, counters),
                ends.of(campaign, counters, cells.open()),
                spend(sums),
                pause(campaign),
                choices(campaign));
        return new Reading(facts.account(), counters, sums.spend());
    }

    /** Of each branch, and then of the models that judge and grade, whose calls are not counted among the cells. */
    private static List<Asked> asked(StoredCampaign campaign, CampaignCounters counters) {
        List<Branch> branches = campaign.definition().branches();
        List<Asked> asked = new ArrayList<>();
        for (BranchCounters one : counters.branches()) {
            long open = Math.max(0, counters.trialsTotal() - one.done() - one.notNeeded());
            asked.add(asked(branches.get(one.branchIndex()).agent(), open));
        }
        campaign.definition().agentsAsked().forEach(agent -> asked.add(asked(agent, 0)));
        return asked;
    }

    private static Asked asked(Agent agent, long open) {
        ModelPool pool = ModelPool.of(agent);
        return new Asked(pool.provider(), agent.provider(), pool.models(), open);
    }

    private static BranchStanding standing(StoredCampaign campaign, BranchCounters branch, Map<String, Long> errors) {
        RateSoFar rate = RateSoFar.of(campaign, List.of(branch));
        Interval interval = rate.interval();
        return new BranchStanding(
                branch.branchId(),
                branch.done(),
                rate.passed(),
                interval.low(),
                interval.high(),
                branch.failed(),
                errors,
                branch.costUsd());
    }

    private static AccountFacts.Spend spend(Totals totals) {
        LedgerTotals ledger = totals.spend();
        BigDecimal settled = ledger.settledUsd();
        BigDecimal unknown = ledger.unknownUsd();
        return new AccountFacts.Spend(
                settled == null ? unknown : unknown == null ? settled : settled.add(unknown),
                ledger.reservedUsd(),
                totals.reused());
    }

    private List<DeliveryChoice> choices(StoredCampaign campaign) {
        boolean leavesIt = campaign.definition().wishes().anyMatch(wish -> wish.way() == Delivery.AUTO);
        return leavesIt ? choices.of(campaign.id()) : List.of();
    }

    private @Nullable Pause pause(StoredCampaign campaign) {
        if (campaign.state() != CampaignState.PAUSED) {
            return null;
        }
        boolean isOwn = campaign.failureReason() != null;
        return pauses.of(campaign.id())
                .map(last -> new Pause(isOwn ? Pause.ASSAY : last.who(), campaign.failureReason(), last.at()))
                .orElse(null);
    }
}
