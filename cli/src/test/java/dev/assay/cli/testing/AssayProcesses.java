package dev.assay.cli.testing;

import static org.awaitility.Awaitility.await;

import dev.assay.cli.Assay;
import dev.assay.cli.client.AssayApi;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code assay server} and {@code assay worker} over stores that a test runs, each in a process of its own. */
public final class AssayProcesses implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Path directory;
    private final DatabaseAddress database;
    private final Map<String, String> environment;
    private final List<Process> started = new ArrayList<>();

    /**
     * Starts nothing yet.
     *
     * @param directory where each keeps its files
     * @param temporal host and port
     */
    public AssayProcesses(Path directory, DatabaseAddress database, String temporal) {
        this.directory = directory;
        this.database = database;
        this.environment = ExternalStores.variables(database, temporal);
    }

    /** Starts a server and so many workers, and waits until they answer. */
    public AssayApi start(int workers) throws IOException {
        int port = FreePort.any();
        start("server", "server", "--port", String.valueOf(port));
        for (int i = 0; i < workers; i++) {
            start("worker-" + i, "worker");
        }
        AssayApi api = new AssayApi(URI.create("http://127.0.0.1:" + port));
        await().atMost(PATIENCE).until(api::answers);
        await().atMost(PATIENCE).until(() -> count("worker") == workers);
        return api;
    }

    private void start(String name, String... command) throws IOException {
        Map<String, String> variables = new HashMap<>(environment);
        variables.put("ASSAY_DATA", directory.resolve(name).toString());
        started.add(JavaProcess.start(Assay.class, variables, command));
    }

    /**
     * Rows in the database.
     *
     * @param from a table, and perhaps a condition
     */
    public int count(String from) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM " + from)) {
            row.next();
            return row.getInt(1);
        }
    }

    /** kill -9. */
    @Override
    public void close() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }
}
