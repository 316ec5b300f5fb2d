package dev.assay.standalone.engine.installation;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.standalone.engine.InProcessEngine;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.store.installation.InstallationRepository;
import dev.assay.workflows.NamePrefix;
import io.grpc.StatusRuntimeException;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Requires;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Refuses a second database under the same names in a namespace. A workflow whose first task is due in a hundred years holds the
 * names. Its memo says for which installation, and Temporal allows one workflow of its id at a time.
 */
@Singleton
@Requires(beans = TemporalEngine.class)
public final class InstallationClaim {

    private static final String NAME = "assay-installation";
    private static final String MEMO = "installation";
    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final TemporalEngine engine;
    private final Supplier<WorkflowClient> client;
    private final NamePrefix prefix;
    private final Supplier<String> installation;

    @Inject
    InstallationClaim(
            TemporalEngine engine,
            BeanProvider<WorkflowClient> client,
            NamePrefix prefix,
            InstallationRepository installation) {
        this(engine, client::get, prefix, installation::id);
    }

    InstallationClaim(
            TemporalEngine engine, Supplier<WorkflowClient> client, NamePrefix prefix, Supplier<String> installation) {
        this.engine = engine;
        this.client = client;
        this.prefix = prefix;
        this.installation = installation;
    }

    /**
     * Claims the names for the installation of this database. Any number of its processes may do so.
     *
     * @throws AssayException CONFLICT when they belong to another installation; STORE_UNAVAILABLE when Temporal does not answer
     */
    public void hold() {
        // No other installation can reach it.
        if (engine instanceof InProcessEngine) {
            return;
        }
        hold(installation.get());
    }

    void hold(String own) {
        String holder = holder(own);
        if (!own.equals(holder)) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Another installation of Assay, with another database, has these names in Temporal's namespace "
                            + engine.namespace() + ". Give this one its own with ASSAY_TEMPORAL_PREFIX; or, if the"
                            + " other is gone for good, terminate the workflow " + prefix.on(NAME) + " there");
        }
    }

    private String holder(String own) {
        try {
            WorkflowStub claim = client.get().newUntypedWorkflowStub(NAME, options(own));
            claim.start();
            return String.valueOf(claim.describe().getMemo(MEMO, String.class));
        } catch (WorkflowServiceException | StatusRuntimeException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "Temporal did not say whether another installation has its names: " + e.getMessage(),
                    e);
        }
    }

    private WorkflowOptions options(String own) {
        return WorkflowOptions.newBuilder()
                .setWorkflowId(prefix.on(NAME))
                .setTaskQueue(prefix.on(NAME))
                .setStartDelay(FOR_EVER)
                .setWorkflowIdConflictPolicy(WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
                .setMemo(Map.of(MEMO, own))
                .setStaticSummary("holds the names of an installation of Assay")
                .build();
    }
}
