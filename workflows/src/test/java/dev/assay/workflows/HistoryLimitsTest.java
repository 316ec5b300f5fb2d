package dev.assay.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.assay.domain.campaign.StoreMark;
import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.campaign.CampaignWorkflowImpl;
import dev.assay.workflows.campaign.Observation;
import dev.assay.workflows.campaign.PlanActivities.Plan;
import dev.assay.workflows.campaign.PlanActivities.SlicePlan;
import dev.assay.workflows.campaign.PlanActivities.Standing;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.Script;
import dev.assay.workflows.engine.CampaignInMemory.State;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.BranchRoute;
import dev.assay.workflows.slice.ParallelEvaluationWorkflowImpl;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.testing.WorkflowReplayer;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Neither test server nor SDK enforces Temporal's limits, so that these tests do. */
@Timeout(240)
class HistoryLimitsTest {

    private static final int MOST_EVENTS = 10_240;
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final int MOST_PAYLOAD_BYTES = 16 * 1024;

    @Test
    void shouldKeepEveryHistorySmallAndReplayableWhenACampaignHasTwoThousandTrials() {
        CampaignInMemory campaign = new CampaignInMemory(2_000, 2);
        campaign.limit(50);
        campaign.reportedCellSeconds = 1;
        campaign.cellScript = (branch, trial, attempt) -> trial % 10 == branch && attempt == 1 ? 200 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.cellsRun()).isEqualTo(2 * 2_000 + 2 * 200);
            WorkflowExecutionHistory history = engine.history(WorkflowIds.campaign(campaign.id));
            List<String> slices = slices(history);
            assertThat(slices).hasSizeGreaterThan(5);
            verify(history);
            for (String slice : slices) {
                WorkflowExecutionHistory sliceHistory = engine.history(slice);
                verify(sliceHistory);
                assertThat(activities(sliceHistory)).isBetween(1L, (long) ParallelEvaluationWorkflow.MAX_ACTIVITIES);
            }
        }
    }

    @Test
    void shouldKeepAPlanSmallWhenOpenTrialsAreScattered() {
        List<OrdinalRange> scattered = IntStream.range(0, 200)
                .mapToObj(i -> new OrdinalRange(900_000 + 2 * i, 900_001 + 2 * i))
                .toList();
        Plan plan = plan(new SlicePlan(scattered, Map.of()));

        assertThat(payloadBytes(plan)).isLessThan(MOST_PAYLOAD_BYTES);
    }

    @Test
    void shouldKeepAPlanSmallWhenAllItsTrialsAreLabelled() {
        Map<Integer, String> labels = new HashMap<>();
        IntStream.range(0, 50).forEach(trial -> labels.put(trial, "c".repeat(60) + ", trial 500"));
        assertThat(labels.values().stream().mapToInt(String::length).sum())
                .isLessThanOrEqualTo(SlicePlan.MOST_LABEL_BYTES);
        List<OrdinalRange> scattered = IntStream.range(0, 50)
                .mapToObj(i -> new OrdinalRange(2 * i, 2 * i + 1))
                .toList();

        assertThat(payloadBytes(plan(new SlicePlan(scattered, labels)))).isLessThan(MOST_PAYLOAD_BYTES);
    }

    @Test
    void shouldKeepAnObservationSmallWhenThereAreManyBranchesAndReasons() {
        List<Observation.BranchCounts> branches = IntStream.range(0, Observation.MOST_BRANCHES)
                .mapToObj(branch -> new Observation.BranchCounts(
                        "ü".repeat(64), 1_000_000, 1_000_000, 1_000_000, 1_000_000, new BigDecimal("12345.123456")))
                .toList();
        List<String> reasons =
                Collections.nCopies(Observation.MOST_REASONS, "r".repeat(Observation.MOST_REASON_CHARACTERS));
        Observation observation =
                new Observation("RUNNING", 1_000_000, 0, 0, 500_000_000, 0, branches, 499, "STALLED", reasons);

        assertThat(payloadBytes(observation)).isLessThan(MOST_PAYLOAD_BYTES);
    }

    private static Plan plan(SlicePlan slice) {
        List<BranchRoute> routes = IntStream.range(0, 10)
                .mapToObj(branch -> new BranchRoute(branch, "a branch with a name " + branch, "assay-provider-openai"))
                .toList();
        return new Plan(
                Standing.GO,
                1,
                "name",
                "suite",
                1_000_000,
                0,
                10_000_000,
                100,
                routes,
                "q",
                List.of(slice, slice),
                0,
                new StoreMark(Long.MAX_VALUE, "01234567-89ab-cdef-0123-456789abcdef", Long.MAX_VALUE),
                new TrialJudges("ü".repeat(100), 2),
                true,
                List.of(),
                true);
    }

    private static int payloadBytes(Object value) {
        return DefaultDataConverter.newDefaultInstance()
                .toPayload(value)
                .orElseThrow()
                .getSerializedSize();
    }

    /** An event is at least as large as its payloads together. */
    private static void verify(WorkflowExecutionHistory history) {
        List<HistoryEvent> events = history.getEvents();
        assertThat(events).hasSizeLessThan(MOST_EVENTS);
        assertThat(events.stream().mapToLong(HistoryEvent::getSerializedSize).sum())
                .isLessThan(MOST_BYTES);
        assertThat(events)
                .allSatisfy(event -> assertThat(event.getSerializedSize())
                        .as("bytes of %s", event.getEventType())
                        .isLessThan(MOST_PAYLOAD_BYTES));
        assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(
                        history, CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class))
                .doesNotThrowAnyException();
    }

    private static List<String> slices(WorkflowExecutionHistory campaign) {
        return campaign.getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED)
                .map(event -> event.getStartChildWorkflowExecutionInitiatedEventAttributes()
                        .getWorkflowId())
                .toList();
    }

    private static long activities(WorkflowExecutionHistory history) {
        return history.getEvents().stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
                .count();
    }
}
