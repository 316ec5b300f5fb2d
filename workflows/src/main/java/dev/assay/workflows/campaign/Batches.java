package dev.assay.workflows.campaign;

import dev.assay.workflows.Inbox;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.PlanActivities.DeliveryRoute;
import dev.assay.workflows.campaign.PlanActivities.Plan;
import dev.assay.workflows.delivery.BatchActivities;
import dev.assay.workflows.delivery.BatchActivities.EnlistRequest;
import dev.assay.workflows.delivery.BatchActivities.Enlisted;
import dev.assay.workflows.delivery.BatchWorkflow;
import dev.assay.workflows.delivery.BatchWorkflow.BatchRun;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.common.RetryOptions;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The provider batches of a campaign: they are made here, and each goes on in a workflow of its own. */
final class Batches {

    /** The prompts of thousands of cells are made; meanwhile the activity says that it lives. */
    private static final Duration ENLISTING = Duration.ofHours(1);

    private static final Duration HEARTBEAT = Duration.ofSeconds(60);
    private static final Duration SLOWEST_RETRY = Duration.ofSeconds(30);

    private static final String CHANGE_ATTRIBUTES = "batches-name-their-campaign";

    private final KnownAttributes attributes;

    /** When the next try is; null: when a batch has ended. */
    private @Nullable Duration next;

    Batches(KnownAttributes attributes) {
        this.attributes = attributes;
    }

    /**
     * Makes batches and starts their workflows.
     *
     * @return whether a plan from before is out of date
     */
    boolean enlist(String campaignId, int epoch, Plan plan) {
        next = null;
        boolean changed = false;
        for (DeliveryRoute route : plan.deliveries()) {
            Enlisted enlisted = activities(route)
                    .enlist(new EnlistRequest(
                            campaignId, epoch, route.provider(), route.model(), route.queue(), route.kind()));
            SearchAttributes ofCampaign = enlisted.batches().isEmpty() ? null : attributes(campaignId, plan);
            enlisted.batches()
                    .forEach(batch -> start(route, new BatchRun(batch, campaignId, route.queue()), ofCampaign));
            changed |= enlisted.planAgain();
            if (enlisted.retryAfterMs() > 0) {
                Duration after = Duration.ofMillis(enlisted.retryAfterMs());
                next = next == null || after.compareTo(next) < 0 ? after : next;
            }
        }
        return changed;
    }

    /** Those by which people find the campaign, as far as the namespace knows them; null: a run from before set none. */
    private @Nullable SearchAttributes attributes(String campaignId, Plan plan) {
        return Workflow.getVersion(CHANGE_ATTRIBUTES, Workflow.DEFAULT_VERSION, 1) == Workflow.DEFAULT_VERSION
                ? null
                : attributes.ofChild(CampaignAttributes.ofChild(campaignId, plan));
    }

    /** Waits until something has happened, or it is time for the next try. */
    void await(Inbox inbox, BooleanSupplier hasHappened) {
        // Left to fire: cancelling it would add to the history.
        Promise<Void> timer = next == null ? null : Workflow.newTimer(next);
        BooleanSupplier isOver = () -> hasHappened.getAsBoolean() || (timer != null && timer.isCompleted());
        while (!isOver.getAsBoolean()) {
            Workflow.await(() -> !inbox.isEmpty() || isOver.getAsBoolean());
            inbox.handleAll();
        }
    }

    private static BatchActivities activities(DeliveryRoute route) {
        return Workflow.newActivityStub(
                BatchActivities.class,
                ActivityOptions.newBuilder()
                        .setTaskQueue(NamePrefix.ofThisWorkflow().on(route.queue()))
                        .setStartToCloseTimeout(ENLISTING)
                        .setHeartbeatTimeout(HEARTBEAT)
                        .setRetryOptions(RetryOptions.newBuilder()
                                .setMaximumInterval(SLOWEST_RETRY)
                                .build())
                        .setSummary("batches for " + route.provider() + " " + route.model())
                        .build());
    }

    /** Starts the workflow of a batch, which outlives this one. A server that started it already was faster. */
    private static void start(DeliveryRoute route, BatchRun run, @Nullable SearchAttributes attributes) {
        BatchWorkflow child = Workflow.newChildWorkflowStub(
                BatchWorkflow.class,
                ChildWorkflowOptions.newBuilder()
                        .setWorkflowId(NamePrefix.ofThisWorkflow().on(WorkflowIds.batch(run.batchId())))
                        .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
                        .setTypedSearchAttributes(attributes)
                        .setStaticSummary(BatchWorkflow.summary(route.provider(), route.model()))
                        .setStaticDetails("Campaign `" + run.campaignId() + "`, batch `" + run.batchId() + "`")
                        .build());
        var _ = Async.procedure(child::run, run);
        Promise<WorkflowExecution> started = Workflow.getWorkflowExecution(child);
        try {
            var _ = started.get();
        } catch (ChildWorkflowFailure running) {
            return;
        }
    }
}
