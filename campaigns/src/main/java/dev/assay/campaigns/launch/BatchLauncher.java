package dev.assay.campaigns.launch;

import dev.assay.store.delivery.BatchRepository;
import dev.assay.store.delivery.ProviderBatch;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.delivery.BatchWorkflow;
import dev.assay.workflows.delivery.BatchWorkflow.BatchRun;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.enums.v1.WorkflowIdReusePolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The starter of workflows of provider batches, which also signals them. A batch whose workflow was lost gets one under the same id. */
@Singleton
public final class BatchLauncher {

    private static final Logger LOG = LoggerFactory.getLogger(BatchLauncher.class);

    private static final int AT_ONCE = 1_000;

    /** A batch that nobody looked at for so long after its time has lost its workflow. */
    private static final Duration LATE = Duration.ofMinutes(15);

    private final WorkflowClient client;
    private final BatchRepository batches;
    private final NamePrefix prefix;

    /** @param prefix of the names in Temporal; null: none */
    public BatchLauncher(WorkflowClient client, BatchRepository batches, @Nullable NamePrefix prefix) {
        this.client = client;
        this.batches = batches;
        this.prefix = prefix == null ? NamePrefix.NONE : prefix;
    }

    /** Has batches looked at that may have no workflow: all at the start of a server, later those that are late. */
    public void lookAfter(boolean all) {
        for (ProviderBatch batch : batches.open(AT_ONCE)) {
            if (all) {
                look(batch);
            } else if (isLate(batch)) {
                // Its workflow is gone, or belongs to a build without workers. Steps go by the row, so that another may
                // take them.
                start(batch, WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING);
            }
        }
    }

    private static boolean isLate(ProviderBatch batch) {
        Instant next = batch.times().nextPoll() == null
                ? batch.times().created()
                : batch.times().nextPoll();
        return next.plus(LATE).isBefore(batch.times().now());
    }

    /** Has the open batches of a campaign looked at now: they are cancelled with it. */
    public void lookAtAll(String campaignId) {
        batches.openOf(campaignId).forEach(this::look);
    }

    /** Has a batch looked at now, by the workflow that it has, or by a new one. */
    public void look(ProviderBatch batch) {
        WorkflowStub workflow = stub(batch, WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING);
        safely(
                batch,
                () -> workflow.signalWithStart(BatchWorkflow.SIGNAL_LOOK, new Object[0], new Object[] {run(batch)}));
    }

    private void start(ProviderBatch batch, WorkflowIdConflictPolicy running) {
        WorkflowStub workflow = stub(batch, running);
        safely(batch, () -> workflow.start(run(batch)));
    }

    private static BatchRun run(ProviderBatch batch) {
        return new BatchRun(batch.id(), batch.of().campaignId(), batch.of().queue());
    }

    private static void safely(ProviderBatch batch, Supplier<WorkflowExecution> call) {
        try {
            var _ = TemporalDeadline.within(call);
        } catch (RuntimeException e) {
            LOG.warn("Batch {} could not be looked at; that is tried again", batch.id(), e);
        }
    }

    private WorkflowStub stub(ProviderBatch batch, WorkflowIdConflictPolicy running) {
        return client.newUntypedWorkflowStub(
                BatchWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                        .setWorkflowId(prefix.on(WorkflowIds.batch(batch.id())))
                        .setTaskQueue(prefix.on(TaskQueues.ORCHESTRATION))
                        .setWorkflowIdReusePolicy(WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE)
                        .setWorkflowIdConflictPolicy(running)
                        .setStaticSummary(BatchWorkflow.summary(
                                batch.of().provider(), batch.of().model()))
                        .setStaticDetails("Campaign `" + batch.of().campaignId() + "`, batch `" + batch.id() + "`")
                        .build());
    }
}
