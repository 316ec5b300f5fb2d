package dev.assay.activities.branch;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.call.PaidCells;
import dev.assay.activities.campaign.CampaignDirectory;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.DefectLimit;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.stop.StopLooks;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRanges;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.suite.CaseRepository;
import dev.assay.workflows.slice.BatchResult;
import dev.assay.workflows.slice.BranchActivities;
import dev.assay.workflows.slice.Pace;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/** Generation: runs a branch's cells of a batch of trials. */
@Singleton
public class BranchActivitiesImpl implements BranchActivities {

    private static final Duration LOOK = Duration.ofMillis(500);

    /** After this time the activity ends, and another one goes on waiting, maybe in another worker. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** When cells that need a compute process are looked at again while none starts. */
    private static final Duration COMPUTE_RETRY = Duration.ofSeconds(10);

    private static final Duration SOON = Duration.ofMillis(1);

    private final CampaignDirectory directory;
    private final CaseRepository cases;
    private final OutcomeRepository outcomes;
    private final PaidCells cells;
    private final BranchCalls calls;
    private final StopLooks stops;
    private final Halt halt;
    private final RunningCells running;
    private final DefectLimit defects;

    BranchActivitiesImpl(
            CampaignDirectory directory,
            CaseRepository cases,
            OutcomeRepository outcomes,
            PaidCells cells,
            BranchCalls calls,
            StopLooks stops,
            Halt halt,
            RunningCells running,
            DefectLimit defects) {
        this.directory = directory;
        this.cases = cases;
        this.outcomes = outcomes;
        this.cells = cells;
        this.calls = calls;
        this.stops = stops;
        this.halt = halt;
        this.running = running;
        this.defects = defects;
    }

    @Override
    public BatchResult ensureOutcomes(BranchBatch batch) {
        return defects.run(batch.campaignId(), () -> outcomes(batch), () -> BatchResult.halted(batch.trials()));
    }

    private BatchResult outcomes(BranchBatch batch) {
        ActivityExecutionContext context = Activity.getExecutionContext();
        StoredCampaign campaign = directory.get(batch.campaignId());
        if (campaign.definition().isAnswered()) {
            // Nobody is asked: what is on record waits for its checks.
            return new BatchResult(
                    List.of(), 0, halt.halted(batch.run()), Pace.ofRecorded(OrdinalRanges.size(batch.trials())));
        }
        TrialGrid grid = campaign.grid();
        TrialOrder order = campaign.order();
        SortedSet<Integer> ordinals = order.ordinals(batch.trials());
        Map<Integer, Case> byIndex = cases.find(
                campaign.suiteId(), ordinals.stream().map(grid::caseIndex).collect(Collectors.toSet()));
        if (campaign.epoch() == batch.epoch()) {
            stops.close(campaign, batch.branchIndex(), ordinals);
        }
        if (calls.mustWait(campaign.definition().branches().get(batch.branchIndex()), byIndex.values())) {
            // Nothing is claimed, and no attempt is spent.
            return new BatchResult(batch.trials(), COMPUTE_RETRY.toMillis(), halt.halted(batch.run()), Pace.UNKNOWN);
        }
        CellBatch.Result result = cells.run(
                campaign,
                batch.epoch(),
                CellKind.BRANCH,
                Map.of(batch.branchIndex(), ordinals),
                (attempt, listener) ->
                        calls.of(attempt, requireNonNull(byIndex.get(grid.caseIndex(attempt.ordinal()))), listener),
                context::heartbeat);
        Duration retryAfter =
                campaign.isEvaluation() ? awaited(batch, result.retryAfter(), context) : result.retryAfter();
        return new BatchResult(
                order.positions(result.open()),
                retryAfter.toMillis(),
                halt.halted(batch.run()),
                pace(result, ordinals.size()),
                !result.open().isEmpty() && !result.awaited(),
                List.of(),
                order.positions(unanswered(campaign, batch.branchIndex(), ordinals, result.open())),
                List.of());
    }

    /** How long the cells took. Slices of answers that a batch of the provider brought would else stay as small as slow ones. */
    private static Pace pace(CellBatch.Result result, int cells) {
        boolean allAreRecorded = result.pace().cells() == 0 && result.open().isEmpty();
        return allAreRecorded ? Pace.ofRecorded(cells) : result.pace();
    }

    /** Of the closed trials those that have nothing of this branch that a model could read. */
    private Set<Integer> unanswered(
            StoredCampaign campaign, int branchIndex, Collection<Integer> ordinals, Set<Integer> open) {
        if (TrialJudges.of(campaign.definition()).isEmpty()) {
            return Set.of();
        }
        Set<Integer> closed = new TreeSet<>(ordinals);
        closed.removeAll(open);
        return outcomes.unanswered(campaign.id(), branchIndex, closed);
    }

    /**
     * Waits for the next attempt at an evaluation's branch. A Retry-After may put that off for long, and the user may cancel the
     * evaluation meanwhile; the workflow would notice that only afterwards.
     *
     * @return when the workflow is to ask again
     */
    private Duration awaited(BranchBatch batch, Duration retryAfter, ActivityExecutionContext context) {
        long begin = System.nanoTime();
        Duration left = retryAfter;
        while (left.compareTo(LOOK) > 0) {
            if (running.isDraining() || Thread.currentThread().isInterrupted()) {
                return left;
            }
            if (retryAfter.minus(left).compareTo(PATIENCE) > 0 || !halt.mayWait(batch.run(), batch.branchIndex())) {
                return SOON;
            }
            LockSupport.parkNanos(LOOK.toNanos());
            context.heartbeat(0);
            left = retryAfter.minusNanos(System.nanoTime() - begin);
        }
        return left.isPositive() || retryAfter.isZero() ? left : SOON;
    }
}
