package dev.assay.domain.limit.outage;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The finding of all live workers together on a pool.
 *
 * @param isDown whether nobody gets an answer there
 * @param cutOff workers that get none while others do; empty where it is down
 */
public record OutageFinding(boolean isDown, Set<String> cutOff) {

    public OutageFinding {
        cutOff = Set.copyOf(cutOff);
    }

    /** The finding. One worker that gets answers is enough to say that the pool is there. */
    public static OutageFinding of(List<WorkerSight> workers) {
        Map<String, Duration> alarmed = new HashMap<>();
        for (WorkerSight worker : workers) {
            if (worker.runFor() != null) {
                alarmed.put(worker.workerId(), worker.runFor());
            }
        }
        if (alarmed.isEmpty()) {
            return new OutageFinding(false, Set.of());
        }
        // A worker that has long been cut off says nothing of when an outage began.
        Duration youngest = Collections.min(alarmed.values());
        boolean isDown = workers.stream().noneMatch(worker -> worker.contradicts(youngest));
        return new OutageFinding(isDown, isDown ? Set.of() : alarmed.keySet());
    }
}
