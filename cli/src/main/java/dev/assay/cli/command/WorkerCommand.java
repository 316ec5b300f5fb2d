package dev.assay.cli.command;

import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.IsolationOption;
import dev.assay.cli.option.ProgramsText;
import dev.assay.cli.terminal.ExitCode;
import dev.assay.cli.terminal.Interrupts;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.standalone.engine.EngineKind;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.server.DataDirectory;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.server.FollowingWorker;
import dev.assay.standalone.server.JoinedWorker;
import dev.assay.standalone.server.WorkerOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** One more worker: for the stores that the environment names, else for the server that holds the data directory. */
@Command(
        name = "worker",
        description =
                "Start one more worker: on ASSAY_DATABASE_URL and TEMPORAL_ADDRESS, else for the server of the data"
                        + " directory.")
public final class WorkerCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            defaultValue = "20",
            description = "Seconds for calls in flight when the worker is stopped. Default: 20.")
    private int drainSeconds;

    @Option(
            names = "--health-port",
            paramLabel = "PORT",
            description = "Port that answers /health/liveness and /health/readiness. Default: none.")
    private @Nullable Integer healthPort;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address of the health port. Default: 127.0.0.1, this machine only.")
    private String host = "127.0.0.1";

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "Also answer under this name; may be given several times. Default: names of loopback only.")
    private Set<String> allowedHosts = Set.of();

    @Mixin
    private IsolationOption isolation = new IsolationOption();

    @Override
    public Integer call() {
        Interrupts.exitOnTerminate();
        Optional<DatabaseAddress> database = DatabaseAddress.ofProcess();
        boolean alone = database.isPresent() && EngineKind.choose(null, System.getenv()) == EngineKind.EXTERNAL;
        try {
            return alone ? work(database.get()) : follow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.OK;
        }
    }

    private int work(DatabaseAddress database) {
        try (JoinedWorker worker = JoinedWorker.start(common.directory(), database, options())) {
            say(worker.stores(), worker.programs());
            Interrupts.untilEnd();
        }
        return ExitCode.OK;
    }

    private int follow() throws InterruptedException {
        DataDirectory directory = common.directory();
        Endpoints endpoints = Endpoints.read(directory)
                .orElseThrow(() -> new AssayException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "No server runs over " + directory.path()
                                + "; start one with: assay up; or set both ASSAY_DATABASE_URL and TEMPORAL_ADDRESS"));
        try (FollowingWorker worker = FollowingWorker.join(directory, endpoints, options())) {
            say("the server at " + worker.api(), worker.programs());
            worker.follow();
        }
        return ExitCode.OK;
    }

    private void say(String employer, @Nullable IsolationOffer programs) {
        common.out().println("This worker works for " + employer + ". Ctrl-C stops it.");
        if (programs != null) {
            common.out().println("Programs: " + ProgramsText.of(programs));
        }
        common.out().flush();
    }

    private WorkerOptions options() {
        return new WorkerOptions(
                Duration.ofSeconds(drainSeconds),
                Optional.ofNullable(healthPort).map(port -> new InetSocketAddress(host, port)),
                allowedHosts,
                isolation.level());
    }
}
