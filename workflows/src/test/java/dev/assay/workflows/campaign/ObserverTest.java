package dev.assay.workflows.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.campaign.PlanActivities.DeliveryRoute;
import dev.assay.workflows.delivery.BatchWorkflow;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.State;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.slice.Pace;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.ApplicationFailure;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a campaign shows in Temporal. */
@Timeout(120)
class ObserverTest {

    private static String details(WorkflowStub workflow) {
        return workflow.query("__temporal_workflow_metadata", WorkflowMetadata.class)
                .getCurrentDetails()
                .replace('\u00a0', ' ');
    }

    private static SearchAttributes attributes(WorkflowStub workflow) {
        return workflow.describe().getTypedSearchAttributes();
    }

    private static List<HistoryEvent> upserts(Engine engine, CampaignInMemory campaign) {
        return engine.events(WorkflowIds.campaign(campaign.id)).stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES)
                .toList();
    }

    @Test
    void shouldShowCountersAsSearchAttributesWhenTheCampaignHasEnded() {
        CampaignInMemory campaign = new CampaignInMemory(20, 2);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            engine.finish(workflow);

            SearchAttributes attributes = attributes(workflow);
            assertThat(attributes.get(CampaignAttributes.PHASE)).isEqualTo("COMPLETED");
            assertThat(attributes.get(CampaignAttributes.CAMPAIGN_ID)).isEqualTo(campaign.id);
            assertThat(attributes.get(CampaignAttributes.CAMPAIGN_NAME)).isEqualTo("capitals");
            assertThat(attributes.get(CampaignAttributes.SUITE)).isEqualTo("cities");
            assertThat(attributes.get(CampaignAttributes.PROGRESS)).isEqualTo(1);
            assertThat(attributes.get(CampaignAttributes.TRIALS_FAILED)).isZero();
            assertThat(attributes.get(CampaignAttributes.PASS_RATE)).isEqualTo(0.5);
            assertThat(upserts(engine, campaign)).hasSize(2);
        }
    }

    @Test
    void shouldAnswerTheQueryAndShowATableOfBranchesWhenTheCampaignHasEnded() {
        CampaignInMemory campaign = new CampaignInMemory(20, 2);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            engine.finish(workflow);

            Observation observed = Engine.progress(workflow).observed();
            assertThat(observed).isNotNull();
            assertThat(observed.trialsDone()).isEqualTo(20);
            assertThat(observed.branches())
                    .extracting(Observation.BranchCounts::branchId)
                    .containsExactly("branch-0", "branch-1");
            assertThat(details(workflow))
                    .contains("**COMPLETED** · 20 of 20 trials done, 0 with an error · health **OK**")
                    .contains("| branch-1 | 20 of 20 | 10 (50.0 %) | 0 | 0 | – |");
        }
    }

    @Test
    void shouldShowPausedAndWhyCellsWaitWhileItRuns() {
        CampaignInMemory campaign = new CampaignInMemory(400, 1);
        campaign.limit(2);
        campaign.cellTime = Duration.ofMillis(50);
        campaign.reasons = List.of("Provider test limits the rate (429).");
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await("an observation", () -> upserts(engine, campaign).size() == 2);
            assertThat(attributes(workflow).get(CampaignAttributes.PHASE)).isEqualTo("RUNNING");
            assertThat(details(workflow)).contains("- Provider test limits the rate (429).");
            assertThat(campaign.state()).isEqualTo(State.RUNNING);

            campaign.pause();
            Engine.await("the phase", () -> "PAUSED".equals(attributes(workflow).get(CampaignAttributes.PHASE)));
            assertThat(details(workflow)).contains("**PAUSED**");
        }
    }

    @Test
    void shouldObserveRarelyWhenTheCampaignIsShort() {
        CampaignInMemory campaign = new CampaignInMemory(20, 1);
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(observations(engine, campaign)).isEqualTo(1);
        }
    }

    private static long observations(Engine engine, CampaignInMemory campaign) {
        return engine.events(WorkflowIds.campaign(campaign.id)).stream()
                .filter(event -> event.getEventType() == EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
                .filter(event -> event.getActivityTaskScheduledEventAttributes()
                        .getActivityType()
                        .getName()
                        .equals("observe"))
                .count();
    }

    /** A look that changed nothing once took eleven events, 660 an hour. */
    @Test
    void shouldLeaveTheHistoryAsItIsWhileNothingChanges() {
        CampaignInMemory campaign = new CampaignInMemory(1, 1);
        CountDownLatch hangs = new CountDownLatch(1);
        campaign.beforeBatch = batch -> Engine.await(hangs);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            Engine.await(
                    "a look that saw nothing new",
                    () -> pending(engine, campaign)
                            .anyMatch(activity ->
                                    activity.getLastFailure().getMessage().equals("Nothing has changed")));

            assertThat(observations(engine, campaign)).isEqualTo(2);
            assertThat(pending(engine, campaign))
                    .singleElement()
                    .extracting(PendingActivityInfo::getMaximumAttempts)
                    .isEqualTo(0);
            hangs.countDown();
            engine.finish(workflow);
            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
        }
    }

    private static Stream<PendingActivityInfo> pending(Engine engine, CampaignInMemory campaign) {
        return engine
                .client()
                .getWorkflowServiceStubs()
                .blockingStub()
                .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace(engine.client().getOptions().getNamespace())
                        .setExecution(WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.campaign(campaign.id)))
                        .build())
                .getPendingActivitiesList()
                .stream();
    }

    @Test
    void shouldShowABatchByItsCampaignAndHowFarItIs() {
        CampaignInMemory campaign = new CampaignInMemory(10, 1);
        campaign.deliveries = List.of(new DeliveryRoute("openai", "gpt-6.1-mini", TaskQueues.provider("test"), null));
        campaign.searchAttributes = List.of("CampaignId", "Suite");
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            WorkflowStub batch = engine.client().newUntypedWorkflowStub(WorkflowIds.batch(CampaignInMemory.BATCH));
            Engine.await("a look", () -> campaign.looks() > 0);
            Engine.await(
                    "the memo",
                    () -> "out".equals(batch.describe().getMemo(BatchWorkflow.MEMO_PROGRESS, String.class)));

            assertThat(details(batch)).isEqualTo("out");
            assertThat(batch.describe().getStaticSummary()).isEqualTo("batch · openai gpt-6.1-mini");
            assertThat(attributes(batch).get(CampaignAttributes.CAMPAIGN_ID)).isEqualTo(campaign.id);
            assertThat(attributes(batch).get(CampaignAttributes.SUITE)).isEqualTo("cities");
            assertThat(attributes(batch).size())
                    .as("those that the namespace has")
                    .isEqualTo(2);

            batch.signal(BatchWorkflow.SIGNAL_LOOK);
            engine.finish(workflow);
            assertThat(batch.describe().getMemo(BatchWorkflow.MEMO_PROGRESS, String.class))
                    .isEqualTo("collected");
        }
    }

    @Test
    void shouldSetTheAttributesThatThereAreWhenTheNamespaceLacksOthers() {
        CampaignInMemory campaign = new CampaignInMemory(20, 2);
        campaign.searchAttributes = List.of("Phase");
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            engine.finish(workflow);

            assertThat(attributes(workflow).get(CampaignAttributes.PHASE)).isEqualTo("COMPLETED");
            assertThat(attributes(workflow).size()).isEqualTo(1);
        }
    }

    @Test
    void shouldGoOnWhenNobodySaysWhichAttributesThereAre() {
        CampaignInMemory campaign = new CampaignInMemory(20, 2);
        campaign.before = activity -> {
            if (activity.equals("searchAttributes")) {
                throw new IllegalStateException("Temporal does not say");
            }
        };
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(upserts(engine, campaign)).isEmpty();
        }
    }

    /** Temporal refuses the workflow task; its next attempt must ask again and not set the same for ever. */
    @Test
    void shouldGoOnWhenAnAttributeVanishesBetweenTheQuestionAndItsUse() {
        CampaignInMemory campaign = new CampaignInMemory(20, 2);
        AtomicInteger asked = new AtomicInteger();
        campaign.searchAttributes = List.of(Engine.UNREGISTERED);
        campaign.before = activity -> {
            if (activity.equals("searchAttributes") && asked.incrementAndGet() == 2) {
                campaign.searchAttributes = List.of("Phase");
            }
        };
        try (Engine engine = Engine.lackingAnAttribute(campaign)) {
            WorkflowStub workflow = engine.start(campaign);
            engine.finish(workflow);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(attributes(workflow).get(CampaignAttributes.PHASE)).isEqualTo("COMPLETED");
            assertThat(asked).hasValueGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void shouldGoOnWhenItCannotBeObserved() {
        CampaignInMemory campaign = new CampaignInMemory(20, 1);
        campaign.before = activity -> {
            if (activity.equals("observe")) {
                throw ApplicationFailure.newNonRetryableFailure("Nothing to see", "TEST");
            }
        };
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(upserts(engine, campaign))
                    .as("what is known at the start")
                    .hasSize(1);
        }
    }

    @Test
    void shouldSetNoSearchAttributeWhenTheNamespaceHasNone() {
        CampaignInMemory campaign = new CampaignInMemory(20, 1);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(CampaignRun.start(campaign.id, 1, Visibility.OBSERVED));
            engine.finish(workflow);

            assertThat(upserts(engine, campaign)).isEmpty();
            assertThat(details(workflow)).contains("**COMPLETED**");
        }
    }

    @Test
    void shouldLookAtNothingWhenItBeganBeforeWorkflowsObserved() {
        CampaignInMemory campaign = new CampaignInMemory(20, 1);
        try (Engine engine = new Engine(campaign)) {
            WorkflowStub workflow = engine.start(CampaignRun.start(campaign.id, 1, Visibility.PLAIN));
            engine.finish(workflow);

            assertThat(observations(engine, campaign)).isZero();
            assertThat(details(workflow)).contains("| Trials done at the last plan | 20 of 20 |");
        }
    }

    @Test
    void shouldSayHowManyBranchesAreLeftOutAndKeepTheTableIntact() {
        List<Observation.BranchCounts> branches = IntStream.range(0, 2)
                .mapToObj(branch -> new Observation.BranchCounts("a|" + branch, 3, 2, 1, 1, new BigDecimal("0.1200")))
                .toList();
        Observation observed = new Observation("RUNNING", 9, 1, 1, 6, 4, branches, 5, "WAITING", List.of("Why."));
        CampaignProgress progress = new CampaignProgress("c", "RUNNING", 1, 9, 1, 1, 0, observed);

        assertThat(ProgressText.of(progress, Pace.UNKNOWN))
                .contains("health **WAITING**\n\n- Why.\n")
                .contains("|_a\\|1_|_3 of 9_|_2 (66.7 %)_|_1_|_1_|_$0.12_|".replace('_', '\u00a0'))
                .contains("and 3 more branches");
    }
}
