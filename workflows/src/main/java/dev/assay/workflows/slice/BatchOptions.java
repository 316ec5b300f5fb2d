package dev.assay.workflows.slice;

import dev.assay.workflows.NamePrefix;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Options of {@link BranchActivities} and {@link TrialActivities}. */
final class BatchOptions {

    /** Attempts and time are bounded cell by cell, in PostgreSQL; this only ends activities that nothing else would end. */
    static final Duration START_TO_CLOSE = Duration.ofHours(24);

    /** The lease of a worker: an activity of a worker that died is tried elsewhere when its claims are free. */
    static final Duration HEARTBEAT = Duration.ofSeconds(30);

    /** The worker or PostgreSQL fails, never a model: this is soon enough after a restart to go unnoticed. */
    static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    /** Long outages are checked twice a minute, so that work goes on soon after they end. */
    static final Duration SLOWEST_RETRY = Duration.ofSeconds(30);

    private BatchOptions() {}

    /** The options of one activity on {@code taskQueue}. */
    static ActivityOptions on(String taskQueue, String summary) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(NamePrefix.ofThisWorkflow().on(taskQueue))
                .setStartToCloseTimeout(START_TO_CLOSE)
                .setHeartbeatTimeout(HEARTBEAT)
                // Attempts are unlimited: a crash is not the cell's fault, and cells count their own attempts.
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(FIRST_RETRY)
                        .setMaximumInterval(SLOWEST_RETRY)
                        .build())
                // Workers look at the campaign's state themselves and stop what is stale. A request to cancel would
                // only race with completions, which stops a run for good on the in-process engine.
                .setCancellationType(ActivityCancellationType.ABANDON)
                .setSummary(summary)
                .build();
    }
}
