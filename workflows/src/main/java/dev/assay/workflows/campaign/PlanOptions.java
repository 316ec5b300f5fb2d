package dev.assay.workflows.campaign;

import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import java.time.Duration;

/** Options of {@link PlanActivities}. */
final class PlanOptions {

    /** A few indexed queries; aggregating a million outcomes is the longest of them. */
    static final Duration START_TO_CLOSE = Duration.ofSeconds(60);

    /** Only PostgreSQL or the worker can fail: a campaign goes on within seconds of their return. */
    static final Duration SLOWEST_RETRY = Duration.ofSeconds(10);

    /** An observation that takes longer is left out; the next one comes. */
    static final Duration OBSERVATION = Duration.ofSeconds(20);

    private PlanOptions() {}

    /** The options of an observation: unlike a plan it is given up. */
    static ActivityOptions observation() {
        return ActivityOptions.newBuilder(of("progress from PostgreSQL"))
                .setScheduleToCloseTimeout(OBSERVATION)
                .build();
    }

    /**
     * The options of an observation that is answered when there is something new to see. Temporal repeats it {@code every} so
     * often, and the history does not grow by that. It ends with its run.
     */
    static ActivityOptions change(Duration every) {
        return ActivityOptions.newBuilder(of("progress from PostgreSQL"))
                .setStartToCloseTimeout(OBSERVATION)
                .setRetryOptions(RetryOptions.newBuilder()
                        .setInitialInterval(every)
                        .setBackoffCoefficient(1)
                        .build())
                .build();
    }

    /** The options of one call. Attempts are unlimited, so that no outage of PostgreSQL ends a campaign. */
    static ActivityOptions of(String summary) {
        return ActivityOptions.newBuilder()
                .setStartToCloseTimeout(START_TO_CLOSE)
                .setRetryOptions(RetryOptions.newBuilder()
                        .setMaximumInterval(SLOWEST_RETRY)
                        .build())
                // All of them are idempotent. A request to cancel would race with completion for nothing.
                .setCancellationType(ActivityCancellationType.ABANDON)
                .setSummary(summary)
                .build();
    }
}
