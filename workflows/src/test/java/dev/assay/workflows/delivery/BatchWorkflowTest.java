package dev.assay.workflows.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.delivery.BatchPace;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TestWorkflowEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The waits of a batch's workflow, in a time that is skipped. */
final class BatchWorkflowTest {

    private static final String BATCH = "batch-1";
    private static final String QUEUE = TaskQueues.provider("test");

    /** The first wait of a batch (specification of batches, section 3). */
    private static final Duration FIRST = Duration.ofSeconds(15);

    /** What Temporal Cloud bills of a history; an upserted memo is free. */
    private static final Set<EventType> ACTIONS = Set.of(
            EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
            EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED,
            EventType.EVENT_TYPE_TIMER_STARTED,
            EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
            EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
            EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES);

    private final TestWorkflowEnvironment environment = TestWorkflowEnvironment.newInstance();
    private final List<Instant> looks = new ArrayList<>();

    /** A provider that answers after some time. */
    private final class Provider implements BatchActivities {

        private final Duration takes;

        private Provider(Duration takes) {
            this.takes = takes;
        }

        @Override
        public Enlisted enlist(EnlistRequest request) {
            throw new AssertionError("A batch enlists nothing.");
        }

        @Override
        public Step advance(String batchId) {
            assertThat(batchId).isEqualTo(BATCH);
            Instant now = Instant.ofEpochMilli(environment.currentTimeMillis());
            looks.add(now);
            Duration age = Duration.between(looks.getFirst(), now);
            Duration wait = BatchPace.next(age, FIRST, null);
            return new Step(age.compareTo(takes) >= 0, wait.toMillis(), "polls again " + now.plus(wait));
        }
    }

    @AfterEach
    void close() {
        environment.close();
    }

    private WorkflowStub start(Duration takes) {
        environment.newWorker(TaskQueues.ORCHESTRATION).registerWorkflowImplementationTypes(BatchWorkflowImpl.class);
        environment.newWorker(QUEUE).registerActivitiesImplementations(new Provider(takes));
        environment.start();
        WorkflowStub workflow = environment
                .getWorkflowClient()
                .newUntypedWorkflowStub(
                        BatchWorkflow.TYPE,
                        WorkflowOptions.newBuilder()
                                .setTaskQueue(TaskQueues.ORCHESTRATION)
                                .setWorkflowId(WorkflowIds.batch(BATCH))
                                .build());
        workflow.start(new BatchWorkflow.BatchRun(BATCH, "campaign-that-is-gone", QUEUE));
        return workflow;
    }

    private List<HistoryEvent> events() {
        return environment
                .getWorkflowClient()
                .fetchHistory(WorkflowIds.batch(BATCH))
                .getEvents();
    }

    @Test
    void shouldCostAtMostFourHundredActionsInADayOfWaiting() {
        start(Duration.ofDays(1)).getResult(Void.class);

        assertThat(Duration.between(looks.getFirst(), looks.getLast()))
                .isBetween(Duration.ofDays(1), Duration.ofDays(1).plusMinutes(10));
        assertThat(events().getFirst()
                        .getWorkflowExecutionStartedEventAttributes()
                        .getContinuedExecutionRunId())
                .as("one history")
                .isEmpty();
        long actions = events().stream()
                .filter(event -> ACTIONS.contains(event.getEventType()))
                .count();
        System.out.printf("a day of waiting: %d looks, %d actions%n", looks.size(), actions);
        assertThat(actions).isBetween(2L * looks.size(), 400L);
    }

    @Test
    void shouldEndAsCompletedWhenTheWorkflowOfItsCampaignIsGone() {
        start(Duration.ofMinutes(1)).getResult(Void.class);

        assertThat(events())
                .extracting(HistoryEvent::getEventType)
                .contains(EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED)
                .endsWith(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED);
    }

    @Test
    void shouldLookAtOnceWhenSomebodyAsks() {
        WorkflowStub workflow = start(Duration.ofDays(1));
        environment.sleep(Duration.ofHours(1));
        int before = looks.size();

        workflow.signal(BatchWorkflow.SIGNAL_LOOK);
        environment.sleep(Duration.ofSeconds(1));

        assertThat(looks).hasSize(before + 1);
    }
}
