package dev.assay.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.workflows.campaign.CampaignWorkflowImpl;
import dev.assay.workflows.delivery.BatchWorkflowImpl;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import dev.assay.workflows.slice.ParallelEvaluationWorkflowImpl;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Workflows that run today go on under tomorrow's code. How to change one: {@code docs/changing-a-workflow.md}. */
class HistoryReplayTest {

    /** What a change without {@code Workflow.getVersion} looks like. */
    public static final class ChangedSlices implements ParallelEvaluationWorkflow {
        @Override
        public SliceResult run(Slice slice) {
            return new SliceResult(0, false, false, slice.pace());
        }
    }

    /** The first replay loads classes, which takes longer than a second where the machine is busy. */
    private static final long PATIENCE_MS = 60_000;

    private static TestWorkflowEnvironment environment;
    private static Worker worker;

    @BeforeAll
    static void start() {
        environment = TestWorkflowEnvironment.newInstance();
        worker = environment.newWorker(
                "replays",
                WorkerOptions.newBuilder()
                        .setDefaultDeadlockDetectionTimeout(PATIENCE_MS)
                        .build());
        worker.registerWorkflowImplementationTypes(
                CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class, BatchWorkflowImpl.class);
    }

    @AfterAll
    static void stop() {
        environment.close();
    }

    static List<Path> histories() {
        return RecordedHistories.all();
    }

    @ParameterizedTest
    @MethodSource("histories")
    void shouldReplayEveryRecordedHistory(Path history) throws IOException {
        String json = Files.readString(history);

        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(WorkflowExecutionHistory.fromJson(json), worker))
                .doesNotThrowAnyException();
    }

    /** What the histories do not hold cannot fail. */
    @Test
    void shouldHoldRunsOfEveryKind() throws IOException {
        Set<EventType> types = EnumSet.noneOf(EventType.class);
        int batchesOfOneSlice = 0;
        int judgedBatchesOfOneSlice = 0;
        boolean sliceHasParent = false;
        for (Path history : histories()) {
            List<HistoryEvent> events = events(history);
            events.forEach(event -> types.add(event.getEventType()));
            batchesOfOneSlice = Math.max(batchesOfOneSlice, activities(events, "selectTrials"));
            judgedBatchesOfOneSlice = Math.max(judgedBatchesOfOneSlice, activities(events, "judgeTrials"));
            sliceHasParent |= isSlice(events)
                    && events.getFirst()
                            .getWorkflowExecutionStartedEventAttributes()
                            .hasParentWorkflowExecution();
        }

        assertThat(batchesOfOneSlice).as("selections of one slice").isGreaterThan(10);
        assertThat(judgedBatchesOfOneSlice)
                .as("batches of one slice that judges read")
                .isGreaterThan(10);
        assertThat(sliceHasParent).as("a slice of a campaign").isTrue();
        assertThat(types)
                .contains(
                        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW,
                        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED,
                        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_FAILED,
                        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
                        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED,
                        EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
                        EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED,
                        EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_TERMINATED,
                        EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_FAILED,
                        EventType.EVENT_TYPE_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED,
                        EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED,
                        EventType.EVENT_TYPE_MARKER_RECORDED,
                        EventType.EVENT_TYPE_TIMER_FIRED,
                        EventType.EVENT_TYPE_MARKER_RECORDED,
                        EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES);
    }

    private static int activities(List<HistoryEvent> events, String type) {
        return (int) events.stream()
                .filter(event -> event.getActivityTaskScheduledEventAttributes()
                        .getActivityType()
                        .getName()
                        .equals(type))
                .count();
    }

    private static List<HistoryEvent> events(Path history) throws IOException {
        return WorkflowExecutionHistory.fromJson(Files.readString(history)).getEvents();
    }

    private static boolean isSlice(List<HistoryEvent> events) {
        return events.getFirst()
                .getWorkflowExecutionStartedEventAttributes()
                .getWorkflowType()
                .getName()
                .equals(ParallelEvaluationWorkflow.TYPE);
    }

    @Test
    void shouldFailWhenAWorkflowDoesSomethingElseThanItsHistorySays() throws IOException {
        String json = Files.readString(RecordedHistories.FOLDER.resolve("slice-with-a-handed-back-trial.json"));

        assertThatThrownBy(() -> WorkflowReplayer.replayWorkflowExecution(json, ChangedSlices.class))
                .isNotNull();
    }

    @Test
    @EnabledIfSystemProperty(named = "assay.recordHistories", matches = "true")
    void recordHistories() {
        RecordedHistories.recordCampaignWithTwoSlices();
        RecordedHistories.recordCampaignPausedAndResumed();
        RecordedHistories.recordCampaignSteeredInTemporal();
        RecordedHistories.recordCampaignThatIsObserved();
        RecordedHistories.recordCampaignThatLetsItsSlicesGo();
        RecordedHistories.recordCampaignCancelledInTemporal();
        RecordedHistories.recordSliceWithAHandedBackTrial();
        RecordedHistories.recordSliceOfFastCells();
        RecordedHistories.recordSliceOfASmallCampaignWithFastCells();
        RecordedHistories.recordSliceWhoseTrialsGoToTheirJudges();
        RecordedHistories.recordSliceWithAnActivityForItsJudges();
        RecordedHistories.recordSliceThatStandsStill();
        RecordedHistories.recordCampaignThatCannotGoOn();
        RecordedHistories.recordCampaignWhoseSliceIdIsTaken();
        RecordedHistories.recordCampaignWhoseCellsAreOut();
    }
}
