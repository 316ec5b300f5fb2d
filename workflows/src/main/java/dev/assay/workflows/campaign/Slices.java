package dev.assay.workflows.campaign;

import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.Inbox;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.PlanActivities.Plan;
import dev.assay.workflows.campaign.PlanActivities.SlicePlan;
import dev.assay.workflows.slice.Pace;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The slices of a campaign: a few that wait, a few that run as child workflows. */
final class Slices {

    private final String campaignId;
    private final Inbox inbox;
    private final Consumer<SliceEnd> ended;
    private final Deque<SlicePlan> queued = new ArrayDeque<>();
    /** Numbers of the slices that run. */
    private final Set<Integer> running = new TreeSet<>();
    /** Of these, the ones that only wait for what they have handed out: they leave their lane to another. */
    private final Set<Integer> empty = new TreeSet<>();

    private int done;
    private int next;

    /**
     * Without slices.
     *
     * @param campaignId the campaign
     * @param next number of the first slice that will be started
     * @param inbox where the ends of slices are posted
     * @param ended told of each end, by the inbox
     */
    Slices(String campaignId, int next, Inbox inbox, Consumer<SliceEnd> ended) {
        this.campaignId = campaignId;
        this.next = next;
        this.inbox = inbox;
        this.ended = ended;
    }

    int running() {
        return running.size();
    }

    int done() {
        return done;
    }

    /** Number of the next slice. */
    int next() {
        return next;
    }

    boolean noneQueued() {
        return queued.isEmpty();
    }

    void queue(List<SlicePlan> plans) {
        queued.addAll(plans);
    }

    /** Notes that a slice only waits for what it has handed out; nothing when it has ended. */
    void empty(int number) {
        if (running.contains(number)) {
            empty.add(number);
        }
    }

    /** Queues a slice that could not be started, before all others. */
    void queueAgain(SlicePlan plan) {
        queued.addFirst(plan);
    }

    /** Forgets the slices that wait. They are open in PostgreSQL and will be planned again. */
    void dropQueued() {
        queued.clear();
    }

    /**
     * Starts queued slices while one of the lanes of {@code sizing} is free. At most as many again as there are lanes wait
     * for what they have handed out.
     *
     * @param plan the newest plan
     * @param epoch the campaign's epoch
     * @param pace speed measured so far
     * @param more whether further slices may come, so that a slice leaves room for them
     */
    void start(Plan plan, int epoch, Pace pace, SliceSizing sizing, boolean more) {
        while (busy() < sizing.lanes() && running.size() < 2 * sizing.lanes() && !queued.isEmpty()) {
            int window = sizing.window(more ? sizing.lanes() : busy() + queued.size());
            SlicePlan slice = queued.removeFirst();
            start(
                    slice,
                    new Slice(
                            campaignId,
                            epoch,
                            next,
                            slice.trials(),
                            slice.labels(),
                            plan.branches(),
                            plan.trialQueue(),
                            plan.cellsTotal(),
                            plan.maxConcurrent(),
                            window,
                            pace));
        }
    }

    private int busy() {
        return running.size() - empty.size();
    }

    private void start(SlicePlan plan, Slice input) {
        running.add(next);
        next++;
        ParallelEvaluationWorkflow workflow =
                Workflow.newChildWorkflowStub(ParallelEvaluationWorkflow.class, options(input));
        Promise<SliceResult> result = Async.function(workflow::run, input);
        result.handle((value, failure) -> {
            inbox.post(() -> {
                running.remove(input.number());
                empty.remove(input.number());
                done++;
                ended.accept(
                        failure == null
                                ? new SliceEnd.Finished(result.get())
                                : SliceEnd.of(input.number(), plan, failure));
            });
            return value;
        });
    }

    private static ChildWorkflowOptions options(Slice slice) {
        int trials = slice.trials().stream().mapToInt(OrdinalRange::size).sum();
        String summary = "slice %d · %d trials from number %d"
                .formatted(slice.number(), trials, slice.trials().getFirst().from());
        String details =
                "Epoch %d, at most %d cells in branch activities at once, batches sized after %d measured cells"
                        .formatted(slice.epoch(), slice.window(), slice.pace().cells());
        return ChildWorkflowOptions.newBuilder()
                .setWorkflowId(NamePrefix.ofThisWorkflow()
                        .on(WorkflowIds.slice(slice.campaignId(), slice.epoch(), slice.number())))
                // A campaign whose workflow was lost starts again from slice 0 of its epoch.
                .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                // The campaign lets its slices finish before it ends or continues as new. Should an operator end it
                // instead, slices that nobody waits for must not go on, nor hold the ids that a restart needs. Their
                // activities lose nothing: each outcome is recorded when it is there. The in-process engine ignores
                // this
                // policy; there, slices end when their activities say that the campaign is halted.
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE)
                // For the same reason a cancelled campaign asks its slices nothing: its end is theirs.
                .setCancellationType(ChildWorkflowCancellationType.ABANDON)
                .setStaticSummary(summary)
                .setStaticDetails(details)
                .build();
    }
}
