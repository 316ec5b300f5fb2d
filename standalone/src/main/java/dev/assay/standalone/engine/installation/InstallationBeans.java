package dev.assay.standalone.engine.installation;

import dev.assay.activities.worker.WorkerBuild;
import dev.assay.standalone.engine.InProcessEngine;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.web.server.ServerView;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.WorkflowIds;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The build, whether Temporal can tell builds apart, and the API's facts of both. */
@Factory
@Requires(beans = TemporalEngine.class)
class InstallationBeans {

    private static final Logger LOG = LoggerFactory.getLogger(InstallationBeans.class);

    @Singleton
    WorkerDeployment deployment(TemporalEngine engine, NamePrefix prefix) {
        return new WorkerDeployment(engine.stubs(), engine.namespace(), WorkerBuild.deployment(prefix));
    }

    @Singleton
    WorkerBuild build(TemporalEngine engine, NamePrefix prefix, WorkerDeployment deployment) {
        return new WorkerBuild(prefix, BuildId.current(), isVersioned(engine, deployment));
    }

    /** The API's description of this server. */
    @Singleton
    ServerView server(TemporalEngine engine, NamePrefix prefix) {
        String ui = engine.ui();
        return new ServerView(
                BuildId.version(),
                ui,
                engine.namespace(),
                ui == null
                        ? null
                        : ui + "/namespaces/" + engine.namespace() + "/workflows/"
                                + prefix.on(WorkflowIds.campaign("{id}")).replace("/", "%2F"));
    }

    /** The in-process engine knows no builds, and forgets its runs with them. */
    private static boolean isVersioned(TemporalEngine engine, WorkerDeployment deployment) {
        if (engine instanceof InProcessEngine) {
            return false;
        }
        String refusal = deployment.refusal();
        if (!refusal.isEmpty()) {
            LOG.warn(
                    "Temporal does not bind campaigns to the build that began them: {}. Any build goes on with any"
                            + " campaign, as docs/upgrading.md says",
                    refusal);
        }
        return refusal.isEmpty();
    }
}
