package dev.assay.campaigns.launch;

import dev.assay.domain.health.EndInTemporal;
import dev.assay.workflows.OperatorEnds;
import dev.assay.workflows.campaign.CampaignRun;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.PlanActivities.PlanRequest;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.common.converter.DataConverter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run of a campaign's workflow, by its history.
 *
 * @param epoch the highest epoch that it knew
 * @param byOperator what an operator did; null: nobody cancelled or terminated it. Assay itself ends no run of which it has not raised
 *     the epoch before
 */
public record RunEnd(int epoch, @Nullable EndInTemporal byOperator) {

    /** The end in {@code history}, first to last event. */
    static RunEnd of(List<HistoryEvent> history, DataConverter converter) {
        int epoch = history.stream()
                .mapToInt(event -> epoch(event, converter))
                .max()
                .orElse(0);
        return new RunEnd(epoch, OperatorEnds.of(history));
    }

    /** The act of an operator on a run that knew the epoch {@code current}; null: there is none that counts. */
    public @Nullable EndInTemporal counting(int current) {
        return epoch == current ? byOperator : null;
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
