package dev.assay.campaigns.result;

import dev.assay.campaigns.baseline.Baselines;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.campaign.CampaignDefinition;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.suite.GroupBy;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.evidence.DrawQueries;
import dev.assay.store.result.AlikeQueries;
import dev.assay.store.result.ClosedCells;
import dev.assay.store.result.CopyCounts;
import dev.assay.store.result.SummaryRepository;
import dev.assay.store.result.SummaryRepository.CellScore;
import dev.assay.store.result.SummaryRepository.JudgeUse;
import dev.assay.store.suite.CaseRepository;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** Adds up campaigns: which rows count, by which rules, and beside which earlier campaign. */
@Singleton
public class Summaries {

    private final SummaryRepository rows;
    private final CaseRepository cases;
    private final DrawQueries draws;
    private final AlikeQueries alike;
    private final Baselines baselines;
    private final ClosedCells cells;

    Summaries(
            SummaryRepository rows,
            CaseRepository cases,
            DrawQueries draws,
            AlikeQueries alike,
            Baselines baselines,
            ClosedCells cells) {
        this.cells = cells;
        this.rows = rows;
        this.cases = cases;
        this.draws = draws;
        this.alike = alike;
        this.baselines = baselines;
    }

    /** The result from the current rows; cells without a row have no evidence. */
    @ReadOnly
    public CampaignSummary summarize(StoredCampaign campaign) {
        CampaignDefinition definition = campaign.definition();
        CampaignTally tally = new CampaignTally(
                campaign.grid(),
                cases.caseIds(campaign.suiteId()),
                definition.branches().stream().map(Branch::id).toList(),
                rules(campaign));
        rows.cells(campaign, tally::add);
        if (!definition.reducers().isEmpty()) {
            rows.scores(campaign.id(), score -> addScore(tally, score));
        }
        addSelections(tally, campaign);
        alike.branches(campaign).forEach(tally::foundAlike);
        rows.judgeCalls(campaign.id(), call -> addCall(tally, call));
        CampaignSummary summary = tally.summarize().with(reused(campaign));
        BaselineRule baseline = definition.gate().baseline();
        return baseline == null
                ? summary
                : summary.beside(
                        baselines.compared(campaign, summary, baseline),
                        definition.gate().demands());
    }

    private CampaignSummary.@Nullable Reused reused(StoredCampaign campaign) {
        if (!campaign.definition().mayHoldCopies()) {
            return null;
        }
        CopyCounts copies = cells.copies(campaign.id());
        return copies.cells() + copies.calls() == 0
                ? null
                : new CampaignSummary.Reused(
                        copies.cells(), copies.calls(), copies.savedUsd(), copies.answeredFrom(), copies.answeredTo());
    }

    private TallyRules rules(StoredCampaign campaign) {
        CampaignDefinition definition = campaign.definition();
        GroupBy groupBy = definition.groupBy();
        return new TallyRules(
                definition.gate(),
                definition.reducers(),
                definition.strategy().comparesPairs(),
                definition.limits().timeout(),
                campaign.stopping(),
                groupBy == null ? null : cases.groups(campaign.suiteId(), groupBy),
                draws.of(campaign),
                campaign.budgetUsd());
    }

    private void addSelections(CampaignTally tally, StoredCampaign campaign) {
        // A build that does not stop early selects among the branches that did not stop, too: that is no win.
        boolean countsAll = campaign.stopping().rule() == StopRule.NONE;
        rows.selections(campaign.id(), countsAll, tally::add);
        if (campaign.definition().judging().isPresent()) {
            rows.votes(campaign.id(), tally::addVotes);
        }
        if (campaign.definition().strategy().plugin().isPresent()) {
            rows.strategyUse(campaign.id(), tally::addStrategyUse);
        }
    }

    private static void addScore(CampaignTally tally, CellScore score) {
        Double value = score.value();
        if (value != null) {
            tally.addScore(score.branchIndex(), score.caseIndex(), score.trial(), value);
        }
    }

    private static void addCall(CampaignTally tally, JudgeUse call) {
        Compaction compaction = call.compaction();
        if (compaction == null) {
            tally.addGraderCall(call.spend());
        } else {
            tally.addJudgeCall(call.spend(), compaction);
        }
    }
}
