package dev.assay.cli.crash;

import static org.awaitility.Awaitility.await;

import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.testing.LastingPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The Temporal server as it runs in production: all services in one process, on PostgreSQL, set up by the variables that its
 * image takes.
 *
 * @param program {@code temporal-server}
 * @param schemaTool {@code temporal-sql-tool} of the same version
 * @param database the PostgreSQL; databases {@code temporal} and {@code temporal_visibility} are made there
 * @param log where both write
 * @param ports by the variables that set them
 */
record ProductionServer(
        String program, String schemaTool, DatabaseAddress database, Path log, Map<String, Integer> ports) {

    static final String PROGRAM_PROPERTY = "assay.chaos.temporal-server";
    static final String SCHEMA_TOOL_PROPERTY = "assay.chaos.temporal-sql-tool";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String GRPC_PORT = "FRONTEND_GRPC_PORT";
    private static final String HTTP_PORT = "FRONTEND_HTTP_PORT";
    private static final List<String> PORTS = List.of(
            GRPC_PORT,
            HTTP_PORT,
            "FRONTEND_MEMBERSHIP_PORT",
            "MATCHING_GRPC_PORT",
            "MATCHING_MEMBERSHIP_PORT",
            "HISTORY_GRPC_PORT",
            "HISTORY_MEMBERSHIP_PORT",
            "WORKER_GRPC_PORT",
            "WORKER_MEMBERSHIP_PORT");

    /** The programs that the system properties name, over {@code database}. */
    static ProductionServer over(DatabaseAddress database, Path log) {
        return new ProductionServer(
                System.getProperty(PROGRAM_PROPERTY, "temporal-server"),
                System.getProperty(SCHEMA_TOOL_PROPERTY, "temporal-sql-tool"),
                database,
                log,
                freePorts());
    }

    private static Map<String, Integer> freePorts() {
        Iterator<Integer> free = LastingPort.all().iterator();
        return PORTS.stream().collect(Collectors.toMap(name -> name, name -> free.next()));
    }

    String address() {
        return "127.0.0.1:" + ports.get(GRPC_PORT);
    }

    /** Makes its two databases. */
    void makeDatabases() throws IOException, InterruptedException {
        makeDatabase("temporal", "temporal");
        makeDatabase("temporal_visibility", "visibility");
    }

    private void makeDatabase(String name, String schema) throws IOException, InterruptedException {
        runSchemaTool(name, "create");
        runSchemaTool(name, "setup-schema", "--version", "0.0");
        runSchemaTool(name, "update-schema", "--schema-name", "postgresql/v12/" + schema);
    }

    private void runSchemaTool(String name, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(schemaTool, "--plugin", "postgres12", "--database", name));
        all.addAll(List.of(command));
        Map<String, String> login = Map.of(
                "SQL_HOST", place().getHost(),
                "SQL_PORT", Integer.toString(place().getPort()),
                "SQL_USER", database.user(),
                "SQL_PASSWORD", database.password());
        if (logged(all, login).start().waitFor() != 0) {
            throw new IOException(String.join(" ", all) + " failed: " + Files.readString(log));
        }
    }

    private URI place() {
        return URI.create(database.jdbcUrl().substring("jdbc:".length()));
    }

    /** The command that runs it, as many shards and connections as in {@code docker-compose.yml}. */
    ProcessBuilder command() throws IOException {
        Map<String, String> variables = new HashMap<>(Map.of(
                "DB", "postgres12",
                "POSTGRES_SEEDS", place().getHost(),
                "DB_PORT", Integer.toString(place().getPort()),
                "POSTGRES_USER", database.user(),
                "POSTGRES_PWD", database.password(),
                "NUM_HISTORY_SHARDS", "512",
                "BIND_ON_IP", "127.0.0.1",
                "DYNAMIC_CONFIG_FILE_PATH", dynamicConfig().toString(),
                "LOG_LEVEL", "error"));
        ports.forEach((name, port) -> variables.put(name, Integer.toString(port)));
        return logged(List.of(program, "--allow-no-auth", "start"), variables);
    }

    /** It does not start without a file. */
    private Path dynamicConfig() throws IOException {
        return Files.writeString(log.resolveSibling("temporal-dynamic-config.yaml"), "{}\n");
    }

    private ProcessBuilder logged(List<String> command, Map<String, String> variables) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(variables);
        return builder;
    }

    /** Waits until it answers, and makes the namespace {@code default}. */
    void awaitNamespace() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports.get(HTTP_PORT) + "/api/v1/namespaces"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"namespace\": \"default\", \"workflowExecutionRetentionPeriod\": \"86400s\"}"))
                .build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            await().atMost(PATIENCE).until(() -> created(http, request));
        }
    }

    private static boolean created(HttpClient http, HttpRequest request) throws InterruptedException {
        try {
            return List.of(200, 409)
                    .contains(http.send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode());
        } catch (IOException e) {
            return false;
        }
    }
}
