package dev.assay.standalone.engine.installation;

import dev.assay.activities.worker.WorkerBuild;
import dev.assay.standalone.engine.installation.WorkerDeployment.Builds;
import dev.assay.store.worker.WorkerRepository;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings campaigns to the build of this server. It makes the build current as soon as a worker of it polls, once in a Temporal. It
 * moves campaigns there whose own build has had no worker for 60 s.
 */
@Singleton
@Requires(beans = WorkerBuild.class)
public final class BuildRollout {

    private static final Logger LOG = LoggerFactory.getLogger(BuildRollout.class);

    /** The first campaign after a start waits for it. */
    private static final Duration EVERY = Duration.ofMillis(500);

    /** Calls of Temporal that look for builds without workers. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    /** Longer than a worker takes to be started again. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final WorkerBuild build;
    private final WorkerDeployment deployment;
    private final WorkerRepository workers;
    private final StrandedCampaigns campaigns;
    private final MissingBuilds missing = new MissingBuilds(PATIENCE);
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("build-rollout").factory());
    private boolean current;

    BuildRollout(
            WorkerBuild build, WorkerDeployment deployment, WorkerRepository workers, StrandedCampaigns campaigns) {
        this.build = build;
        this.deployment = deployment;
        this.workers = workers;
        this.campaigns = campaigns;
    }

    /**
     * Begins, where Temporal tells builds apart. Called by the server when everything that it starts is up.
     *
     * @param moves whether it also moves campaigns whose build has no worker
     */
    public void start(boolean moves) {
        if (build.versioned()) {
            every(EVERY, this::makeCurrent);
            every(LOOK_EVERY, () -> look(moves));
        }
    }

    /** Ends. */
    public void stop() {
        scheduler.shutdownNow();
    }

    private void every(Duration interval, Runnable task) {
        AtomicBoolean warned = new AtomicBoolean();
        Runnable safe = () -> {
            try {
                task.run();
                warned.set(false);
            } catch (RuntimeException | Error e) {
                // Once, however long it fails. An Error would end the schedule silently.
                if (!warned.getAndSet(true)) {
                    LOG.warn("The builds of Assay could not be looked at in Temporal; tried again", e);
                }
            }
        };
        var _ = scheduler.scheduleWithFixedDelay(safe, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Makes the build current, and not again in the same Temporal. Another server may make its own build current, by an upgrade or a
     * rollback, and an operator none.
     */
    private void makeCurrent() {
        if (current || !workers.liveBuilds().contains(build.id())) {
            return;
        }
        try {
            deployment.makeCurrent(build.id());
            current = true;
            LOG.info("Build {} is current: new runs of campaigns belong to it", build.id());
        } catch (StatusRuntimeException e) {
            Status.Code code = e.getStatus().getCode();
            if (code != Status.Code.FAILED_PRECONDITION && code != Status.Code.NOT_FOUND) {
                throw e;
            }
            LOG.debug("Temporal has seen no worker of build {} yet", build.id(), e);
        }
    }

    private void look(boolean moves) {
        Builds builds = deployment.builds();
        // A Temporal that lost its databases was never told, and gives no worker a task until it is.
        current &= builds.chosen();
        if (moves) {
            moveStranded(builds);
        }
    }

    private void moveStranded(Builds builds) {
        Set<String> live = workers.liveBuilds();
        Set<String> gone = missing.missing(builds.inUse(), live, System.nanoTime());
        // No worker could go on with them.
        if (live.contains(builds.current())) {
            gone.forEach(from -> deployment.openCampaigns(from).forEach(id -> campaigns.move(id, from)));
        }
    }
}
