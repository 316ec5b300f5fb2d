package dev.assay.workflows.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.SteeringActivities.Steered;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.State;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.slice.ParallelEvaluationWorkflowImpl;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What operators ask of a campaign's workflow in Temporal. */
@Timeout(120)
class SteeringWorkflowTest {

    private static CampaignInMemory slow() {
        CampaignInMemory campaign = new CampaignInMemory(60, 1);
        campaign.limit(2);
        campaign.cellTime = Duration.ofMillis(10);
        return campaign;
    }

    private static Steered ask(WorkflowStub workflow, String update, Object... arguments) {
        return workflow.update(update, Steered.class, arguments);
    }

    private static void awaitTrials(CampaignInMemory campaign) {
        Engine.await("some trials", () -> campaign.trialsDone() > 3);
    }

    @Test
    void shouldPauseAndResumeWhenAskedByUpdates() {
        CampaignInMemory campaign = slow();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);

            assertThat(ask(workflow, CampaignWorkflow.UPDATE_PAUSE)).isEqualTo(new Steered("PAUSED", 1, 2, null, 1));
            assertThat(ask(workflow, CampaignWorkflow.UPDATE_PAUSE).state())
                    .as("again")
                    .isEqualTo("PAUSED");
            Engine.await(
                    "the workflow to wait",
                    () -> Engine.progress(workflow).phase().equals("WAITING"));
            assertThat(campaign.trialsDone()).isLessThan(60);

            assertThat(ask(workflow, CampaignWorkflow.UPDATE_RESUME)).isEqualTo(new Steered("RUNNING", 2, 2, null, 1));
            engine.finish(workflow);
            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldEndWhenCancelledByAnUpdate() {
        CampaignInMemory campaign = slow();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);

