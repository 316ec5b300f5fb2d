package dev.assay.workflows.campaign;

import dev.assay.domain.campaign.StoreMark;
import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.SliceSizing;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The activities by which a campaign's workflow uses PostgreSQL. Ids, ranges and counters only. Runs on the orchestration queue.
 *
 * <p>Workflows know trials by their positions in the order in which the campaign asks them ({@link dev.assay.domain.plan.TrialOrder}),
 * and activities translate. In the order of the file, positions are trial numbers.
 */
@ActivityInterface
public interface PlanActivities {

    /** Moves a PENDING campaign to RUNNING and returns its progress and its open trials. */
    @ActivityMethod(name = "plan")
    Plan plan(PlanRequest request);

    /**
     * Counts the campaign's progress and judges its health; changes nothing.
     *
     * @param known {@link Observation#mark} of the caller's last observation: fails, to be retried, while there is nothing new;
     *     null: answers at once
     */
    @ActivityMethod(name = "observe")
    Observation observe(String campaignId, @Nullable String known);

    /**
     * Aggregates and gates a campaign with no open cell, and records it as COMPLETED. Does nothing when the epoch has moved
     * on or the campaign is no longer RUNNING.
     */
    @ActivityMethod(name = "complete")
    void complete(String campaignId, int epoch);

    /** Records that the campaign could not go on. Does nothing when the epoch has moved on. */
    @ActivityMethod(name = "fail")
    void fail(String campaignId, int epoch, String reason);

    /**
     * The request for a plan.
     *
     * @param fromOrdinal first position to look at
     * @param pace speed measured so far, which decides how many trials a slice takes ({@link SliceSizing})
     * @param seen the newest mark of the store that the workflow has; null: none yet
     */
    record PlanRequest(
            String campaignId,
            int epoch,
            int fromOrdinal,
            Pace pace,
            @Nullable StoreMark seen) {}

    /**
     * The progress of the campaign, and its next slices.
     *
     * @param standing whether to go on
     * @param maxConcurrent calls in flight, the limit in force
     * @param branches each branch with its task queue, in order
     * @param trialQueue the task queue on which selections are made
     * @param slices open trials, cut into slices. Those that run side by side take turns in the order
     * @param nextOrdinal where the next call begins; equal to {@code trialsTotal} when all trials were looked at
     * @param mark the newest mark of the store; null in answers that are older than the field
     * @param judges the models that read the answers of trials; null: none, or the answer is older than the field
     * @param stops whether the campaign may stop before its last trial; false in answers that are older than the field
     * @param deliveries how cells go out in batches of providers; none in answers that are older than the field
     * @param held whether open trials wait for batches of providers
     */
    record Plan(
            Standing standing,
            int epoch,
            String name,
            String suite,
            int trialsTotal,
            int trialsDone,
            int cellsTotal,
            int maxConcurrent,
            List<BranchRoute> branches,
            String trialQueue,
            List<SlicePlan> slices,
            int nextOrdinal,
            @Nullable StoreMark mark,
            @Nullable TrialJudges judges,
            boolean stops,
            List<DeliveryRoute> deliveries,
            boolean held) {

        // Jackson gives null for a field that an answer does not have.
        @SuppressWarnings("NullAway")
        public Plan {
            deliveries = deliveries == null ? List.of() : List.copyOf(deliveries);
        }
    }

    /**
     * The way of cells that may be in batches of a provider.
     *
     * @param queue the task queue of the workers that can ask it
     * @param kind the word of their kind; null in answers that are older than the field: branches
     */
    record DeliveryRoute(
            String provider,
            String model,
            String queue,
            @Nullable String kind) {}

    /** The answer whether a workflow goes on. */
    enum Standing {
        /** RUNNING in the workflow's epoch. */
        GO,
        /** PAUSED: wait for the signal. */
        PAUSED,
        /** RUNNING in a later epoch: adopt it and plan again. */
        MOVED_ON,
        /** Ended: nothing to do. */
        ENDED
    }

    /**
     * One slice.
     *
     * @param trials the positions of its open trials, ascending, at most 220 ranges
     * @param labels for activity summaries: position to the label {@code <case id>, trial <n>}, such as
     *     {@code france, trial 3}. Only for slices of at most 100 trials, and together at most {@link #MOST_LABEL_BYTES}, else
     *     empty
     */
    record SlicePlan(List<OrdinalRange> trials, Map<Integer, String> labels) {

        /** Keeps a slice's input well below 16 KB, long case ids or not. */
        public static final int MOST_LABEL_BYTES = 4_000;
    }
}
