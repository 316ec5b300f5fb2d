package dev.assay.activities.judging;

import dev.assay.activities.cell.CellBatch;
import io.temporal.activity.Activity;

/** Counts the calls of one activity over all rounds in which it asks, for its heartbeats. */
final class CallCounter {

    private final String of;
    private int begun;

    /** @param of what is counted */
    CallCounter(String of) {
        this.of = of;
    }

    /** A heartbeat for the next round, which makes {@code calls}; all earlier ones have ended. */
    CellBatch.Heartbeat round(int calls) {
        int before = begun;
        begun += calls;
        int total = begun;
        return done -> Activity.getExecutionContext().heartbeat(new CallCount(of, before + done, total));
    }
}
