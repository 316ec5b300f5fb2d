package dev.assay.activities.branch;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.call.PaidCells;
import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.Halt;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.suite.CaseRepository;
import dev.assay.workflows.slice.BatchResult;
import dev.assay.workflows.slice.BranchActivities;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Generation: runs a branch's cells of a batch of trials. */
@Singleton
public class BranchActivitiesImpl implements BranchActivities {

    private final CampaignDirectory directory;
    private final CaseRepository cases;
    private final PaidCells cells;
    private final BranchCalls calls;
    private final Halt halt;

    BranchActivitiesImpl(
            CampaignDirectory directory, CaseRepository cases, PaidCells cells, BranchCalls calls, Halt halt) {
        this.directory = directory;
        this.cases = cases;
        this.cells = cells;
        this.calls = calls;
        this.halt = halt;
    }

    @Override
    public BatchResult ensureOutcomes(BranchBatch batch) {
        ActivityExecutionContext context = Activity.getExecutionContext();
        StoredCampaign campaign = directory.get(batch.campaignId());
        TrialGrid grid = campaign.grid();
        List<Integer> ordinals = OrdinalRanges.ordinals(batch.trials()).boxed().toList();
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(), ordinals.stream().map(grid::caseIndex).collect(Collectors.toSet()));
        CellBatch.Result result = cells.run(
                campaign,
                batch.epoch(),
                CellKind.BRANCH,
                Map.of(batch.branchIndex(), ordinals),
                (attempt, listener) ->
                        calls.of(attempt, requireNonNull(byIndex.get(grid.caseIndex(attempt.ordinal()))), listener),
                context::heartbeat);
        return new BatchResult(
                OrdinalRanges.of(result.open()),
                result.retryAfter().toMillis(),
                halt.halted(batch.run()),
                result.pace(),
                !result.open().isEmpty() && !result.awaited());
    }
}
