package dev.assay.web.campaign;

import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.PlanActivities.PlanRequest;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.api.history.v1.WorkflowExecutionTerminatedEventAttributes;
import io.temporal.common.converter.DataConverter;
import java.util.List;
import java.util.Optional;

/**
 * The end of a run of a campaign's workflow, by its history.
 *
 * @param epoch the highest epoch that it knew
 * @param byOperator whether an operator cancelled or terminated it. Temporal itself terminates runs that outgrow its limits; Assay
 *     ends none of which it has not raised the epoch before
 */
record RunEnd(int epoch, boolean byOperator) {

    /** The identity under which Temporal itself ends runs. */
    private static final String SERVER = "history-service";

    /** The end in {@code history}, first to last event. */
    static RunEnd of(List<HistoryEvent> history, DataConverter converter) {
        int epoch = history.stream()
                .mapToInt(event -> epoch(event, converter))
                .max()
                .orElse(0);
        return new RunEnd(epoch, !history.isEmpty() && byOperator(history.getLast()));
    }

    private static boolean byOperator(HistoryEvent last) {
        return switch (last.getEventType()) {
            case EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED -> true;
            case EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED -> {
                WorkflowExecutionTerminatedEventAttributes end = last.getWorkflowExecutionTerminatedEventAttributes();
                yield !end.getIdentity().equals(SERVER);
            }
            default -> false;
        };
    }

    /** The epoch that {@code event} gave the run or that the run planned in; 0 when it is about something else. */
    private static int epoch(HistoryEvent event, DataConverter converter) {
        return switch (event.getEventType()) {
            case EVENT_TYPE_WORKFLOW_EXECUTION_STARTED ->
                read(event.getWorkflowExecutionStartedEventAttributes().getInput(), CampaignRun.class, converter)
                        .epoch();
            case EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED -> {
                WorkflowExecutionSignaledEventAttributes signal = event.getWorkflowExecutionSignaledEventAttributes();
                yield signal.getSignalName().equals(CampaignWorkflow.SIGNAL_WAKE)
                        ? read(signal.getInput(), Integer.class, converter)
                        : 0;
            }
            case EVENT_TYPE_ACTIVITY_TASK_SCHEDULED -> {
                ActivityTaskScheduledEventAttributes activity = event.getActivityTaskScheduledEventAttributes();
                yield activity.getActivityType().getName().equals("plan")
                        ? read(activity.getInput(), PlanRequest.class, converter)
                                .epoch()
                        : 0;
            }
            default -> 0;
        };
    }

    private static <T> T read(Payloads payloads, Class<T> type, DataConverter converter) {
        return converter.fromPayloads(0, Optional.of(payloads), type, type);
    }
}
