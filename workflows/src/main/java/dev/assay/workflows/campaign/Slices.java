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
import dev.assay.workflows.slice.SliceSizing;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The slices of a campaign: a few that wait, a few that run as child workflows. */
final class Slices {

    private static final TimerOptions PATIENCE =
            TimerOptions.newBuilder().setSummary("patience with slices").build();

    private final String campaignId;
    private final Inbox inbox;
    private final Consumer<SliceEnd> ended;
    private final Changes changes;
    private final Deque<SlicePlan> queued = new ArrayDeque<>();
    /** The slices that run, by number. */
    private final Map<Integer, CancellationScope> running = new TreeMap<>();
    /** Of these, the ones that wait only for trials that they have handed out: they leave their lane to another. */
    private final Set<Integer> empty = new TreeSet<>();

    private int done;
    private int next;

    /**
     * Without slices.
     *
     * @param next number of the first slice that will be started
     * @param inbox where the ends of slices are posted
     * @param ended told of each end, by the inbox
     */
    Slices(String campaignId, int next, Inbox inbox, Consumer<SliceEnd> ended, Changes changes) {
        this.campaignId = campaignId;
        this.next = next;
        this.inbox = inbox;
        this.ended = ended;
        this.changes = changes;
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

    /** Notes that a slice waits only for trials that it has handed out; nothing when it has ended. */
    void empty(int number) {
        if (running.containsKey(number)) {
            empty.add(number);
        }
    }

    /** Queues a slice that could not be started, before all others. */
    void queueAgain(SlicePlan plan) {
        queued.addFirst(plan);
    }

    /** Drops the slices that wait. Their trials are open in PostgreSQL and will be planned again. */
    void dropQueued() {
        queued.clear();
    }

    /**
     * Cancels the running slices and no longer waits for them: their open trials are planned again. Calls in flight are not
     * aborted: workers record their outcomes.
     */
    void letGo() {
        if (changes.letsGo()) {
            running.values().forEach(CancellationScope::cancel);
            running.clear();
            empty.clear();
        }
    }

    /** Cancels the slices that still run after {@code patience}. */
    void letGoAfter(Duration patience) {
        if (!running.isEmpty() && changes.letsGo()) {
            // Left to fire, whatever happens meanwhile: see WakeUps.
            Workflow.newDetachedCancellationScope(
                            () -> Workflow.newTimer(patience, PATIENCE).thenApply(fired -> {
                                inbox.post(this::letGo);
                                return true;
                            }))
                    .run();
        }
    }

    /**
     * Starts queued slices while one of the lanes of {@code sizing} is free. Beside these, at most as many slices as there are
     * lanes wait for trials that they have handed out.
     *
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
                            pace,
                            plan.judges(),
                            plan.stops()));
        }
    }

    private int busy() {
        return running.size() - empty.size();
    }

    private void start(SlicePlan plan, Slice input) {
        CancellationScope scope = Workflow.newCancellationScope(() -> run(plan, input));
        running.put(next, scope);
        next++;
        scope.run();
    }

    private void run(SlicePlan plan, Slice input) {
        ParallelEvaluationWorkflow workflow =
                Workflow.newChildWorkflowStub(ParallelEvaluationWorkflow.class, options(input));
        Promise<SliceResult> result = Async.function(workflow::run, input);
        result.handle((value, failure) -> {
            inbox.post(() -> {
                // The end of a cancelled slice does not matter.
                if (running.remove(input.number()) != null) {
                    empty.remove(input.number());
                    done++;
                    ended.accept(
                            failure == null
                                    ? new SliceEnd.Finished(result.get())
                                    : SliceEnd.of(input.number(), plan, failure));
                }
            });
            return value;
        });
    }

    private ChildWorkflowOptions options(Slice slice) {
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
                // The campaign ends or continues as new without slices. If an operator ends it instead, slices that it
                // no longer waits for must not go on, nor hold the ids that a restart needs. Their activities lose
                // nothing: workers record each outcome. The in-process engine ignores this policy; there, slices of a
                // terminated campaign end when their activities report that it is halted.
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE)
                // A campaign does not wait for slices that it cancels.
                .setCancellationType(
                        changes.letsGo()
                                ? ChildWorkflowCancellationType.TRY_CANCEL
                                : ChildWorkflowCancellationType.ABANDON)
                .setStaticSummary(summary)
                .setStaticDetails(details)
                .build();
    }
}
