package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.cli.Assay;
import dev.assay.cli.crash.ChaosRun.Fault;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.ExternalStores;
import dev.assay.cli.testing.KeptProcess;
import dev.assay.cli.testing.UnreliableModel;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills, stops and freezes what {@code assay up} and {@code assay worker} consist of, at random moments of one campaign; see
 * {@link ChaosRun} for what must be true at its end.
 */
@Tag("slow")
@Timeout(1_800)
class ChaosTest {

    /** The command {@code assay} of another build, by which the one under test is exchanged in the middle. */
    private static final String OTHER_BUILD_PROPERTY = "assay.chaos.other-build";

    /** Of a run that has time. */
    private static final int TRIALS = 2_000;

    /** Of the run in each build, which kills each once; {@code -Dassay.proof=true} kills more. */
    private static final int FEW_TRIALS = Boolean.getBoolean("assay.proof") ? 600 : 250;

    private static final int KILLS = Boolean.getBoolean("assay.proof") ? 2 : 1;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path temporary;

    @Test
    void shouldFinishOnTheDevServerWhateverIsKilled() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        try (UnreliableModel model = new UnreliableModel(Duration.ofMillis(200));
                Api api = new Api(data());
                KeptProcess up = assay(model, "up", "--port", "0", "--engine", "dev-server")) {
            api.await();
            try (KeptProcess worker = assay(model, "worker")) {
                ChaosRun chaos = new ChaosRun(api, model, FEW_TRIALS);
                chaos.may(Fault.KILL, "the server", up::pid, 1);
                chaos.may(Fault.KILL, "the worker", worker::pid, 1);
                chaos.may(Fault.TERMINATE, "the worker", worker::pid, 1);
                chaos.may(
                        Fault.KILL,
                        "PostgreSQL",
                        () -> api.endpoints().orElseThrow().pids().postgres(),
                        KILLS);
                chaos.may(
                        Fault.KILL,
                        "Temporal",
                        () -> api.endpoints().orElseThrow().pids().temporal(),
                        KILLS);
                chaos.run("dev-server");
            }
        }
        assertNothingIsLeftOver();
    }

    /** Takes three minutes, and kills less than the run on the dev server: {@code -Dassay.slow=true} runs both. */
    @Test
    void shouldFinishInProcessWhateverIsKilled() throws Exception {
        assumeTrue(
                Boolean.getBoolean("assay.slow")
                        || DetachedCommand.onPath("temporal").isEmpty(),
                "the run on the dev server kills more; -Dassay.slow=true runs both");
        try (UnreliableModel model = new UnreliableModel(Duration.ofMillis(200));
                Api api = new Api(data());
                KeptProcess up = assay(model, "up", "--port", "0", "--engine", "in-process")) {
            api.await();
            ChaosRun chaos = new ChaosRun(api, model, TRIALS);
            chaos.may(Fault.KILL, "the server", up::pid, 5);
            chaos.may(
                    Fault.KILL,
                    "PostgreSQL",
                    () -> api.endpoints().orElseThrow().pids().postgres(),
                    5);
            chaos.run("in-process");
        }
        assertNothingIsLeftOver();
    }

    /** benchmarks/chaos runs it, and names the server. */
    @Test
    @EnabledIfSystemProperty(named = ProductionServer.PROGRAM_PROPERTY, matches = ".+")
    void shouldFinishOnAProductionServerWhateverIsKilled() throws Exception {
        System.out.println("chaos on production server: logs in " + temporary);
        try (UnreliableModel model = new UnreliableModel(Duration.ofMillis(200));
                Api api = new Api(data());
                LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(temporary), () -> {})) {
            // It makes databases, which Assay's role may not.
            DatabaseAddress maker = ExternalStores.superuser(postgres.address(), PostgresHome.in(temporary));
            ProductionServer production = ProductionServer.over(maker, temporary.resolve("temporal.out"));
            production.makeDatabases();
            try (KeptProcess temporal = KeptProcess.start(production.command())) {
                production.awaitNamespace();
                runOn(production, temporal, postgres, model, api);
            }
        }
        assertNothingIsLeftOver();
    }

    private void runOn(
            ProductionServer production, KeptProcess temporal, LocalPostgres postgres, UnreliableModel model, Api api)
            throws Exception {
        Map<String, String> stores = Map.of(
                "TEMPORAL_ADDRESS",
                production.address(),
                "ASSAY_DATABASE_URL",
                postgres.address().libpqUrl());
        try (KeptProcess server = assay(model, stores, "server", "--port", "0")) {
            api.await();
            try (KeptProcess one = assay(model, stores, "worker");
                    KeptProcess two = assay(model, stores, "worker")) {
                api.awaitWorkers("openai", 2);
                ChaosRun chaos = new ChaosRun(api, model, TRIALS);
                chaos.may(Fault.KILL, "the server", server::pid, 3);
                chaos.may(Fault.KILL, "worker 1", one::pid, 2);
                chaos.may(Fault.KILL, "worker 2", two::pid, 2);
                chaos.may(Fault.KILL, "PostgreSQL", postgres::pid, 4);
                chaos.may(Fault.KILL, "Temporal", temporal::pid, 4);
                chaos.may(Fault.TERMINATE, "the server", server::pid, 1);
                chaos.may(Fault.TERMINATE, "worker 1", one::pid, 1);
                chaos.may(Fault.TERMINATE, "worker 2", two::pid, 1);
                chaos.may(Fault.FREEZE, "worker 1", one::pid, 1);
                chaos.may(Fault.FREEZE, "Temporal", temporal::pid, 1);
                chaos.may(Fault.FREEZE, "PostgreSQL", postgres::pid, 1);
                String build = System.getProperty(OTHER_BUILD_PROPERTY, "");
                if (!build.isEmpty()) {
                    chaos.exchange("the server", server, other(build, model, stores, "server", "--port", "0"));
                    chaos.exchange("worker 1", one, other(build, model, stores, "worker"));
                    chaos.exchange("worker 2", two, other(build, model, stores, "worker"));
                }
                chaos.run("production server");
            }
        }
    }

    private Path data() {
        return temporary.resolve("data");
    }

    private KeptProcess assay(UnreliableModel model, String... arguments) throws IOException {
        return assay(model, Map.of(), arguments);
    }

    private KeptProcess assay(UnreliableModel model, Map<String, String> stores, String... arguments)
            throws IOException {
        return KeptProcess.start(command(model, stores, JavaProcess.of(Assay.class, arguments), arguments[0]));
    }

    /** The command of another build. */
    private ProcessBuilder other(String build, UnreliableModel model, Map<String, String> stores, String... arguments) {
        List<String> command = new ArrayList<>(List.of(build));
        command.addAll(List.of(arguments));
        return command(model, stores, new ProcessBuilder(command), arguments[0]);
    }

    private ProcessBuilder command(
            UnreliableModel model, Map<String, String> stores, ProcessBuilder command, String name) {
        command.environment()
                .putAll(Map.of(
                        "ASSAY_DATA", data().toString(), "OPENAI_BASE_URL", model.url(), "OPENAI_API_KEY", "none"));
        command.environment().putAll(stores);
        return command.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        temporary.resolve(name + ".out").toFile()));
    }

    private void assertNothingIsLeftOver() {
        assertThat(ProcessHandle.allProcesses()
                        .filter(process ->
                                process.info().commandLine().orElse("").contains(temporary.toString())))
                .as("processes over the test's directory")
                .isEmpty();
    }
}
