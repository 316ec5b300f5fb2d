package dev.assay.workflows.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.Script;
import dev.assay.workflows.engine.CampaignInMemory.State;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.engine.SliceInputs;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow;
import dev.assay.workflows.slice.ParallelEvaluationWorkflowImpl;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class CampaignWorkflowTest {

    /** Continues as new after a few slices. */
    public static final class ShortRuns extends CampaignWorkflowImpl {
        @WorkflowInit
        public ShortRuns(CampaignRun input) {
            super(input, new NextRun(60, PATIENCE_WITH_SLICES));
        }
    }

    /** The same, and does not wait long for slices. */
    public static final class ShortImpatientRuns extends CampaignWorkflowImpl {
        @WorkflowInit
        public ShortImpatientRuns(CampaignRun input) {
            super(input, new NextRun(60, Duration.ofSeconds(1)));
        }
    }

    /** A defect: no slice ever works. */
    public static final class BrokenSlices implements ParallelEvaluationWorkflow {
        @Override
        public SliceResult run(Slice slice) {
            throw ApplicationFailure.newNonRetryableFailure("The slice is broken", "BROKEN");
        }
    }

    @Test
    void shouldCompleteWhenEveryTrialIsDone() {
        CampaignInMemory campaign = new CampaignInMemory(60, 2);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.trialsDone()).isEqualTo(60);
            assertThat(campaign.cellsRun()).isEqualTo(120);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
            assertThat(campaign.completions()).isEqualTo(1);
            CampaignProgress progress = Engine.progress(workflow);
            assertThat(progress.phase()).isEqualTo("ENDED");
            assertThat(progress.trialsDone()).isEqualTo(60);
            assertThat(progress.slicesRunning()).isZero();
        }
    }

    @Test
    void shouldCompleteWhenEveryTaskIsReplayedFromTheFirstEvent() {
        CampaignInMemory campaign = new CampaignInMemory(40, 2);
        campaign.cellTime = Duration.ofMillis(5);
        campaign.cellScript = (branch, trial, attempt) -> trial % 5 == branch && attempt == 1 ? 150 : Script.CLOSED;
        try (Engine engine = Engine.replaying(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("some trials", () -> campaign.trialsDone() > 5);
            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.resume());
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.trialsDone()).isEqualTo(40);
        }
    }

    @Test
    void shouldPlanPageByPageWhenACampaignHasMoreSlicesThanRunAtOnce() {
        CampaignInMemory campaign = new CampaignInMemory(900, 1);
        campaign.limit(20);
        campaign.reportedCellSeconds = 20;
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
            List<Integer> pages = campaign.plans().stream()
                    .map(PlanActivities.PlanRequest::fromOrdinal)
                    .toList();
            assertThat(pages).startsWith(0).endsWith(0, 0);
            assertThat(pages.get(1)).isPositive();
            assertThat(children(engine, campaign.id)).hasSizeGreaterThan(3);
        }
    }

    @Test
    void shouldStartFurtherSlicesWhileOthersWaitForTheirLastTrials() {
        CampaignInMemory campaign = new CampaignInMemory(400, 1);
        campaign.limit(4);
        CountDownLatch stuck = new CountDownLatch(1);
        // One trial in each of the slices that run first, as if its worker had died.
        campaign.beforeBatch = batch -> {
            int trial = batch.trials().getFirst().from();
            if (trial < 150 && trial % 50 == 7) {
                Engine.await(stuck);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("all trials but three", () -> campaign.trialsDone() == 397);
            stuck.countDown();
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldKeepWithinTheWindowWhenSlicesRunSideBySide() {
        CampaignInMemory campaign = new CampaignInMemory(100, 2);
        campaign.limit(4);
        campaign.cellTime = Duration.ofMillis(20);
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostCellsInFlight()).isBetween(5, 12);
        }
    }

    @Test
    void shouldAdoptTheEpochWhenItMovedOnBeforeTheFirstPlan() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        campaign.resume();
        campaign.resume();
        try (Engine engine = new Engine(campaign)) {
            engine.finish(engine.start(CampaignRun.start(campaign.id, 1, Visibility.SEARCHABLE)));

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.batches()).allMatch(batch -> batch.epoch() == 3);
            assertThat(children(engine, campaign.id)).containsExactly(WorkflowIds.slice(campaign.id, 3, 0));
        }
    }

    @Test
    void shouldFinishUnderTheNewEpochWhenPausedAndResumed() {
        CampaignInMemory campaign = new CampaignInMemory(80, 1);
        campaign.limit(2);
        campaign.cellTime = Duration.ofMillis(10);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("some trials", () -> campaign.trialsDone() > 5);
            campaign.pause();
            Engine.await(
                    "the workflow to wait",
                    () -> Engine.progress(workflow).phase().equals("WAITING"));
            int doneAtPause = campaign.trialsDone();
            assertThat(doneAtPause).isLessThan(80);
            assertThat(Engine.progress(workflow).slicesRunning()).isZero();
            // The one with which it watched while it ran.
            assertThat(timers(engine, campaign.id)).isEqualTo(1);

            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.resume());
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
            assertThat(children(engine, campaign.id))
                    .last()
                    .asString()
                    .startsWith("campaign/" + campaign.id + "/slice/2-");
        }
    }

    @Test
    void shouldNotLoseWakeWhenItArrivesBetweenThePlanAndTheWait() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        campaign.pause();
        AtomicBoolean resumed = new AtomicBoolean();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub signals = engine.client().newUntypedWorkflowStub(WorkflowIds.campaign(campaign.id));
            campaign.afterPlan = plan -> {
                if (!resumed.getAndSet(true)) {
                    signals.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.resume());
                }
            };
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.plans().getFirst().epoch()).isEqualTo(1);
        }
    }

    /** PostgreSQL was restored from a backup, and knows nothing of the workflow's epoch. */
    @Test
    void shouldPlanWhenItIsWokenInAnEpochBeforeItsOwn() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        campaign.pause();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(CampaignRun.start(campaign.id, 7, Visibility.OBSERVED));
            Engine.await(
                    "the workflow to wait",
                    () -> Engine.progress(workflow).phase().equals("WAITING"));

            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.resume());
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void shouldRunAddedTrialsWhenACampaignIsExtendedWhileItRuns() {
        CampaignInMemory campaign = new CampaignInMemory(30, 1);
        campaign.limit(2);
        campaign.cellTime = Duration.ofMillis(10);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("some trials", () -> campaign.trialsDone() > 3);
            campaign.extend(1);
            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.epoch());
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.trialsDone()).isEqualTo(60);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldRunAddedTrialsWhenACampaignIsExtendedJustBeforeItCompletes() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        AtomicBoolean extended = new AtomicBoolean();
        campaign.before = activity -> {
            if (activity.equals("complete") && !extended.getAndSet(true)) {
                campaign.extend(1);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.trialsDone()).isEqualTo(10);
            assertThat(campaign.completions()).isEqualTo(2);
        }
    }

    @Test
    void shouldGoOnWhenActivitiesFailOnce() {
        CampaignInMemory campaign = new CampaignInMemory(10, 1);
        AtomicInteger plans = new AtomicInteger();
        AtomicInteger batches = new AtomicInteger();
        campaign.before = activity -> {
            if ((activity.equals("plan") && plans.incrementAndGet() == 1)
                    || (activity.equals("ensureOutcomes") && batches.incrementAndGet() == 3)) {
                throw new IllegalStateException("The connection is gone");
            }
        };
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldContinueAsNewWhenTheHistoryGrows() {
        CampaignInMemory campaign = new CampaignInMemory(900, 1);
        campaign.limit(100);
        campaign.reportedCellSeconds = 30;
        try (Engine engine = new Engine(campaign, ShortRuns.class, ParallelEvaluationWorkflowImpl.class)) {
            WorkflowStub workflow = engine.start(campaign);
            String firstRun = workflow.getExecution().getRunId();
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.trialsDone()).isEqualTo(900);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
            var first = engine.client().fetchHistory(WorkflowIds.campaign(campaign.id), firstRun);
            assertThat(first.getLastEvent().getEventType())
                    .isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
            assertThat(first.getEvents()).hasSizeLessThan(200);
            assertThat(children(engine, campaign.id)).doesNotContain(WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    @Test
    void shouldFailTheCampaignWhenASliceFails() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        try (Engine engine = new Engine(campaign, CampaignWorkflowImpl.class, BrokenSlices.class)) {
            WorkflowStub workflow = engine.start(campaign);

            assertThatThrownBy(() -> engine.finish(workflow))
                    .isInstanceOf(WorkflowFailedException.class)
                    .hasRootCauseMessage(
                            "message='Slice 0 failed: The slice is broken', type='CAMPAIGN_FAILED', nonRetryable=true");
            assertThat(campaign.state()).isEqualTo(State.FAILED);
            assertThat(campaign.failReason()).isEqualTo("Slice 0 failed: The slice is broken");
        }
    }

    @Test
    void shouldFailTheCampaignWhenAPlanCannotBeRead() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        campaign.before = activity -> {
            if (activity.equals("plan")) {
                throw ApplicationFailure.newNonRetryableFailure("The campaign's row is gone", "NOT_FOUND");
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);

            assertThatThrownBy(() -> engine.finish(workflow)).isInstanceOf(WorkflowFailedException.class);
            assertThat(campaign.failReason()).isEqualTo("The campaign's workflow failed: The campaign's row is gone");
        }
    }

    /** A hand-back without a counted attempt is no progress, however long the worker says to wait. */
    @Test
    void shouldFailTheCampaignWhenCellsAreHandedBackForNoStatedReason() {
        CampaignInMemory campaign = new CampaignInMemory(100, 1);
        campaign.limit(200);
        campaign.cellScript = (branch, trial, attempt) -> 100;
        campaign.unexplained = true;
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);

            assertThatThrownBy(() -> engine.finish(workflow)).isInstanceOf(WorkflowFailedException.class);
            assertThat(campaign.failReason()).startsWith("No trial was finished in 3 rounds");
            assertThat(campaign.batches())
                    .as("all that are under way at once, then three tries of each of the two slices")
                    .hasSize(ProgressGuard.ROUNDS * (100 + 2 * 3));
        }
    }

    /** A worker has tried a defect several times before its activity fails for good. */
    @Test
    void shouldFailTheCampaignAtOnceWhenActivitiesFailForGood() {
        CampaignInMemory campaign = new CampaignInMemory(100, 1);
        campaign.limit(5);
        campaign.beforeBatch = batch -> {
            throw ApplicationFailure.newNonRetryableFailure("A defect", "INTERNAL");
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);

            assertThatThrownBy(() -> engine.finish(workflow)).isInstanceOf(WorkflowFailedException.class);
            assertThat(campaign.failReason()).matches("Slice [0-9]+ failed: A defect");
            assertThat(campaign.batches()).as("what was under way").hasSizeLessThanOrEqualTo(3 * 5);
        }
    }

    @Test
    void shouldFailTheCampaignWhenNothingGetsDoneForThreeRounds() {
        CampaignInMemory campaign = new CampaignInMemory(100, 1);
        campaign.limit(200);
        campaign.cellScript = (branch, trial, attempt) -> 0;
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);

            assertThatThrownBy(() -> engine.finish(workflow)).isInstanceOf(WorkflowFailedException.class);
            assertThat(campaign.state()).isEqualTo(State.FAILED);
            assertThat(campaign.failReason()).startsWith("No trial was finished in 3 rounds");
            assertThat(campaign.plans().stream().filter(plan -> plan.fromOrdinal() == 0))
                    .hasSize(ProgressGuard.ROUNDS + 1);
        }
    }

    @Test
    void shouldPlanAgainWhenAnOperatorTerminatesASlice() {
        assumeTrue(Engine.isServer(), "The in-process server does not tell a parent of a terminated child");
        CampaignInMemory campaign = new CampaignInMemory(40, 1);
        campaign.limit(2);
        campaign.cellTime = Duration.ofMillis(10);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("some trials", () -> campaign.trialsDone() > 3);
            engine.client()
                    .newUntypedWorkflowStub(WorkflowIds.slice(campaign.id, 1, 0))
                    .terminate("by hand");
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.trialsDone()).isEqualTo(40);
        }
    }

    @Test
    void shouldTakeTheNextNumberWhenAnEarlierSliceStillHoldsTheId() {
        CampaignInMemory campaign = new CampaignInMemory(5, 1);
        try (Engine engine = new Engine(campaign)) {
            engine.start(SliceInputs.neverEnding(campaign));
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
            assertThat(children(engine, campaign.id))
                    .containsExactly(WorkflowIds.slice(campaign.id, 1, 0), WorkflowIds.slice(campaign.id, 1, 1));
        }
    }

    /** The workflow itself, so that it happens when no server runs. */
    @ParameterizedTest
    @EnumSource(names = {"PENDING", "RUNNING", "PAUSED"})
    void shouldCancelTheCampaignAndItsSlicesWhenCancelledInTemporal(State state) {
        CampaignInMemory campaign = new CampaignInMemory(40, 1);
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.before = activity -> {
            if (activity.equals("ensureOutcomes") || (activity.equals("plan") && state == State.PENDING)) {
                Engine.await(hangs);
            }
        };
        if (state == State.PAUSED) {
            campaign.pause();
        }
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("the workflow to begin", () -> switch (state) {
                case RUNNING -> !campaign.batches().isEmpty();
                case PAUSED -> Engine.progress(workflow).phase().equals("WAITING");
                default -> engine.events(WorkflowIds.campaign(campaign.id)).size() > 4;
            });
            workflow.cancel();

            assertThatThrownBy(() -> engine.finish(workflow)).hasRootCauseInstanceOf(CanceledFailure.class);
            assertThat(campaign.state()).isEqualTo(State.CANCELLED);
            assertThat(lastEvent(engine, WorkflowIds.campaign(campaign.id)))
                    .isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED);
            if (state == State.RUNNING) {
                Engine.await("the slice to end", () -> hasEnded(engine, WorkflowIds.slice(campaign.id, 1, 0)));
            }
            hangs.countDown();
        }
    }

    @Test
    void shouldStayAsItEndedWhenCancelledInTemporalJustAfterwards() {
        CampaignInMemory campaign = new CampaignInMemory(3, 1);
        CountDownLatch completed = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        campaign.before = activity -> {
            if (activity.equals("observe")) {
                completed.countDown();
                Engine.await(cancelled);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await(completed);
            workflow.cancel();
            cancelled.countDown();
            Engine.await("the end", () -> hasEnded(engine, WorkflowIds.campaign(campaign.id)));

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
        }
    }

    @Test
    void shouldLetItsSlicesGoWhenTheCampaignIsPausedWhileOneHangs() {
        CampaignInMemory campaign = new CampaignInMemory(40, 1);
        campaign.limit(2);
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.beforeBatch = batch -> {
            if (batch.trials().getFirst().from() == 3 && batch.epoch() == 1) {
                Engine.await(hangs);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("all others", () -> campaign.trialsDone() == 39);
            campaign.pause();
            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.epoch(), "paused");
            Engine.await(
                    "the workflow to wait",
                    () -> Engine.progress(workflow).phase().equals("WAITING"));
            assertThat(Engine.progress(workflow).slicesRunning()).isZero();
            Engine.await("the slice to end", () -> hasEnded(engine, WorkflowIds.slice(campaign.id, 1, 0)));

            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.resume(), "resumed");
            engine.finish(workflow);
            hangs.countDown();

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldContinueAsNewAlthoughASliceHangs() {
        CampaignInMemory campaign = new CampaignInMemory(300, 1);
        campaign.limit(100);
        campaign.reportedCellSeconds = 30;
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.beforeBatch = batch -> {
            if (batch.trials().getFirst().from() == 7) {
                Engine.await(hangs);
            }
        };
        try (Engine engine = new Engine(campaign, ShortImpatientRuns.class, ParallelEvaluationWorkflowImpl.class)) {
            WorkflowStub workflow = engine.start(campaign);
            String firstRun = workflow.getExecution().getRunId();
            WorkflowStub latest = engine.client().newUntypedWorkflowStub(WorkflowIds.campaign(campaign.id));
            Engine.await("all others", () -> campaign.trialsDone() == 299);
            while (engine.client()
                            .fetchHistory(WorkflowIds.campaign(campaign.id), firstRun)
                            .getEvents()
                            .size()
                    < 60) {
                latest.signal(CampaignWorkflow.SIGNAL_WAKE, 1, "limits changed");
            }
            Engine.await(
                    "the next run",
                    () -> !latest.describe().getExecution().getRunId().equals(firstRun));
            hangs.countDown();
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldPlanAgainHoweverOftenAnOperatorCancelsSlices() {
        CampaignInMemory campaign = new CampaignInMemory(1, 1);
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.beforeBatch = batch -> Engine.await(hangs);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            for (int slice = 0; slice <= ProgressGuard.ROUNDS; slice++) {
                int tried = slice + 1;
                Engine.await("a slice", () -> campaign.batches().size() == tried);
                engine.client()
                        .newUntypedWorkflowStub(WorkflowIds.slice(campaign.id, 1, slice))
                        .cancel();
            }
            hangs.countDown();
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
        }
    }

    /** A build with a defect; a later one goes on where it stopped. */
    public static final class DefectiveCampaign extends CampaignWorkflowImpl {
        static final AtomicInteger TASKS = new AtomicInteger();

        @WorkflowInit
        public DefectiveCampaign(CampaignRun input) {
            super(input);
        }

        @Override
        public void run(CampaignRun input) {
            if (TASKS.incrementAndGet() == 1) {
                throw new IllegalStateException("A defect");
            }
            super.run(input);
        }
    }

    @Test
    void shouldGoOnWithAFixedBuildWhenADefectBlockedTheWorkflowTask() {
        CampaignInMemory campaign = new CampaignInMemory(3, 1);
        try (Engine engine = new Engine(campaign, DefectiveCampaign.class, ParallelEvaluationWorkflowImpl.class)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(DefectiveCampaign.TASKS).hasValueGreaterThan(1);
        }
    }

    private static boolean hasEnded(Engine engine, String workflowId) {
        return engine.client().newUntypedWorkflowStub(workflowId).describe().getStatus()
                != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
    }

    @Test
    void shouldTakeItsSlicesAlongWhenTerminatedInTemporal() {
        CampaignInMemory campaign = new CampaignInMemory(40, 1);
        campaign.cellTime = Duration.ofSeconds(1);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("a slice", () -> !campaign.batches().isEmpty());
            workflow.terminate("by hand");

            awaitEndOfSlice(engine, campaign);
        }
    }

    /** A real server ends the slice; in process it ends when its activities find the campaign cancelled. */
    private static void awaitEndOfSlice(Engine engine, CampaignInMemory campaign) {
        String slice = WorkflowIds.slice(campaign.id, 1, 0);
        EventType end = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED;
        if (!Engine.isServer()) {
            campaign.cancel();
            end = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED;
        }
        EventType expected = end;
        Engine.await("the slice to end as " + expected, () -> lastEvent(engine, slice) == expected);
    }

    private static EventType lastEvent(Engine engine, String workflowId) {
        return engine.history(workflowId).getLastEvent().getEventType();
    }

    private static long timers(Engine engine, String campaignId) {
        return engine.events(WorkflowIds.campaign(campaignId)).stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_TIMER_STARTED)
                .count();
    }

    /** Ids of the slices that the latest run of a campaign's workflow asked for. */
    private static List<String> children(Engine engine, String campaignId) {
        return engine.events(WorkflowIds.campaign(campaignId)).stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_START_CHILD_WORKFLOW_EXECUTION_INITIATED)
                .map(event -> event.getStartChildWorkflowExecutionInitiatedEventAttributes()
                        .getWorkflowId())
                .toList();
    }
}
