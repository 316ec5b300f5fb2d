package dev.assay.standalone.engine.installation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.domain.error.AssayException;
import dev.assay.standalone.engine.DevServerEngine;
import dev.assay.standalone.engine.InProcessEngine;
import dev.assay.standalone.engine.PagesAccess;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.campaign.CampaignWorkflow;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.VersioningBehavior;
import io.temporal.common.WorkerDeploymentVersion;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerDeploymentOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class InstallationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static DevServerEngine engine;
    private static WorkflowClient client;

    /** A run that goes on until somebody ends it. */
    @WorkflowInterface
    public interface Endless {
        @WorkflowMethod(name = CampaignWorkflow.TYPE)
        void run();
    }

    /** Waits. */
    public static final class EndlessImpl implements Endless {
        @Override
        public void run() {
            Workflow.await(() -> false);
        }
    }

    @BeforeAll
    static void start(@TempDir Path directory) {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        engine = DevServerEngine.start(
                directory.resolve("temporal"),
                directory.resolve("temporal.log"),
                () -> {},
                new NoopScope(),
                PagesAccess.LOCAL);
        client = WorkflowClient.newInstance(engine.stubs());
    }

    @AfterAll
    static void stop() {
        if (engine != null) {
            engine.close();
        }
    }

    private static InstallationClaim claim(String prefix) {
        return new InstallationClaim(engine, () -> client, new NamePrefix(prefix), () -> {
            throw new IllegalStateException("Not asked");
        });
    }

    @Test
    void shouldRefuseAnotherDatabaseWhenItsNamesInTemporalAreTaken() {
        claim("").hold("first");
        assertThatCode(() -> claim("").hold("first")).doesNotThrowAnyException();

        assertThatThrownBy(() -> claim("").hold("second"))
                .isInstanceOf(AssayException.class)
                .hasMessageContaining("another database")
                .hasMessageContaining("ASSAY_TEMPORAL_PREFIX")
                .hasMessageContaining("assay-installation");
        assertThatCode(() -> claim("team-b").hold("second")).doesNotThrowAnyException();
    }

    @Test
    void shouldGiveNamesToAnotherWhenAnOperatorEndedTheClaim() {
        claim("given").hold("first");
        client.newUntypedWorkflowStub("given-assay-installation").terminate("The database is gone");

        assertThatCode(() -> claim("given").hold("second")).doesNotThrowAnyException();
    }

    @Test
    void shouldTellBuildsApartOnlyWhereTemporalDoes() {
        assertThat(new WorkerDeployment(engine.stubs(), engine.namespace(), "assay").refusal())
                .isEmpty();
        try (TemporalEngine inProcess = new InProcessEngine(new NoopScope())) {
            assertThat(new WorkerDeployment(inProcess.stubs(), inProcess.namespace(), "assay").refusal())
                    .isNotEmpty();
        }
    }

    @Test
    void shouldFindTheRunsOfABuildWhenAnotherBecameCurrent() {
        WorkerDeployment deployment = new WorkerDeployment(engine.stubs(), engine.namespace(), "builds");
        assertThat(deployment.builds().inUse()).isEmpty();
        WorkerFactory old = worker("old");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(deployment.builds().inUse()).contains("old"));
        assertThat(deployment.builds().chosen()).isFalse();
        makeCurrent(deployment, "old");
        assertThat(deployment.builds().chosen()).isTrue();
        WorkflowOptions options = WorkflowOptions.newBuilder()
                .setWorkflowId("campaign/stranded")
                .setTaskQueue("builds")
                .build();
        var _ = WorkflowClient.start(client.newWorkflowStub(Endless.class, options)::run);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(deployment.openCampaigns("old")).containsExactly("campaign/stranded"));
        old.shutdownNow();
        WorkerFactory next = worker("new");
        makeCurrent(deployment, "new");

        WorkerDeployment.Builds builds = deployment.builds();
        assertThat(builds.current()).isEqualTo("new");
        assertThat(builds.inUse()).contains("old", "new");
        assertThat(deployment.openCampaigns("old")).containsExactly("campaign/stranded");
        assertThat(deployment.openCampaigns("new")).isEmpty();

        WorkflowOptions replaced = WorkflowOptions.newBuilder(options)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING)
                .build();
        var _ = WorkflowClient.start(client.newWorkflowStub(Endless.class, replaced)::run);
        assertThat(deployment.openCampaigns("old"))
                .as("what is listed may be old, and is looked at")
                .isEmpty();
        next.shutdownNow();
    }

    private static void makeCurrent(WorkerDeployment deployment, String build) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThatCode(() -> deployment.makeCurrent(build)).doesNotThrowAnyException());
    }

    private static WorkerFactory worker(String build) {
        WorkerFactory factory = WorkerFactory.newInstance(client);
        Worker worker = factory.newWorker(
                "builds",
                WorkerOptions.newBuilder()
                        .setDeploymentOptions(WorkerDeploymentOptions.newBuilder()
                                .setVersion(new WorkerDeploymentVersion("builds", build))
                                .setUseVersioning(true)
                                .setDefaultVersioningBehavior(VersioningBehavior.PINNED)
                                .build())
                        .build());
        worker.registerWorkflowImplementationTypes(EndlessImpl.class);
        factory.start();
        return factory;
    }
}
