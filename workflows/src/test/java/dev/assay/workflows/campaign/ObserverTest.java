package dev.assay.workflows.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.State;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.slice.Pace;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.ApplicationFailure;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
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
            assertThat(attributes.get(CampaignAttributes.TRIALS_TOTAL)).isEqualTo(20);
            assertThat(attributes.get(CampaignAttributes.TRIALS_DONE)).isEqualTo(20);
            assertThat(attributes.get(CampaignAttributes.TRIALS_FAILED)).isZero();
            assertThat(attributes.get(CampaignAttributes.PASS_RATE)).isEqualTo(0.5);
            assertThat(upserts(engine, campaign)).hasSize(1);
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
            Engine.await("an observation", () -> upserts(engine, campaign).size() == 1);
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
            assertThat(upserts(engine, campaign)).isEmpty();
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
