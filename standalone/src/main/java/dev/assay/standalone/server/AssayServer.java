package dev.assay.standalone.server;

import dev.assay.activities.command.OwnAgents;
import dev.assay.activities.isolation.IsolationSettings;
import dev.assay.activities.isolation.OwnPorts;
import dev.assay.activities.worker.CampaignWorker;
import dev.assay.campaigns.upkeep.CampaignReconciler;
import dev.assay.campaigns.upkeep.Retention;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.standalone.engine.DevServerEngine;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.engine.ExternalEngine;
import dev.assay.standalone.engine.InProcessEngine;
import dev.assay.standalone.engine.ProcessMeters;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.standalone.engine.installation.BuildRollout;
import dev.assay.standalone.engine.installation.InstallationClaim;
import dev.assay.standalone.log.Logging;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.DatabaseWait;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.process.HeldPort;
import dev.assay.store.access.TokenRepository;
import dev.assay.web.metrics.StoreMetrics;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.secret.SecretVariables;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The whole of Assay in this process: PostgreSQL, Temporal, the API and a worker, over one data directory. */
public final class AssayServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AssayServer.class);
    private static final Duration DRAIN = Duration.ofSeconds(2);
    private static final Executor STARTERS =
            task -> Thread.ofPlatform().daemon().name("start").start(task);

    private final DataDirectory directory;
    private final Cleanup cleanup;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ServerOptions options;
    private final @Nullable OwnAgents agents;
    /** The port until the API listens; null: the user named one. */
    private final @Nullable HeldPort held;

    private final int port;
    private final ProcessMeters meters = new ProcessMeters();

    /** Of the API and the worker together: they take turns. It is made while the stores start. */
    private final CompletableFuture<ComputePool> computing =
            CompletableFuture.supplyAsync(OwnComputing::create, STARTERS);

    private @Nullable LocalPostgres postgres;
    private volatile DatabaseAddress database = new DatabaseAddress("", "", "");
    private @Nullable TemporalEngine engine;
    private @Nullable IsolationOffer programs;

    private AssayServer(DataDirectory directory, ServerOptions options, @Nullable OwnAgents agents, Cleanup cleanup) {
        this.agents = agents;
        this.directory = directory;
        this.options = options;
        this.cleanup = cleanup;
        this.held = options.port() == 0 ? HeldPort.any() : null;
        this.port = held == null ? free(options.host(), options.port()) : held.number();
        cleanup.add("the port", this::freePort);
    }

    /** Checks the port before anything else is started. */
    private static int free(String host, int port) {
        try {
            FreePort.check(host, port);
            return port;
        } catch (IOException e) {
            throw cannotListen(host, port, e);
        }
    }

    /**
     * Starts everything and returns when the API answers.
     *
     * @return empty when another process holds the directory; {@link DataLock#holder} names it
     * @throws AssayException STORE_UNAVAILABLE or INVALID_INPUT when a part does not start; what had started is stopped
     */
    public static Optional<AssayServer> tryStart(DataDirectory directory, ServerOptions options) {
        return tryStart(directory, options, null);
    }

    /**
     * As {@link #tryStart(DataDirectory, ServerOptions)}.
     *
     * @param agents the programs that its worker may start beside those of the operator; null: none
     */
    public static Optional<AssayServer> tryStart(
            DataDirectory directory, ServerOptions options, @Nullable OwnAgents agents) {
        DataHolder holder = new DataHolder(
                options.command(),
                ProcessHandle.current().pid(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS),
                options.role().shared());
        Optional<DataLock> lock = DataLock.tryLock(directory, holder);
        if (lock.isEmpty()) {
            return Optional.empty();
        }
        Cleanup cleanup = new Cleanup();
        cleanup.add("the data directory", lock.get()::close);
        cleanup.runAtExit();
        try {
            Logging.toFiles(directory.logs());
            AssayServer server = new AssayServer(directory, options, agents, cleanup);
            server.start();
            return Optional.of(server);
        } catch (RuntimeException | IOException e) {
            cleanup.run();
            throw known(e).orElseGet(() ->
                    new AssayException(ErrorCode.STORE_UNAVAILABLE, "The server could not be started: " + e, e));
        }
    }

    /** The failure that names what to do: of a part that could not be made, the container of beans says only that. */
    static Optional<AssayException> known(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AssayException known) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    private void start() throws IOException {
        cleanup.add("the meters", meters::close);
        cleanup.add("the compute processes", () -> {
            var _ = computing.thenAccept(ComputePool::close);
        });
        Doors.readToken();
        CompletableFuture<TemporalEngine> temporal = CompletableFuture.supplyAsync(this::startEngine, STARTERS);
        CompletableFuture<DatabaseAddress> stored = CompletableFuture.supplyAsync(this::startDatabase, STARTERS);
        CompletableFuture<ApplicationContext> context = stored.thenCombineAsync(temporal, this::buildContext, STARTERS);
        // Made beside the API's beans, which migrate the store: these read and write nothing before the worker starts.
        CompletableFuture<@Nullable CampaignWorker> working = options.role().works()
                ? stored.thenCombineAsync(temporal, this::makeWorker, STARTERS)
                : CompletableFuture.completedFuture(null);
        ApplicationContext started;
        CampaignWorker worker;
        try {
            started = context.join();
            worker = working.join();
            if (Doors.needTokens(options.host())) {
                Doors.follow(started.getBean(TokenRepository.class), options.host());
            }
            started.getBean(InstallationClaim.class).hold();
        } catch (CompletionException e) {
            // A part that is still starting would be left over.
            CompletableFuture.allOf(temporal, context, working)
                    .exceptionally(failure -> null)
                    .join();
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        meters.showIn(started.getBean(PrometheusMeterRegistry.class));
        writeEndpoints();
        cleanup.add("endpoints.json", () -> Endpoints.delete(directory));
        if (worker != null) {
            // Before the API answers: registered workers decide what a campaign may ask.
            programs = worker.programs();
            cleanup.add("the worker", () -> worker.stop(DRAIN));
            if (postgres != null) {
                // Its directory is here, and so were all workers of it.
                worker.retireDead();
            }
            worker.start();
        }
        startApi(started.getBean(EmbeddedServer.class));
        if (options.role().reconciles()) {
            started.getBean(CampaignReconciler.class).start();
            started.getBean(Retention.class).start();
            started.getBean(StoreMetrics.class).start();
        }
        if (options.role().works() || options.role().reconciles()) {
            BuildRollout rollout = started.getBean(BuildRollout.class);
            cleanup.add("the rollout", rollout::stop);
            rollout.start(options.role().reconciles());
        }
        SecretVariables.ofProcess().watch();
    }

    private void startApi(EmbeddedServer server) {
        try {
            freePort();
            server.start();
        } catch (RuntimeException e) {
            throw cannotListen(options.host(), port, e);
        }
    }

    private void freePort() {
        if (held != null) {
            held.close();
        }
    }

    private static AssayException cannotListen(String host, int port, Exception cause) {
        return new AssayException(
                ErrorCode.STORE_UNAVAILABLE,
                "The API cannot listen on " + host + ":" + port + " (" + rootMessage(cause)
                        + "); choose another --port or --host",
                cause);
    }

    private static String rootMessage(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private DatabaseAddress startDatabase() {
        Optional<DatabaseAddress> external = DatabaseAddress.ofProcess();
        if (external.isPresent()) {
            database = external.get();
            DatabaseWait.untilConnected(database, options.role().patience());
            database.onChange(SecretVariables.ofProcess(), now -> {
                database = now;
                rewriteEndpoints();
            });
        } else {
            LocalPostgres started = LocalPostgres.start(PostgresHome.in(directory.path()), this::rewriteEndpoints);
            cleanup.add("PostgreSQL", started::close);
            postgres = started;
            database = started.address();
        }
        return database;
    }

    private TemporalEngine startEngine() {
        var _ = TemporalEngine.prefix(System.getenv());
        TemporalEngine started = switch (options.role().asksTemporal() ? options.engine() : EngineKind.IN_PROCESS) {
            case IN_PROCESS -> new InProcessEngine(meters.scope());
            case DEV_SERVER ->
                DevServerEngine.start(
                        directory.path().resolve("temporal"),
                        directory.logs().resolve("temporal.log"),
                        this::rewriteEndpoints,
                        meters.scope(),
                        options.pages());
            case EXTERNAL -> ExternalEngine.connect(options.role().patience(), meters.scope());
        };
        cleanup.add("Temporal", started::close);
        if (options.role().works()) {
            // Beside PostgreSQL. Whoever only reads may never need it.
            var _ = started.stubs();
        }
        engine = started;
        return started;
    }

    private ApplicationContext buildContext(DatabaseAddress address, TemporalEngine temporal) {
        ApplicationContext context = ApplicationContext.builder()
                .deduceEnvironment(false)
                .deduceCloudEnvironment(false)
                .banner(false)
                .singletons(
                        temporal,
                        computing.join(),
                        OperatorFiles.of(directory.path(), System.getenv()).retention())
                .properties(ServerProperties.of(directory, options, port, address))
                .build();
        cleanup.add("the API", context::close);
        return context.start();
    }

    /** With beans of its own, and so connections of its own: clients of the API cannot keep the journal and the lease waiting. */
    private CampaignWorker makeWorker(DatabaseAddress address, TemporalEngine temporal) {
        ApplicationContext context = ApplicationContext.builder()
                .deduceEnvironment(false)
                .deduceCloudEnvironment(false)
                .banner(false)
                .singletons(temporal, meters.registry(), computing.join())
                .properties(ServerProperties.ofWorkerInServer(directory, address))
                .build();
        if (agents != null) {
            context.registerSingleton(OwnAgents.class, agents);
        }
        boolean shared = options.role().shared();
        context.registerSingleton(
                IsolationSettings.class,
                new IsolationSettings(
                        options.isolation(),
                        shared,
                        shared && isOpen() ? IsolationLevel.CONFINED : IsolationLevel.NONE));
        context.registerSingleton(OwnPorts.class, new InstallationPorts(this::endpoints));
        cleanup.add("the worker's beans", context::close);
        return context.start().getBean(CampaignWorker.class);
    }

    /** Whether others than this machine may submit. */
    private boolean isOpen() {
        return Doors.needTokens(options.host()) || DatabaseAddress.ofProcess().isPresent();
    }

    /** What the worker says of programs; null: it has none to start. */
    public @Nullable IsolationOffer programs() {
        return programs;
    }

    private void rewriteEndpoints() {
        try {
            if (!closed.get()) {
                writeEndpoints();
            }
        } catch (IOException e) {
            LOG.warn("endpoints.json could not be written: {}", e.getMessage());
        }
    }

    private void writeEndpoints() throws IOException {
        endpoints().write(directory);
    }

    /** The addresses of the running services. */
    public Endpoints endpoints() {
        TemporalEngine temporal = engine;
        LocalPostgres embedded = postgres;
        return new Endpoints(
                api().toString(),
                database.libpqUrl(),
                temporal == null ? null : temporal.address(),
                temporal == null ? null : temporal.ui(),
                temporal == null ? "default" : temporal.namespace(),
                new Endpoints.Pids(
                        ProcessHandle.current().pid(),
                        embedded == null ? null : embedded.pid(),
                        temporal == null ? null : temporal.pid()),
                isOpen());
    }

    /** Base URL of the API. */
    public URI api() {
        String host = switch (options.host()) {
            case "0.0.0.0", "::" -> "127.0.0.1";
            case String address when address.contains(":") -> "[" + address + "]";
            case String name -> name;
        };
        return URI.create("http://" + host + ":" + port);
    }

    /** One line on the engine, for people. */
    public String engineBanner() {
        TemporalEngine temporal = engine;
        return temporal == null ? "" : temporal.banner();
    }

    /** The place of the results, for people; without a password. */
    public String databaseBanner() {
        return postgres == null
                ? database.place()
                : "embedded, data in " + directory.path().resolve("postgres");
    }

    /** Kills the processes that were started, as a crash would: what is stored is safe. For a process that ends right after. */
    public void abandon() {
        closed.set(true);
        Endpoints.Pids pids = endpoints().pids();
        Stream.of(pids.postgres(), pids.temporal())
                .filter(Objects::nonNull)
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** Stops everything in the opposite order. Returns when that is done, whichever thread began it. */
    @Override
    public void close() {
        closed.set(true);
        cleanup.run();
    }
}
