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

    /**
     * The calls of a trial's judges may follow each other. A custom strategy's 100 asks take 18 h at 660 s each, the limit where none is
     * stated.
     */
    static final Duration JUDGING_START_TO_CLOSE = Duration.ofHours(24);

    /** As long as the lease, too: calls of judges are claimed as all cells are. */
    static final Duration JUDGING_HEARTBEAT = Duration.ofSeconds(30);

    /** A worker that lacks the plugin of a strategy, or a provider that it asks, leaves the trials to others: they should try soon. */
    static final Duration SLOWEST_JUDGING_RETRY = Duration.ofSeconds(10);

    private BatchOptions() {}

    /** The options of one activity on {@code taskQueue} that generates or selects. */
    static ActivityOptions on(String taskQueue, String summary) {
        return of(taskQueue, summary, SLOWEST_RETRY)
                .setStartToCloseTimeout(START_TO_CLOSE)
                .setHeartbeatTimeout(HEARTBEAT)
                .build();
    }

    /** The options of one activity on {@code taskQueue} in which models read answers. */
    static ActivityOptions judging(String taskQueue, String summary) {
        return of(taskQueue, summary, SLOWEST_JUDGING_RETRY)
                .setStartToCloseTimeout(JUDGING_START_TO_CLOSE)
                .setHeartbeatTimeout(JUDGING_HEARTBEAT)
                .build();
    }

    private static ActivityOptions.Builder of(String taskQueue, String summary, Duration slowestRetry) {
        return ActivityOptions.newBuilder()
                .setTaskQueue(NamePrefix.ofThisWorkflow().on(taskQueue))
                // Attempts are unlimited: a crash is not the cell's fault, and cells count their own attempts. Defects
                // end by DefectLimit in the activities.
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(FIRST_RETRY)
                        .setMaximumInterval(slowestRetry)
                        .build())
                // Workers look at the campaign's state themselves and stop what is stale. A request to cancel would
                // only race with completions, which stops a run for good on the in-process engine.
                .setCancellationType(ActivityCancellationType.ABANDON)
                .setSummary(summary);
    }
}
