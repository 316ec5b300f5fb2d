package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.Api;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.server.Endpoints;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Assay with the in-process engine over one data directory: killed together with its PostgreSQL, and started again. */
final class KilledServer implements AutoCloseable {

    private static final Duration TO_STOP = Duration.ofSeconds(20);

    private final Path data;
    private final Map<String, String> variables;
    private final Api api;
    private final List<Process> started = new ArrayList<>();

    KilledServer(Path data) {
        this(data, Map.of());
    }

    /** @param variables of the environment of its processes */
    KilledServer(Path data, Map<String, String> variables) {
        this.variables = variables;
        this.data = data;
        this.api = new Api(data);
    }

    /** The most requests that a kill can leave open: those on the wire, and a quarter whose outcomes are being written. */
    static long inFlightBound(int inFlight) {
        return inFlight + Math.ceilDiv(inFlight, 4);
    }

    /** What is asked of the server that runs now. */
    Api api() {
        return api;
    }

    /** Starts {@code assay arguments} on the data directory. */
    Process start(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data.toString(), "--engine", "in-process"));
        Process process = JavaProcess.start(Assay.class, variables, all.toArray(String[]::new));
        started.add(process);
        return process;
    }

    Process up() throws IOException {
        return start("up", "--port", "0");
    }

    /** kill -9 of {@code server} and of its PostgreSQL. */
    void kill(Process server, Endpoints endpoints) throws InterruptedException {
        Long postgres = endpoints.pids().postgres();
        server.destroyForcibly();
        ProcessHandle.of(postgres).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(server.waitFor(Duration.ofSeconds(10))).isTrue();
    }

    /** Starts another server, waits until it has completed these campaigns, and stops it. */
    void finishOnAnotherServer(String... ids) throws Exception {
        Process server = up();
        api.await();
        for (String id : ids) {
            await().atMost(Api.PATIENCE).until(() -> api.state(id).equals("COMPLETED"));
        }
        server.destroy();
        assertThat(server.waitFor(TO_STOP)).isTrue();
    }

    /** Reads what is stored of the campaign {@code id} while no server runs. */
    void inspect(String id, Inspection inspection) throws SQLException {
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(data), () -> {});
                Tables tables = new Tables(postgres.address(), id)) {
            inspection.of(tables);
        }
    }

    /** Looks at what is stored. */
    @FunctionalInterface
    interface Inspection {
        void of(Tables tables) throws SQLException;
    }

    @Override
    public void close() throws InterruptedException {
        api.close();
        for (Process process : started) {
            process.destroy();
            if (!process.waitFor(TO_STOP)) {
                process.destroyForcibly();
            }
        }
    }
}
