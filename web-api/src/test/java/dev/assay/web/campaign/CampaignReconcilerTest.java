package dev.assay.web.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.campaigns.steering.CampaignSteering;
import dev.assay.campaigns.upkeep.CampaignReconciler;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.SampleCampaign;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.web.ServerFixture;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.WorkflowIds;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.workflowservice.v1.TerminateWorkflowExecutionRequest;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CampaignReconcilerTest {

    private static final SampleCampaign SAMPLE = new SampleCampaign("reconciled", 2, 1, 2);

    private static ServerFixture server;

    @BeforeAll
    static void start() {
        server = ServerFixture.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void shouldStartWorkflowUnderNewEpochWhenCampaignHasNone() {
        create("lost");

        reconcile();

        assertThat(campaign("lost").epoch()).isEqualTo(2);
        assertThat(server.get(CampaignLauncher.class).status("lost"))
                .hasValueSatisfying(status -> assertThat(status.name()).endsWith("RUNNING"));
    }

    @Test
    void shouldLeaveCampaignAloneWhenSomebodyMayBeStartingIt() {
        create("new");

        server.get(CampaignReconciler.class).reconcile();

        assertThat(campaign("new").epoch()).isEqualTo(1);
        assertThat(server.get(CampaignLauncher.class).status("new")).isEmpty();
    }

    @Test
    void shouldLeaveCampaignAloneWhenItsWorkflowRuns() {
        create("fine");
        server.get(CampaignLauncher.class).start(campaign("fine"));

        reconcile();
        reconcile();

        assertThat(campaign("fine").epoch()).isEqualTo(1);
    }

    @Test
    void shouldLeaveCampaignAloneWhenItIsPausedOrEnded() {
        create("asleep");
        server.get(CampaignSteering.class).steer("asleep", SteeringVerb.PAUSE);

        reconcile();

        assertThat(campaign("asleep").state()).isEqualTo(CampaignState.PAUSED);
        assertThat(server.get(CampaignLauncher.class).status("asleep")).isEmpty();
    }

    @Test
    void shouldCancelCampaignWhenOperatorTerminatedItsWorkflow() {
        create("stopped");
        server.get(CampaignLauncher.class).start(campaign("stopped"));
        workflow("stopped").terminate("An operator said so");

        reconcile();

        assertThat(campaign("stopped").state()).isEqualTo(CampaignState.CANCELLED);
        assertThat(campaign("stopped").epoch()).isEqualTo(2);
        assertThat(campaign("stopped").failureReason())
                .startsWith("Its workflow was terminated in Temporal at ")
                .contains(server.temporal().getOptions().getIdentity());
        assertThat(server.json("/api/v1/campaigns?q=stopped")
                        .at("/items/0/health/reasons/0/code")
                        .asText())
                .isEqualTo("ENDED_IN_TEMPORAL");

        StoredCampaign resumed = server.get(CampaignSteering.class).steer("stopped", SteeringVerb.RESUME);
        assertThat(resumed.failureReason()).isNull();
    }

    @Test
    void shouldCancelPausedCampaignWhenOperatorTerminatedItsWorkflow() {
        create("paused");
        server.get(CampaignLauncher.class).start(campaign("paused"));
        server.get(CampaignSteering.class).steer("paused", SteeringVerb.PAUSE);
        workflow("paused").terminate("An operator said so");

        reconcile();

        assertThat(campaign("paused").state()).isEqualTo(CampaignState.CANCELLED);
    }

    @Test
    void shouldCancelCampaignWhenOperatorTerminatedARunThatWasToldOfTheEpoch() {
        create("resumed");
        server.get(CampaignLauncher.class).start(campaign("resumed"));
        server.get(CampaignSteering.class).steer("resumed", SteeringVerb.PAUSE);
        server.get(CampaignSteering.class).steer("resumed", SteeringVerb.RESUME);
        assertThat(campaign("resumed").epoch()).isEqualTo(2);
        // The in-process engine loses a signal that arrives during a workflow task when the run is terminated in that
        // task.
        await().untilAsserted(() -> assertThat(
                        server.get(CampaignLauncher.class).end("resumed").epoch())
                .isEqualTo(2));
        workflow("resumed").terminate("An operator said so");

        reconcile();

        assertThat(campaign("resumed").state()).isEqualTo(CampaignState.CANCELLED);
    }

    @Test
    void shouldReadTheEndOfARunUnderThePrefixOfItsNamespace() {
        create("prefixed");
        var launcher = new CampaignLauncher(
                server.temporal(), server.get(WorkerRepository.class), null, new NamePrefix("team-a-"));
        launcher.start(campaign("prefixed"));
        server.temporal()
                .newUntypedWorkflowStub(launcher.workflowId("prefixed"))
                .terminate("An operator said so");

        assertThat(launcher.end("prefixed").counting(1)).isNotNull();
        assertThat(launcher.end("prefixed").counting(2)).isNull();
    }

    /** Temporal was away when the campaign was resumed: its run of before says nothing of that. */
    @Test
    void shouldStartWorkflowWhenCampaignWasResumedAfterItsRunWasTerminated() {
        create("newer");
        server.get(CampaignLauncher.class).start(campaign("newer"));
        workflow("newer").terminate("An operator said so");
        CampaignChanges steering = server.get(CampaignChanges.class);
        steering.steer("newer", SteeringVerb.CANCEL);
        steering.steer("newer", SteeringVerb.RESUME);

        reconcile();

        assertThat(campaign("newer").state()).isEqualTo(CampaignState.RUNNING);
        assertThat(campaign("newer").epoch()).isEqualTo(4);
        assertThat(server.get(CampaignLauncher.class).status("newer"))
                .hasValueSatisfying(status -> assertThat(status.name()).endsWith("RUNNING"));
    }

    @Test
    void shouldStartWorkflowUnderNewEpochWhenTemporalTerminatedItsRun() {
        create("outgrown");
        server.get(CampaignLauncher.class).start(campaign("outgrown"));
        var service = server.temporal().getWorkflowServiceStubs().blockingStub();
        var _ = service.terminateWorkflowExecution(TerminateWorkflowExecutionRequest.newBuilder()
                .setNamespace(server.temporal().getOptions().getNamespace())
                .setWorkflowExecution(WorkflowExecution.newBuilder().setWorkflowId("campaign/outgrown"))
                .setReason("Workflow history count exceeds limit.")
                .setIdentity("history-service")
                .build());

        reconcile();

        assertThat(campaign("outgrown").state()).isEqualTo(CampaignState.PENDING);
        assertThat(campaign("outgrown").epoch()).isEqualTo(2);
    }

    @Test
    void shouldFailCampaignWhenThreeRestartsMadeNoProgress() throws Exception {
        create("broken-for-good");
        for (int restart = 1; restart <= 3; restart++) {
            reconcile();
            assertThat(campaign("broken-for-good").state()).isEqualTo(CampaignState.PENDING);
            awaitFailure("broken-for-good");
        }

        reconcile();

        StoredCampaign failed = campaign("broken-for-good");
        assertThat(failed.state()).isEqualTo(CampaignState.FAILED);
        assertThat(failed.failureReason()).contains("3 times").contains("campaign/broken-for-good");
        assertThat(failed.times().finished()).isNotNull();
    }

    @Test
    void shouldGoOnRestartingWhenCampaignMakesProgress() throws Exception {
        create("broken-but-going");
        for (int restart = 1; restart <= 6; restart++) {
            server.store().execute("""
                INSERT INTO progress (campaign_id, kind, member, shard, cells_done)
                VALUES ('broken-but-going', 'branch', 0, ?, 1)\
                """, "w" + restart);
            reconcile();
            awaitFailure("broken-but-going");
        }

        assertThat(campaign("broken-but-going").state()).isEqualTo(CampaignState.PENDING);
    }

    @Test
    void shouldStartTheOthersWhenOneCampaignCannotBeRead() {
        create("a-unreadable");
        create("b-lost");
        server.store().execute("UPDATE campaign SET definition = '{}' WHERE campaign_id = 'a-unreadable'");

        reconcile();

        assertThat(server.get(CampaignLauncher.class).status("b-lost"))
                .hasValueSatisfying(status -> assertThat(status.name()).endsWith("RUNNING"));
        server.store()
                .execute("UPDATE campaign SET state = 'CANCELLED', finished_at = now() WHERE campaign_id ="
                        + " 'a-unreadable'");
    }

    private static void create(String id) {
        server.get(CampaignRepository.class).create(id, SAMPLE.submission());
    }

    private static StoredCampaign campaign(String id) {
        return server.get(CampaignRepository.class).find(id).orElseThrow();
    }

    /** Looks when nobody has changed anything for a while. */
    private static void reconcile() {
        server.store().execute("UPDATE campaign SET changed_at = changed_at - interval '1 minute'");
        server.get(CampaignReconciler.class).reconcile();
    }

    private static WorkflowStub workflow(String id) {
        return server.temporal().newUntypedWorkflowStub(WorkflowIds.campaign(id));
    }

    private static void awaitFailure(String id) throws TimeoutException {
        try {
            workflow(id).getResult(10, TimeUnit.SECONDS, Void.class);
            Assertions.fail("The workflow should have failed");
        } catch (WorkflowFailedException expected) {
            assertThat(expected).hasRootCauseMessage("message='Broken on purpose', type='Test', nonRetryable=true");
        }
    }
}
