package dev.assay.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.uber.m3.tally.NoopScope;
import dev.assay.cli.Assay;
import dev.assay.cli.client.AssayApi;
import dev.assay.cli.crash.Tables;
import dev.assay.cli.testing.ExternalStores;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.campaignfile.CampaignDocument;
import dev.assay.standalone.engine.DevServerEngine;
import dev.assay.standalone.engine.PagesAccess;
import dev.assay.standalone.engine.TemporalEngine;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.DatabaseWait;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.postgres.PreparedCluster;
import dev.assay.standalone.process.DetachedCommand;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.testing.JavaProcess;
import io.temporal.client.WorkflowClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** API and workers as processes that share nothing but a PostgreSQL and a Temporal that somebody else runs. */
@Tag("slow")
class ExternalStoresTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    /** What a worker promises: its drain and 10 s more. */
    private static final Duration STOP = Duration.ofSeconds(30);

    /** Its calls take longer than the time between two heartbeats of an activity. */
    private static final String CAMPAIGN = """
        name: outside
        cases:
          - {id: one, prompt: "1?"}
          - {id: two, prompt: "2?"}
        branches: [{id: slow, kind: scripted, script: {answers: [Yes], delayMs: 7000}}]
        """;

    @TempDir
    Path temporary;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process assay(Map<String, String> environment, String... arguments) throws IOException {
        Process process = JavaProcess.start(Assay.class, environment, arguments);
        started.add(process);
        return process;
    }

    private Map<String, String> environment(DatabaseAddress database, TemporalEngine temporal, String data) {
        Map<String, String> variables = ExternalStores.variables(database, String.valueOf(temporal.address()));
        variables.put("ASSAY_DATA", temporary.resolve(data).toString());
        variables.put("ASSAY_TEMPORAL_PREFIX", "team-a");
        return variables;
    }

    @Test
    void shouldRunACampaignAndStopWithZeroWhenWorkersStartBeforeTheServer() throws Exception {
        assumeTrue(DetachedCommand.onPath("temporal").isPresent(), "the temporal CLI is not on the PATH");
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(temporary.resolve("stores")), () -> {});
                TemporalEngine temporal = DevServerEngine.start(
                        temporary.resolve("temporal"),
                        temporary.resolve("temporal.log"),
                        () -> {},
                        new NoopScope(),
                        PagesAccess.LOCAL)) {
            DatabaseAddress database = postgres.address();
            int health = FreePort.any();
            Process worker =
                    assay(environment(database, temporal, "worker"), "worker", "--health-port", String.valueOf(health));
            Process other = assay(environment(database, temporal, "other"), "worker");
            int port = FreePort.any();
            Process server = assay(environment(database, temporal, "server"), "server", "--port", String.valueOf(port));
            assertThat(JavaProcess.firstLine(worker)).contains("PostgreSQL at", "Temporal at");
            assertThat(JavaProcess.firstLine(other)).contains("PostgreSQL at");
            await().atMost(PATIENCE).until(() -> ready(health) && ready(port));

            try (AssayApi api = new AssayApi(URI.create("http://127.0.0.1:" + port))) {
                String id = api.submit(CampaignDocument.parse(CAMPAIGN)).id();
                await().atMost(PATIENCE).until(() -> requests(database, "state = 'SENT'") == 2);
                assertStopsWithZero(other);
                await().atMost(PATIENCE).until(() -> api.campaign(id).state() == CampaignState.COMPLETED);
                assertThat(WorkflowClient.newInstance(temporal.stubs())
                                .listExecutions("`team-a-CampaignId` = '" + id + "'")
                                .map(found -> found.getExecution().getWorkflowId()))
                        .containsExactly("team-a-campaign/" + id);
                assertThat(requests(database, Tables.SENT))
                        .as("nothing was asked again")
                        .isEqualTo(2);
            }
            assertThat(metrics(health))
                    .contains("assay_calls_seconds_count{", "assay_permits_held{", "jvm_memory_used_bytes{");
            await().atMost(PATIENCE).until(() -> metrics(health).contains("temporal_worker_task_slots_used{"));
            assertThat(metrics(port)).contains("assay_store_up 1.0", "temporal_request_total{");
            assertStopsWithZero(worker);
            assertStopsWithZero(server);
        }
    }

    private static long requests(DatabaseAddress database, String which) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM ledger WHERE " + which)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static String metrics(int port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prometheus"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static void assertStopsWithZero(Process process) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(STOP)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static boolean ready(int port) throws InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/readiness"))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldNameWhatIsMissingWhenTheDatabaseIsNotReady() {
        DatabaseAddress nobody =
                new DatabaseAddress("jdbc:postgresql://127.0.0.1:" + FreePort.any() + "/assay", "a", "b");
        assertThatThrownBy(() -> DatabaseWait.untilConnected(nobody, Duration.ofMillis(100)))
                .hasMessageContaining(nobody.place())
                .hasMessageContaining("refused");
        // A prepared cluster has the tables.
        String prepared = System.clearProperty(PreparedCluster.DIRECTORY);
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(temporary), () -> {})) {
            DatabaseAddress right = postgres.address();
            assertThatThrownBy(() -> DatabaseWait.untilMigrated(right, Duration.ofMillis(100)))
                    .hasMessageContaining("V1, V2")
                    .hasMessageContaining("assay server");
            DatabaseAddress wrong = new DatabaseAddress(right.jdbcUrl(), right.user(), "guess");
            assertThatThrownBy(() -> DatabaseWait.untilConnected(wrong, Duration.ofMinutes(5)))
                    .hasMessageContaining("refuses the login")
                    .hasMessageContaining("ASSAY_DATABASE_PASSWORD");
        } finally {
            System.setProperty(PreparedCluster.DIRECTORY, prepared);
        }
    }
}
