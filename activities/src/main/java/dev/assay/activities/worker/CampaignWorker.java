package dev.assay.activities.worker;

import dev.assay.activities.branch.BranchActivitiesImpl;
import dev.assay.activities.campaign.NamespaceActivitiesImpl;
import dev.assay.activities.campaign.PlanActivitiesImpl;
import dev.assay.activities.campaign.SteeringActivitiesImpl;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.command.AgentPermission;
import dev.assay.activities.delivery.BatchActivitiesImpl;
import dev.assay.activities.outage.OutageExchange;
import dev.assay.activities.outage.Outages;
import dev.assay.activities.permit.LeasedPermits;
import dev.assay.activities.permit.PermitExchange;
import dev.assay.activities.permit.ThrottleExchange;
import dev.assay.activities.permit.UnitExchange;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.selection.CustomStrategies;
import dev.assay.activities.selection.TrialActivitiesImpl;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.restore.RestoreRepository;
import dev.assay.store.series.SeriesRepository;
import dev.assay.store.worker.WorkerRepository;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.campaign.CampaignWorkflowImpl;
import dev.assay.workflows.delivery.BatchWorkflowImpl;
import dev.assay.workflows.slice.ParallelEvaluationWorkflowImpl;
import io.temporal.client.WorkflowClient;
import io.temporal.common.VersioningBehavior;
import io.temporal.common.WorkerDeploymentVersion;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerDeploymentOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The worker of workflows and activities. It polls the queues of workflows and the queue of every provider that it can ask. */
@Singleton
public class CampaignWorker {

    private static final long DRAIN_STEP_MS = 50;
    private static final Duration END_OF_ACTIVITIES = Duration.ofSeconds(3);
    /** Of the SDK, between two looks whether its threads have ended. Its own 250 ms would be most of a stop. */
    private static final Duration LOOK_FOR_END = Duration.ofMillis(10);

    private final WorkerParts parts;
    private final WorkerRepository workers;
    private final RunningCells cells;
    private final PermitExchange exchange;
    private final WorkerIdentity identity;
    private final List<ProviderInfo> providers;
    private final ToolPolicy tools;
    private final boolean startsPrograms;
    private final boolean runsOwn;
    private final List<String> strategies;
    private final WorkerLease lease;
    private final CampaignWatch watch;
    private final OutageExchange outageExchange;
    private final WorkerCapacity capacity;
    private final WorkerFactory factory;
    private final WorkerBuild build;

    /** The activities that a worker offers. */
    @Singleton
    public record WorkerParts(
            PlanActivitiesImpl plan,
            SteeringActivitiesImpl steering,
            NamespaceActivitiesImpl namespace,
            BranchActivitiesImpl branches,
            TrialActivitiesImpl trials,
            BatchActivitiesImpl batches) {}

    public CampaignWorker(
            WorkflowClient client,
            WorkerParts parts,
            WorkerRepository workers,
            SeriesRepository series,
            RestoreRepository restores,
            RunningCells cells,
            LeasedPermits permits,
            PermitRepository leases,
            UnitRepository units,
            ThrottleRepository throttles,
            Outages outages,
            RunJournal journal,
            WorkerIdentity identity,
            ProviderCatalog catalog,
            AgentPermission agents,
            CustomStrategies strategies,
            WorkerCapacity capacity,
            @Nullable WorkerBuild build) {
        this.build = build == null ? WorkerBuild.UNNAMED : build;
        this.parts = parts;
        this.workers = workers;
        this.cells = cells;
        this.identity = identity;
        this.providers = List.copyOf(catalog.infos().values());
        this.tools = agents.offered();
        this.startsPrograms = agents.startsAny();
        this.runsOwn = agents.isOfCommand();
        this.strategies = List.copyOf(strategies.names());
        this.lease = new WorkerLease(
                workers, series, restores, cells, permits, registration(), journal::refusals, System::nanoTime);
        this.exchange = new PermitExchange(
                leases,
                permits,
                new UnitExchange(units, permits, identity.id()),
                new ThrottleExchange(throttles, permits, identity.id()),
                identity.id(),
                lease::safe,
                WorkerLease.MARGIN);
        this.outageExchange = new OutageExchange(outages, lease::safe, this::leaveToOthers);
        this.watch = new CampaignWatch(workers, cells, permits);
        this.capacity = capacity;
        this.factory = WorkerFactory.newInstance(
                client,
                WorkerFactoryOptions.newBuilder()
                        .setUsingVirtualWorkflowThreads(true)
                        .setWorkflowCacheSize(capacity.cachedWorkflows())
                        .setShutdownCheckInterval(LOOK_FOR_END)
                        .build());
    }

    private WorkerRepository.Worker registration() {
        return new WorkerRepository.Worker(
                identity.id(), identity.host(), identity.pid(), build.id(), queues(), providers, tools, strategies);
    }

