package dev.assay.standalone.server;

import dev.assay.activities.isolation.IsolationSettings;
import dev.assay.activities.isolation.OwnPorts;
import dev.assay.activities.worker.CampaignWorker;
import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.standalone.engine.ExternalEngine;
import dev.assay.standalone.engine.ProcessMeters;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.standalone.engine.installation.InstallationClaim;
import dev.assay.standalone.log.Logging;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.DatabaseWait;
import dev.assay.standalone.start.Waiting;
import dev.assay.store.access.TokenRepository;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.secret.SecretVariables;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A worker in a process of its own, on external stores. */
public final class JoinedWorker implements AutoCloseable {

    private final Cleanup cleanup = new Cleanup();
    private final WorkerOptions options;
    private final ProcessMeters meters = new ProcessMeters();
    private final ComputePool computing = OwnComputing.create();
    /** Null: those of the stores that it is told. */
    private final @Nullable InstallationPorts ports;

    private final boolean open;
    private String stores = "";
    private @Nullable IsolationOffer programs;

    private JoinedWorker(WorkerOptions options, @Nullable InstallationPorts ports, boolean open) {
        this.options = options;
        this.ports = ports;
        this.open = open;
    }

    /**
     * Connects to the stores of a server on this machine, and begins to poll.
     *
     * @throws AssayException CONFLICT when the server's Temporal cannot be reached from another process; STORE_UNAVAILABLE
     *     when it or PostgreSQL do not answer
     */
    public static JoinedWorker start(DataDirectory directory, Endpoints endpoints, WorkerOptions options) {
        String temporal = endpoints.temporal();
        if (temporal == null) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "The server at " + endpoints.api()
                            + " runs Temporal inside its own process, which no other worker can"
                            + " reach; start it with the temporal CLI on the PATH, or with TEMPORAL_ADDRESS");
        }
        try {
            return start(
                    directory,
                    DatabaseAddress.parse(endpoints.database()),
                    meters -> ExternalEngine.at(temporal, endpoints.namespace(), meters.scope()),
                    // An embedded PostgreSQL: all its workers run here.
                    endpoints.pids().postgres() != null,
                    options,
                    new InstallationPorts(() -> Endpoints.read(directory).orElse(endpoints)),
                    endpoints.open());
        } catch (AssayException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new AssayException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "The server at " + endpoints.api() + " cannot be joined now: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Waits until {@code database} has the schema and the Temporal service of the environment answers, and begins to poll. Needs
     * no other process of Assay on this machine.
     *
     * @throws AssayException STORE_UNAVAILABLE when one of them does not answer in time or refuses the login
     */
    public static JoinedWorker start(DataDirectory directory, DatabaseAddress database, WorkerOptions options) {
        Logging.toFiles(
                directory.logs().resolve("worker-" + ProcessHandle.current().pid()));
        database.onChange(SecretVariables.ofProcess(), _ -> {});
        return start(
                directory,
                database,
                meters -> ExternalEngine.connect(Waiting.SERVICE, meters.scope()),
                false,
                options,
                null,
                true);
    }

    private static JoinedWorker start(
            DataDirectory directory,
            DatabaseAddress database,
            Function<ProcessMeters, ExternalEngine> engine,
            boolean embedded,
            WorkerOptions options,
            @Nullable InstallationPorts ports,
            boolean open) {
        JoinedWorker worker = new JoinedWorker(options, ports, open);
        worker.cleanup.runAtExit();
        worker.cleanup.add("the meters", worker.meters::close);
        try {
            var _ = TemporalEngine.prefix(System.getenv());
            DatabaseWait.untilMigrated(database, Waiting.SERVICE);
            worker.poll(directory, database, engine.apply(worker.meters), embedded);
            SecretVariables.ofProcess().watch();
            return worker;
        } catch (RuntimeException e) {
            worker.cleanup.run();
            throw AssayServer.known(e).<RuntimeException>map(known -> known).orElse(e);
        }
    }

    private void poll(DataDirectory directory, DatabaseAddress database, ExternalEngine engine, boolean embedded) {
        stores = "PostgreSQL at " + database.place() + " and Temporal at " + engine.address() + " (namespace "
                + engine.namespace() + ")";
        cleanup.add("Temporal", engine::close);
        cleanup.add("the compute processes", computing::close);
        ApplicationContext context = ApplicationContext.builder()
                .deduceEnvironment(false)
                .deduceCloudEnvironment(false)
                .banner(false)
                .singletons(engine, computing)
                .properties(ServerProperties.ofWorker(directory, database))
                .build();
        cleanup.add("the worker's beans", context::close);
        isolate(context, database, engine);
        context.start();
        PrometheusMeterRegistry prometheus = context.getBean(PrometheusMeterRegistry.class);
        meters.showIn(prometheus);
        context.getBean(InstallationClaim.class).hold();
        CampaignWorker worker = context.getBean(CampaignWorker.class);
        programs = worker.programs();
        cleanup.add("the worker", () -> worker.stop(options.drain()));
        if (embedded) {
            worker.retireDead();
        }
        worker.start();
        options.health().ifPresent(address -> {
            WorkerHealth health = WorkerHealth.start(
                    address,
                    door(context, address),
                    Map.of(
                            "lease",
                            worker::holdsLease,
                            "temporal",
                            engine::answers,
                            "computing",
                            () -> !computing.isDown()),
                    programs,
                    prometheus::scrape);
            cleanup.add("the worker's health", health::close);
        });
    }

    private HealthDoor door(ApplicationContext context, InetSocketAddress address) {
        return Doors.needTokens(address.getHostString())
                ? new HealthDoor.Tokens(token ->
                        context.getBean(TokenRepository.class).valid(token).isPresent())
                : new HealthDoor.Local(new LocalDoor(options.allowedHosts()));
    }

    private void isolate(ApplicationContext context, DatabaseAddress database, ExternalEngine engine) {
        context.registerSingleton(
                IsolationSettings.class,
                new IsolationSettings(options.isolation(), true, open ? IsolationLevel.CONFINED : IsolationLevel.NONE));
        Endpoints told = new Endpoints(
                "",
                database.libpqUrl(),
                engine.address(),
                engine.ui(),
                engine.namespace(),
                new Endpoints.Pids(ProcessHandle.current().pid(), null, null),
                open);
        context.registerSingleton(OwnPorts.class, ports == null ? new InstallationPorts(() -> told) : ports);
    }

    /** What it says of programs; null: it has none to start. */
    public @Nullable IsolationOffer programs() {
        return programs;
    }

    /** The place of campaigns and results, for people. */
    public String stores() {
        return stores;
    }

    @Override
    public void close() {
        cleanup.run();
    }
}
