package dev.assay.workflows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.workflows.campaign.CampaignWorkflow;
import dev.assay.workflows.campaign.PlanActivities.DeliveryRoute;
import dev.assay.workflows.campaign.SteeringActivities.Steered;
import dev.assay.workflows.delivery.BatchWorkflow;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.Script;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.engine.SliceInputs;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The histories in the test resources, and how they are recorded anew. */
final class RecordedHistories {

    static final Path FOLDER = Path.of("src", "test", "resources", "histories");

    private RecordedHistories() {}

    static List<Path> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot list the recorded histories in " + FOLDER, failure);
        }
    }

    static void recordCampaignWithTwoSlices() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 30, 1);
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);
            write("campaign-with-two-slices", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignPausedAndResumed() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 10, 1);
        campaign.limit(1);
        campaign.cellTime = Duration.ofMillis(20);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("a trial", () -> campaign.trialsDone() > 1);
            campaign.pause();
            Engine.await("the wait", () -> Engine.progress(workflow).phase().equals("WAITING"));
            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.resume(), "resumed");
            engine.finish(workflow);
            write("campaign-paused-and-resumed", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignSteeredInTemporal() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 10, 1);
        campaign.limit(1);
        campaign.cellTime = Duration.ofMillis(20);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("a trial", () -> campaign.trialsDone() > 1);
            workflow.update(CampaignWorkflow.UPDATE_PAUSE, Steered.class);
            Engine.await("the wait", () -> Engine.progress(workflow).phase().equals("WAITING"));
            workflow.update(CampaignWorkflow.UPDATE_SET_LIMITS, Steered.class, Map.of("trials", 2));
            workflow.update(CampaignWorkflow.UPDATE_RESUME, Steered.class);
            workflow.signal(CampaignWorkflow.SIGNAL_WAKE, campaign.epoch(), "resumed");
            engine.finish(workflow);
            write("campaign-steered-in-temporal", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignThatIsObserved() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 60, 1);
        campaign.limit(1);
        campaign.cellTime = Duration.ofMillis(100);
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);
            write("campaign-that-is-observed", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignThatLetsItsSlicesGo() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 10, 1);
        campaign.limit(1);
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.beforeBatch = batch -> {
            if (batch.epoch() == 1 && batch.trials().getFirst().from() == 3) {
                await(hangs);
            }
        };
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("a trial", () -> campaign.trialsDone() > 1);
            workflow.update(CampaignWorkflow.UPDATE_RERUN, Steered.class, Map.of("only", "errored"));
            workflow.update(CampaignWorkflow.UPDATE_PAUSE, Steered.class);
            Engine.await("the wait", () -> Engine.progress(workflow).phase().equals("WAITING"));
            workflow.update(CampaignWorkflow.UPDATE_RESUME, Steered.class);
            engine.finish(workflow);
            hangs.countDown();
            write("campaign-that-lets-its-slices-go", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignCancelledInTemporal() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 10, 1);
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.beforeBatch = batch -> await(hangs);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("a slice", () -> !campaign.batches().isEmpty());
            workflow.cancel();
            assertThatThrownBy(() -> engine.finish(workflow)).isInstanceOf(WorkflowFailedException.class);
            hangs.countDown();
            write("campaign-cancelled-in-temporal", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignWhoseCellsAreOut() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 10, 1);
        campaign.deliveries = List.of(new DeliveryRoute("openai", "gpt-6.1-mini", TaskQueues.provider("test"), null));
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("a look", () -> campaign.looks() > 0);
            engine.client()
                    .newUntypedWorkflowStub(WorkflowIds.batch(CampaignInMemory.BATCH))
                    .signal(BatchWorkflow.SIGNAL_LOOK);
            engine.finish(workflow);
            write("campaign-whose-batches-name-it", engine, WorkflowIds.campaign(campaign.id));
            write("provider-batch-with-a-memo", engine, WorkflowIds.batch(CampaignInMemory.BATCH));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void recordSliceWithAHandedBackTrial() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 3, 2);
        campaign.run();
        campaign.cellScript =
                (branch, trial, attempt) -> branch == 1 && trial == 2 && attempt == 1 ? 300 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.of(campaign, 6, 20, 60)).trialsDone())
                    .isEqualTo(3);
            write("slice-with-a-handed-back-trial", engine, WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    static void recordSliceOfFastCells() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 200, 1);
        campaign.run();
        campaign.reportedCellSeconds = 0.02;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.of(campaign, 10_000, 4, 4)).trialsDone())
                    .isEqualTo(200);
            write("slice-of-fast-cells", engine, WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    static void recordSliceOfASmallCampaignWithFastCells() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 50, 1);
        campaign.run();
        campaign.reportedCellSeconds = 0.125;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.of(campaign, 50, 10, 10)).trialsDone())
                    .isEqualTo(50);
            write("slice-of-a-small-campaign-with-fast-cells", engine, WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    static void recordSliceWithAnActivityForItsJudges() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 4, 2);
        campaign.judges = new TrialJudges("judge gpt-5", 2);
        campaign.run();
        campaign.unanswered = (branch, trial) -> branch == 1 && trial == 1;
        campaign.referred = trial -> trial == 2;
        campaign.selectionScript = (branch, trial, attempt) -> trial == 3 && attempt == 1 ? 300 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.judged(campaign)).trialsDone()).isEqualTo(4);
            write("slice-with-an-activity-for-its-judges", engine, WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    static void recordSliceThatStandsStill() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 5, 1);
        campaign.run();
        campaign.unexplained = true;
        campaign.cellScript = (branch, trial, attempt) -> trial == 3 ? 100 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.of(campaign, 5, 20, 60)).trialsDone())
                    .isEqualTo(4);
            write("slice-that-stands-still", engine, WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    static void recordSliceWhoseTrialsGoToTheirJudges() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 3, 2);
        campaign.run();
        campaign.referred = trial -> trial > 0;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.judged(campaign)).trialsDone()).isEqualTo(3);
            write("slice-whose-trials-go-to-their-judges", engine, WorkflowIds.slice(campaign.id, 1, 0));
        }
    }

    static void recordCampaignThatCannotGoOn() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 3, 1);
        campaign.cellScript = (branch, trial, attempt) -> 0;
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            assertThatThrownBy(() -> engine.finish(workflow)).isInstanceOf(WorkflowFailedException.class);
            write("campaign-that-cannot-go-on", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    static void recordCampaignWhoseSliceIdIsTaken() {
        CampaignInMemory campaign = new CampaignInMemory("recorded", 5, 1);
        try (Engine engine = new Engine(campaign)) {
            engine.start(SliceInputs.neverEnding(campaign));
            engine.run(campaign);
            write("campaign-whose-slice-id-is-taken", engine, WorkflowIds.campaign(campaign.id));
        }
    }

    private static void write(String behaviour, Engine engine, String workflowId) {
        try {
            Files.createDirectories(FOLDER);
            Files.writeString(
                    FOLDER.resolve(behaviour + ".json"),
                    engine.history(workflowId).toJson(true) + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot write the history " + behaviour, failure);
        }
    }
}
