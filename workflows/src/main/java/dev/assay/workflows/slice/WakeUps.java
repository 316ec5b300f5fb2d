package dev.assay.workflows.slice;

import dev.assay.workflows.Inbox;
import io.temporal.workflow.TimerOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.TreeSet;

/**
 * Timers that wake a run up. They are left to fire, whatever happens meanwhile. Cancelling a timer that fires in the same moment
 * stops a run for good on the in-process engine (sdk-java#3088).
 */
final class WakeUps {

    private static final TimerOptions NEXT_TRY =
            TimerOptions.newBuilder().setSummary("next try of a cell").build();

    private final Inbox inbox;
    private final TreeSet<Long> outstanding = new TreeSet<>();

    WakeUps(Inbox inbox) {
        this.inbox = inbox;
    }

    /** Wakes the run up at {@code dueMs} or earlier; starts no second timer when one is already due by then. */
    void at(long dueMs) {
        if (!outstanding.isEmpty() && outstanding.first() <= dueMs) {
            return;
        }
        outstanding.add(dueMs);
        long delayMs = Math.max(SliceLimits.SHORTEST_WAIT_MS, dueMs - Workflow.currentTimeMillis());
        // Detached, so that not even a cancelled workflow cancels it.
        Workflow.newDetachedCancellationScope(() -> Workflow.newTimer(Duration.ofMillis(delayMs), NEXT_TRY)
                        .thenApply(fired -> {
                            inbox.post(() -> outstanding.remove(dueMs));
                            return true;
                        }))
                .run();
    }
}
