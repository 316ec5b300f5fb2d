package dev.assay.activities.branch;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.domain.error.Failure;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKind;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims.Claimed;
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
    private final CellRepository cells;
    private final RunningCells running;
    private final BranchCells branchCells;
    private final Halt halt;
    private final WorkerIdentity worker;

    public BranchActivitiesImpl(
            CampaignDirectory directory,
            CaseRepository cases,
            CellRepository cells,
            RunningCells running,
            BranchCells branchCells,
            Halt halt,
            WorkerIdentity worker) {
        this.directory = directory;
        this.cases = cases;
        this.cells = cells;
        this.running = running;
        this.branchCells = branchCells;
        this.halt = halt;
        this.worker = worker;
    }

    @Override
    public BatchResult ensureOutcomes(BranchBatch batch) {
        ActivityExecutionContext context = Activity.getExecutionContext();
        StoredCampaign campaign = directory.get(batch.campaignId());
        TrialGrid grid = campaign.grid();
        List<Integer> ordinals = OrdinalRanges.ordinals(batch.trials()).boxed().toList();
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(), ordinals.stream().map(grid::caseIndex).collect(Collectors.toSet()));
        CellBatch.Result result = new CellBatch(cells, running, worker.id(), context::heartbeat)
                .run(
                        batch.campaignId(),
                        batch.epoch(),
                        CellKind.BRANCH,
                        batch.branchIndex(),
                        ordinals,
                        new Generation(campaign, byIndex));
        return new BatchResult(
                OrdinalRanges.of(result.open()),
                result.retryAfter().toMillis(),
                halt.halted(batch.campaignId(), batch.epoch()),
                result.pace(),
                !result.open().isEmpty() && !result.awaited());
    }

    /** What is done with the cells of a batch. */
    private final class Generation implements CellBatch.Work {

        private final StoredCampaign campaign;
        private final Map<Integer, Case> byIndex;

        Generation(StoredCampaign campaign, Map<Integer, Case> byIndex) {
            this.campaign = campaign;
            this.byIndex = byIndex;
        }

        @Override
        public CellResult run(RunningCell cell, Claimed claimed) throws InterruptedException {
            return branchCells.run(campaign, caseOf(claimed), cell, claimed);
        }

        @Override
        public CellResult unexpected(RunningCell cell, Claimed claimed, Failure failure) {
            return branchCells.unexpected(campaign, caseOf(claimed), cell, claimed, failure);
        }

        @Override
        public void cancelled(RunningCell cell, Claimed claimed) {
            branchCells.cancelled(campaign, caseOf(claimed), cell, claimed);
        }

        private Case caseOf(Claimed claimed) {
            return requireNonNull(byIndex.get(campaign.grid().caseIndex(claimed.ordinal())));
        }
    }
}