    private List<String> queues() {
        List<String> queues = new ArrayList<>(List.of(TaskQueues.ORCHESTRATION, TaskQueues.EVALUATIONS));
        Stream.concat(
                        AgentKinds.providers().stream().filter(this::works),
                        providers.stream().filter(ProviderInfo::hasKey).map(ProviderInfo::name))
                .flatMap(provider -> Stream.of(TaskQueues.provider(provider), TaskQueues.evaluation(provider)))
                .forEach(queues::add);
        strategies.stream().map(TaskQueues::strategy).forEach(queues::add);
        tools.code().languages().stream().sorted().map(TaskQueues::code).forEach(queues::add);
        if (!tools.code().programs().isEmpty() || startsPrograms) {
            queues.add(TaskQueues.code(CodeLanguage.PROGRAM.word()));
        }
        return queues;
    }

    /** Programs are run by workers that may start any, and own code by those that offer its language. */
    private boolean works(String provider) {
        return CodeLanguage.INTERPRETED.contains(provider)
                ? runsOwn || tools.code().languages().contains(provider)
                : !provider.equals(Agent.PROVIDER_COMMAND) || startsPrograms;
    }

    /**
     * Retires the workers of processes that have ended, so that nothing waits for the end of their leases. For a store whose
     * workers all run on this machine; to be called before the start.
     */
    public void retireDead() {
        workers.retireDead(CampaignWorker::anotherRuns);
    }

    private static boolean anotherRuns(long pid) {
        return pid != ProcessHandle.current().pid()
                && ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /** Registers the worker, then begins to poll. */
    public void start() {
        lease.start();
        exchange.start();
        outageExchange.start();
        watch.start();
        for (String queue : queues()) {
            Worker worker = factory.newWorker(build.prefix().on(queue), options());
            if (TaskQueues.isOfWorkflows(queue)) {
                worker.registerWorkflowImplementationTypes(
                        CampaignWorkflowImpl.class, ParallelEvaluationWorkflowImpl.class, BatchWorkflowImpl.class);
                worker.registerActivitiesImplementations(
                        parts.plan(), parts.steering(), parts.namespace(), parts.trials());
            } else {
                worker.registerActivitiesImplementations(parts.branches(), parts.trials(), parts.batches());
            }
        }
        factory.start();
    }

    /** Takes no work of these providers: others get answers from them. */
    private void leaveToOthers(Set<String> cutOff) {
        for (ProviderInfo provider : providers) {
            boolean isCutOff = cutOff.contains(provider.name());
            for (String queue : List.of(TaskQueues.provider(provider.name()), TaskQueues.evaluation(provider.name()))) {
                Worker polling = factory.tryGetWorker(queue);
                if (polling != null && polling.isSuspended() != isCutOff) {
                    if (isCutOff) {
                        polling.suspendPolling();
                    } else {
                        polling.resumePolling();
                    }
                }
            }
        }
    }

    /** What the worker says of the programs that it starts; null: it has none to start. */
    public @Nullable IsolationOffer programs() {
        return tools.isolation();
    }

    /** Whether the worker surely holds its lease. Without it, it runs no cell. */
    public boolean holdsLease() {
        return lease.safe();
    }

    private WorkerOptions options() {
        return WorkerOptions.newBuilder()
                .setDeploymentOptions(WorkerDeploymentOptions.newBuilder()
                        .setVersion(new WorkerDeploymentVersion(WorkerBuild.deployment(build.prefix()), build.id()))
                        .setUseVersioning(build.versioned())
                        // Every run, of a campaign or a slice, belongs to the build that began it (decision 0020).
                        .setDefaultVersioningBehavior(
                                build.versioned() ? VersioningBehavior.PINNED : VersioningBehavior.UNSPECIFIED)
                        .build())
                .setUsingVirtualThreads(true)
                // Otherwise the first heartbeat of a draining worker fails its activities, and others look for cells
                // that it still holds.
                .setAllowActivityHeartbeatDuringShutdown(true)
                .setMaxConcurrentActivityExecutionSize(capacity.activities())
                .setMaxConcurrentWorkflowTaskExecutionSize(capacity.workflowTasks())
                .setMaxConcurrentActivityTaskPollers(capacity.activityPollers())
                .setMaxConcurrentWorkflowTaskPollers(capacity.workflowPollers())
                .build();
    }

    /**
     * Takes no new work, gives up the cells that have sent no call yet, lets calls in flight finish for {@code drain}, then stops
     * the rest. It sends no new request meanwhile, and records all paid answers.
     */
    public void stop(Duration drain) throws InterruptedException {
        factory.shutdown();
        cells.drain();
        long end = System.nanoTime() + drain.toNanos();
        while (!cells.isEmpty() && System.nanoTime() < end) {
            Thread.sleep(DRAIN_STEP_MS);
        }
        cells.all().forEach(cell -> cell.stop(StopReason.SHUTDOWN));
        factory.awaitTermination(END_OF_ACTIVITIES.toMillis(), TimeUnit.MILLISECONDS);
        factory.shutdownNow();
        watch.stop();
        exchange.stop();
        outageExchange.stop();
        lease.stop();
    }
}
