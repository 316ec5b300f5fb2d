package dev.assay.workflows.engine;

import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Inputs of slices that run without a campaign's workflow. */
public final class SliceInputs {

    private SliceInputs() {}

    /** All trials of {@code campaign} as slice 0, in a campaign of {@code cellsTotal} cells. */
    public static Slice of(CampaignInMemory campaign, int cellsTotal, int maxConcurrent, int window) {
        return new Slice(
                campaign.id,
                campaign.epoch(),
                0,
                List.of(new OrdinalRange(0, campaign.total())),
                Map.of(0, "france, trial 1"),
                IntStream.range(0, campaign.branches).mapToObj(campaign::route).toList(),
                TaskQueues.ORCHESTRATION,
                cellsTotal,
                maxConcurrent,
                window,
                Pace.UNKNOWN,
                campaign.judges,
                campaign.stops);
    }

    /** All trials of {@code campaign} as slice 0; who selects them asks a model. */
    public static Slice judged(CampaignInMemory campaign) {
        return selectedOn(campaign, TaskQueues.provider("test"));
    }

    /** All trials of {@code campaign} as slice 0, selected where the campaign says. */
    public static Slice planned(CampaignInMemory campaign) {
        return selectedOn(campaign, campaign.trialQueue);
    }

    private static Slice selectedOn(CampaignInMemory campaign, String trialQueue) {
        Slice slice = of(campaign, campaign.total() * campaign.branches, 20, 60);
        return new Slice(
                slice.campaignId(),
                slice.epoch(),
                slice.number(),
                slice.trials(),
                slice.labels(),
                slice.branches(),
                trialQueue,
                slice.cellsTotal(),
                slice.maxConcurrent(),
                slice.window(),
                slice.pace(),
                slice.judges(),
                slice.stops());
    }

    /** Slice 0 of {@code campaign} on a task queue that no worker serves: it never ends. */
    public static Slice neverEnding(CampaignInMemory campaign) {
        return new Slice(
                campaign.id,
                campaign.epoch(),
                0,
                List.of(new OrdinalRange(0, 1)),
                Map.of(),
                List.of(new BranchRoute(0, "branch-0", "nobody")),
                TaskQueues.ORCHESTRATION,
                1,
                1,
                1,
                Pace.UNKNOWN,
                null,
                false);
    }
}
