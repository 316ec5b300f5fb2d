package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.Script;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.engine.SliceInputs;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.Slice;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ParallelEvaluationWorkflowTest {

    private static final int LARGE = 100_000;

    @Test
    void shouldRunEveryBranchAndThenSelectWhenATrialIsOpen() {
        CampaignInMemory campaign = running(new CampaignInMemory(1, 3));
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 3, 20, 60));

            assertThat(result).isEqualTo(new SliceResult(1, false, false, new Pace(3, 3)));
            assertThat(campaign.batches().stream().map(BranchActivities.BranchBatch::branchIndex))
                    .containsExactlyInAnyOrder(0, 1, 2);
            assertThat(campaign.selections()).hasSize(1);
            assertThat(summaries(engine, campaign))
                    .containsExactly(
                            "france · branch-0 · trial 1",
                            "france · branch-1 · trial 1",
                            "france · branch-2 · trial 1",
                            "select · france, trial 1");
        }
    }

    @Test
    void shouldNeverExceedTheWindowWhenManyTrialsAreOpen() {
        CampaignInMemory campaign = running(new CampaignInMemory(60, 2));
        campaign.cellTime = Duration.ofMillis(50);
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 120, 20, 10));

            assertThat(result.trialsDone()).isEqualTo(60);
            assertThat(campaign.mostCellsInFlight()).isBetween(3, 10);
        }
    }

    @Test
    void shouldRunOneTrialAtATimeWhenTheWindowIsSmallerThanATrial() {
        CampaignInMemory campaign = running(new CampaignInMemory(4, 3));
        campaign.cellTime = Duration.ofMillis(10);
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 12, 1, 1));

            assertThat(result.trialsDone()).isEqualTo(4);
            assertThat(campaign.mostCellsInFlight()).isEqualTo(3);
        }
    }

    @Test
    void shouldStartWithSmallBatchesAndGrowThemWhenCellsAreFast() {
        CampaignInMemory campaign = running(new CampaignInMemory(1_000, 1));
        campaign.reportedCellSeconds = 0.125;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, LARGE, 100, 100));

            assertThat(result.trialsDone()).isEqualTo(1_000);
            assertThat(result.pace().cells()).isEqualTo(1_000);
            List<Integer> sizes = sizes(campaign);
            assertThat(sizes.getFirst()).isEqualTo(10);
            assertThat(Collections.max(sizes)).isEqualTo(50);
            assertThat(sizes).hasSizeLessThan(100);
            assertThat(campaign.selections()).as("batches share them").hasSizeLessThan(sizes.size() / 2);
        }
    }

    @Test
    void shouldPutFastCellsOfASmallCampaignIntoBatchesOnceTheyAreMeasured() {
        CampaignInMemory campaign = running(new CampaignInMemory(50, 1));
        campaign.reportedCellSeconds = 0.125;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 500, 10, 10));

            assertThat(result.trialsDone()).isEqualTo(50);
            List<Integer> sizes = sizes(campaign);
            assertThat(sizes.getFirst()).isEqualTo(1);
            assertThat(Collections.max(sizes)).isEqualTo(8);
            assertThat(sizes).hasSizeLessThan(20);
        }
    }

    @Test
    void shouldHaveOneCellAnActivityInASmallCampaignOfSlowCellsOrOneThatStopsOrIsJudged() {
        CampaignInMemory slow = running(new CampaignInMemory(20, 1));
        slow.reportedCellSeconds = 1;
        CampaignInMemory stops = running(new CampaignInMemory(20, 1));
        stops.reportedCellSeconds = 0.1;
        stops.stops = true;
        CampaignInMemory judged = running(new CampaignInMemory(20, 1));
        judged.reportedCellSeconds = 0.1;
        judged.judges = new TrialJudges("gpt-5", 1);
        for (CampaignInMemory campaign : List.of(slow, stops, judged)) {
            try (Engine engine = new Engine(campaign)) {
                SliceResult result = engine.run(SliceInputs.of(campaign, 500, 10, 10));

                assertThat(result.trialsDone()).isEqualTo(20);
                assertThat(sizes(campaign)).hasSize(20).containsOnly(1);
            }
        }
    }

    @Test
    void shouldNotTryATrialAgainBeforeItsTimeWhenItIsHandedBack() {
        CampaignInMemory campaign = running(new CampaignInMemory(3, 2));
        Map<Integer, Instant> handedBack = new ConcurrentHashMap<>();
        List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
        campaign.cellScript = (branch, trial, attempt) -> {
            if (branch == 1 && trial == 2 && attempt < 3) {
                handedBack.put(attempt, Instant.now());
                return 700;
            }
            if (branch == 1 && trial == 2) {
                waits.add(Duration.between(handedBack.get(attempt - 1), Instant.now()));
            }
            return Script.CLOSED;
        };
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 6, 20, 60));

            assertThat(result.trialsDone()).isEqualTo(3);
            assertThat(result.waiting()).isFalse();
            assertThat(waits)
                    .singleElement()
                    .satisfies(wait -> assertThat(wait).isBetween(Duration.ofMillis(700), Duration.ofSeconds(5)));
            // The finished cells of other branches are asked again, which costs nothing; the other trials are not.
            assertThat(campaign.cellsRun()).isEqualTo(6 + 2);
            assertThat(campaign.batches()).hasSize(6 + 4);
        }
    }

    @Test
    void shouldPackTrialsIntoOneBatchWhenTheyWereHandedBackByDifferentBatches() {
        CampaignInMemory campaign = running(new CampaignInMemory(400, 1));
        campaign.reportedCellSeconds = 0.05;
        campaign.cellScript = (branch, trial, attempt) -> trial % 10 == 0 && attempt == 1 ? 1_000 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, LARGE, 100, 100));

            assertThat(result.trialsDone()).isEqualTo(400);
            assertThat(campaign.cellsRun()).isEqualTo(440);
            assertThat(campaign.batches().stream().map(BranchActivities.BranchBatch::trials))
                    .as("batches that hold trials of several earlier batches, neighbours merged")
                    .anyMatch(trials -> trials.size() > 5
                            && trials.stream().allMatch(range -> range.size() == 1 && range.from() % 10 == 0));
        }
    }

    @Test
    void shouldAskForASelectionAgainWhenTheJudgeMustBeAskedLater() {
        CampaignInMemory campaign = running(new CampaignInMemory(2, 1));
        campaign.selectionScript = (branch, trial, attempt) -> trial == 1 && attempt == 1 ? 100 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 2, 20, 60));

            assertThat(result.trialsDone()).isEqualTo(2);
            assertThat(campaign.selections()).hasSize(3);
            assertThat(campaign.cellsRun()).isEqualTo(2);
        }
    }

    @Test
    void shouldStartNothingMoreWhenAnActivitySaysHalted() {
        CampaignInMemory campaign = running(new CampaignInMemory(50, 1));
        campaign.cellTime = Duration.ofMillis(10);
        AtomicInteger batches = new AtomicInteger();
        campaign.before = activity -> {
            if (activity.equals("ensureOutcomes") && batches.incrementAndGet() == 10) {
                campaign.pause();
            }
        };
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 50, 20, 3));

            assertThat(result.halted()).isTrue();
            assertThat(result.trialsDone()).isEqualTo(campaign.trialsDone()).isLessThan(10);
            assertThat(campaign.batches().size()).isLessThan(15);
        }
    }

    @Test
    void shouldNeverStartMoreThanFiveHundredActivitiesWhenTrialsAreHandedBackForEver() {
        CampaignInMemory campaign = running(new CampaignInMemory(200, 1));
        campaign.cellScript = (branch, trial, attempt) -> 1;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 200, 200, 600));

            assertThat(result).isEqualTo(new SliceResult(0, false, true, result.pace()));
            assertThat(summaries(engine, campaign)).hasSizeBetween(490, ParallelEvaluationWorkflow.MAX_ACTIVITIES);
            assertThat(engine.events(WorkflowIds.slice(campaign.id, 1, 0))).hasSizeLessThan(10_240);
        }
    }

    @Test
    void shouldLeaveTheRestWhenASliceHoldsMoreThanItsActivitiesCover() {
        CampaignInMemory campaign = running(new CampaignInMemory(300, 1));
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.of(campaign, 300, 100, 300));

            assertThat(result).isEqualTo(new SliceResult(250, false, false, new Pace(250, 250)));
        }
    }

    @Test
    void shouldFailWhenAnActivityFailsForGood() {
        CampaignInMemory campaign = running(new CampaignInMemory(1, 1));
        campaign.before = activity -> {
            throw ApplicationFailure.newNonRetryableFailure("No such campaign", "NOT_FOUND");
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub slice = engine.start(SliceInputs.of(campaign, 1, 20, 60));

            assertThatThrownBy(() -> engine.finish(slice))
                    .isInstanceOf(WorkflowFailedException.class)
                    .hasStackTraceContaining("No such campaign");
        }
    }

    @Test
    void shouldFailWhenACampaignHasMoreBranchesThanASliceHasActivities() {
        CampaignInMemory campaign = running(new CampaignInMemory(1, 500));
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub slice = engine.start(SliceInputs.of(campaign, 500, 20, 60));

            assertThatThrownBy(() -> engine.finish(slice))
                    .hasStackTraceContaining("A campaign may have at most 499 branches, this one has 500");
        }
    }

    @Test
    void shouldTakeTrialsToTheQueueOfAJudgeThatTheirWorkerCannotAsk() {
        CampaignInMemory campaign = running(new CampaignInMemory(4, 1));
        campaign.referred = trial -> trial == 1 || trial == 2;
        campaign.selectionScript = (branch, trial, attempt) -> trial == 2 && attempt == 2 ? 50 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.judged(campaign)).trialsDone()).isEqualTo(4);
            assertThat(engine.history(WorkflowIds.slice(campaign.id, campaign.epoch(), 0)).getEvents().stream()
                            .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
                            .map(HistoryEvent::getActivityTaskScheduledEventAttributes)
                            .filter(activity ->
                                    activity.getActivityType().getName().equals("judgeTrials"))
                            .map(activity -> activity.getTaskQueue().getName()))
                    .as("trials 1 and 2 are taken on; trial 2 comes back and begins again")
                    .containsExactlyInAnyOrder(
                            TaskQueues.provider("test"),
                            TaskQueues.provider("test"),
                            TaskQueues.provider("test"),
                            TaskQueues.provider("test"),
                            TaskQueues.provider("test"),
                            TaskQueues.ORCHESTRATION,
                            TaskQueues.ORCHESTRATION);
        }
    }

    @Test
    void shouldFailAndNotHangWhenTheInputIsWrong() {
        CampaignInMemory campaign = running(new CampaignInMemory(4, 1));
        Slice slice = SliceInputs.of(campaign, 4, 20, 60);
        Slice overlapping = new Slice(
                slice.campaignId(),
                slice.epoch(),
                slice.number(),
                List.of(new OrdinalRange(0, 2), new OrdinalRange(1, 3)),
                slice.labels(),
                slice.branches(),
                slice.trialQueue(),
                slice.cellsTotal(),
                slice.maxConcurrent(),
                slice.window(),
                slice.pace(),
                slice.judges(),
                slice.stops());
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(overlapping);

            assertThatThrownBy(() -> engine.finish(workflow))
                    .hasStackTraceContaining("Trials 1 to 3 are in the queue already");
        }
    }

    @Test
    void shouldEndAtOnceWhenCancelledInTemporalWithActivitiesAndTimersUnderWay() {
        CampaignInMemory campaign = running(new CampaignInMemory(3, 1));
        AtomicInteger slow = new AtomicInteger();
        campaign.cellScript = (branch, trial, attempt) -> trial == 0 ? 50_000 : Script.CLOSED;
        campaign.before = activity -> {
            if (activity.equals("ensureOutcomes") && slow.incrementAndGet() == 2) {
                Engine.await("the timer", () -> campaign.cellsRun() >= 2);
                pauseFor(Duration.ofSeconds(3));
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub slice = engine.start(SliceInputs.of(campaign, 3, 20, 60));
            Engine.await("the timer", () -> count(engine, campaign, EventType.EVENT_TYPE_TIMER_STARTED) == 1);
            slice.cancel();

            assertThatThrownBy(() -> engine.finish(slice)).hasRootCauseInstanceOf(CanceledFailure.class);
            assertThat(count(engine, campaign, EventType.EVENT_TYPE_TIMER_CANCELED))
                    .isZero();
            assertThat(count(engine, campaign, EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED))
                    .isZero();
        }
    }

    private static void pauseFor(Duration duration) {
        Instant end = Instant.now().plus(duration);
        Engine.await("a moment", () -> Instant.now().isAfter(end));
    }

    private static CampaignInMemory running(CampaignInMemory campaign) {
        campaign.run();
        return campaign;
    }

    private static long count(Engine engine, CampaignInMemory campaign, EventType type) {
        return engine.events(WorkflowIds.slice(campaign.id, 1, 0)).stream()
                .filter(event -> event.getEventType() == type)
                .count();
    }

    private static List<Integer> sizes(CampaignInMemory campaign) {
        return campaign.batches().stream()
                .map(batch -> CampaignInMemory.size(batch.trials()))
                .toList();
    }

    /** The summaries of all activities, in the order in which they were started. */
    private static List<String> summaries(Engine engine, CampaignInMemory campaign) {
        return engine.events(WorkflowIds.slice(campaign.id, 1, 0)).stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
                .map(ParallelEvaluationWorkflowTest::summary)
                .toList();
    }

    private static String summary(HistoryEvent event) {
        return DefaultDataConverter.newDefaultInstance()
                .fromPayload(event.getUserMetadata().getSummary(), String.class, String.class);
    }
}
