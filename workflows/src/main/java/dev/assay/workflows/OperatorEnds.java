package dev.assay.workflows;

import dev.assay.domain.health.EndInTemporal;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionTerminatedEventAttributes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads in the history of a run whether an operator ended it. */
public final class OperatorEnds {

    /** The identity under which Temporal itself ends runs. */
    private static final String SERVER = "history-service";

    private OperatorEnds() {}

    /** The operator's end of a run that has ended; null: it ended otherwise. */
    public static @Nullable EndInTemporal of(List<HistoryEvent> history) {
        HistoryEvent last = history.isEmpty() ? null : history.getLast();
        return last == null
                ? null
                : switch (last.getEventType()) {
                    case EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED -> {
                        EndInTemporal asked = cancelRequest(history);
                        yield asked == null ? new EndInTemporal(EndInTemporal.How.CANCELLED, time(last), "") : asked;
                    }
                    case EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED -> terminated(last);
                    default -> null;
                };
    }

    /** The operator's request to cancel a run; null: there is none. */
    public static @Nullable EndInTemporal cancelRequest(List<HistoryEvent> history) {
        return history.stream()
                .filter(HistoryEvent::hasWorkflowExecutionCancelRequestedEventAttributes)
                .findFirst()
                .map(event -> new EndInTemporal(
                        EndInTemporal.How.CANCELLED,
                        time(event),
                        event.getWorkflowExecutionCancelRequestedEventAttributes()
                                .getIdentity()))
                .orElse(null);
    }

    /** Temporal itself terminates runs that outgrow its limits. */
    private static @Nullable EndInTemporal terminated(HistoryEvent event) {
        WorkflowExecutionTerminatedEventAttributes end = event.getWorkflowExecutionTerminatedEventAttributes();
        return end.getIdentity().equals(SERVER)
                ? null
                : new EndInTemporal(EndInTemporal.How.TERMINATED, time(event), end.getIdentity());
    }

    private static Instant time(HistoryEvent event) {
        var time = event.getEventTime();
        return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
    }
}