            assertThat(ask(workflow, CampaignWorkflow.UPDATE_CANCEL).state()).isEqualTo("CANCELLED");
            engine.finish(workflow);
            assertThat(campaign.state()).isEqualTo(State.CANCELLED);
            assertThat(campaign.trialsDone()).isLessThan(60);
        }
    }

    @Test
    void shouldRunTheTrialsThatAnUpdateAdds() {
        CampaignInMemory campaign = slow();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);

            assertThat(ask(workflow, CampaignWorkflow.UPDATE_SET_LIMITS, Map.of("trials", 2, "maxConcurrent", 30)))
                    .isEqualTo(new Steered("RUNNING", 1, 30, null, 2));
            engine.finish(workflow);
            assertThat(campaign.trialsDone()).isEqualTo(120);
        }
    }

    @Test
    void shouldGoOnAndSayWhyWhenAnUpdateIsRefused() {
        CampaignInMemory campaign = slow();
        AtomicBoolean failed = new AtomicBoolean();
        CountDownLatch asked = new CountDownLatch(1);
        campaign.before = activity -> {
            if (activity.equals("steer")) {
                asked.countDown();
            } else if (activity.equals("plan") && failed.get()) {
                // Else the workflow might have ended before it is asked.
                await(asked);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);
            failed.set(true);
            campaign.fail(campaign.id, 1, "Could not go on");

            assertThatThrownBy(() -> ask(workflow, CampaignWorkflow.UPDATE_PAUSE))
                    .isInstanceOf(WorkflowUpdateException.class)
                    .hasStackTraceContaining("It is FAILED and cannot be paused");
            engine.finish(workflow);
        }
    }

    @Test
    void shouldFinishAnUpdateBeforeItEnds() throws Exception {
        CampaignInMemory campaign = new CampaignInMemory(3, 1);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch completed = new CountDownLatch(1);
        campaign.before = activity -> {
            if (activity.equals("steer")) {
                asked.countDown();
                await(completed);
            } else if (activity.equals("complete")) {
                await(asked);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            CompletableFuture<Steered> update = CompletableFuture.supplyAsync(
                    () -> ask(workflow, CampaignWorkflow.UPDATE_RESUME),
                    command -> Thread.ofPlatform().start(command));
            Engine.await("the end of the work", () -> campaign.state() == State.COMPLETED);
            completed.countDown();

            assertThat(update.get().state()).isEqualTo("RUNNING");
            engine.finish(workflow);
            assertThat(campaign.state()).as("the workflow looked once more").isEqualTo(State.COMPLETED);
            assertThat(campaign.epoch()).isEqualTo(2);
        }
    }

    @Test
    void shouldFinishAnUpdateBeforeItContinuesAsNew() {
        CampaignInMemory campaign = new CampaignInMemory(900, 1);
        campaign.limit(100);
        campaign.reportedCellSeconds = 30;
        try (Engine engine =
                new Engine(campaign, CampaignWorkflowTest.ShortRuns.class, ParallelEvaluationWorkflowImpl.class)) {
            engine.start(campaign);
            WorkflowStub latest = engine.client().newUntypedWorkflowStub(WorkflowIds.campaign(campaign.id));
            int answers = 0;
            while (campaign.trialsDone() < 700) {
                answers += ask(latest, CampaignWorkflow.UPDATE_SET_LIMITS, Map.of("maxConcurrent", 100))
                                .state()
                                .equals("RUNNING")
                        ? 1
                        : 0;
            }
            engine.finish(latest);

            assertThat(answers).isPositive();
            assertThat(campaign.trialsDone()).isEqualTo(900);
            assertThat(campaign.mostAttempts()).isEqualTo(1);
        }
    }

    @Test
    void shouldShowWhatWasAskedForInTheHistory() {
        CampaignInMemory campaign = slow();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);
            ask(workflow, CampaignWorkflow.UPDATE_SET_LIMITS, Map.of("maxConcurrent", 20));
            engine.finish(workflow);

            assertThat(engine.events(WorkflowIds.campaign(campaign.id)).stream()
                            .filter(event ->
                                    event.getEventType() == EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED)
                            .map(event -> event.getWorkflowExecutionUpdateAcceptedEventAttributes()
                                    .getAcceptedRequest()
                                    .getInput()
                                    .getName()))
                    .containsExactly(CampaignWorkflow.UPDATE_SET_LIMITS);
        }
    }

    @Test
    void shouldRunCellsAgainWhenAskedByAnUpdate() {
        CampaignInMemory campaign = slow();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);

            assertThat(ask(workflow, CampaignWorkflow.UPDATE_RERUN, Map.of("only", "errored"))
                            .state())
                    .isEqualTo("RUNNING");
            assertThat(ask(workflow, CampaignWorkflow.UPDATE_RERUN).state()).isEqualTo("RUNNING");
            assertThat(ask(workflow, CampaignWorkflow.UPDATE_RERUN, Map.of("whole", true))
                            .state())
                    .isEqualTo("RUNNING");
            assertThat(campaign.reruns).containsExactly(Map.of("only", "errored"), Map.of(), Map.of("whole", true));
        }
    }

    @Test
    void shouldKeepWhatNoCampaignCouldTakeOutOfTheHistory() {
        CampaignInMemory campaign = slow();
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            awaitTrials(campaign);

            assertThatThrownBy(() -> ask(workflow, CampaignWorkflow.UPDATE_SET_LIMITS, Map.of("maxConcurrent", 0)))
                    .hasStackTraceContaining("maxConcurrent");
            assertThatThrownBy(() -> ask(workflow, CampaignWorkflow.UPDATE_SET_LIMITS, Map.of("\u0000", "\ud800")))
                    .hasStackTraceContaining("Unknown field");
            assertThatThrownBy(() -> ask(workflow, CampaignWorkflow.UPDATE_SET_LIMITS))
                    .isInstanceOf(WorkflowUpdateException.class);
            assertThatThrownBy(() -> ask(workflow, CampaignWorkflow.UPDATE_RERUN, Map.of("only", "passed")))
                    .hasStackTraceContaining("only");
            assertThatThrownBy(() ->
                            ask(workflow, CampaignWorkflow.UPDATE_RERUN, Map.of("whole", true, "cases", List.of("a"))))
                    .hasStackTraceContaining("cases");
            engine.finish(workflow);
            assertThat(engine.events(WorkflowIds.campaign(campaign.id)))
                    .extracting(event -> event.getEventType())
                    .doesNotContain(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
