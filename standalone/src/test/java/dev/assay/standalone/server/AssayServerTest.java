package dev.assay.standalone.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.standalone.engine.EngineKind;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class AssayServerTest {

    private static final ServerOptions UP =
            new ServerOptions("assay up", "127.0.0.1", 0, EngineKind.IN_PROCESS, ServerOptions.Role.SERVICE);

    @TempDir
    Path temporary;

    @Test
    void shouldAnswerAndNameItsPartsUntilClosedWhenStarted() throws Exception {
        DataDirectory directory = DataDirectory.open(temporary.resolve("data"));
        try (AssayServer server = AssayServer.tryStart(directory, UP).orElseThrow()) {
            assertThat(status(server)).isEqualTo(404);
            JsonNode file = Json.tree(Files.readString(directory.endpointsFile()));
            assertThat(file.get("api").textValue()).isEqualTo(server.api().toString());
            assertThat(file.get("temporal").isNull()).isTrue();
            assertThat(file.get("pids").get("server").longValue())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.endpointsFile())))
                    .isEqualTo("rw-------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.path())))
                    .isEqualTo("rwx------");
            assertThat(migrations(file.get("database").textValue())).isPositive();
            assertThat(AssayServer.tryStart(directory, UP)).isEmpty();
            DataHolder holder = DataLock.holder(directory).orElseThrow();
            assertThat(holder.command()).isEqualTo("assay up");
            assertThat(DataLock.held(directory)).hasMessageContaining("`assay up` (pid " + holder.pid());
            Instant before = Instant.now();
            server.close();
            assertThat(Duration.between(before, Instant.now())).isLessThan(Duration.ofSeconds(5));
        }
        assertThat(directory.endpointsFile()).doesNotExist();
        Optional<AssayServer> again = AssayServer.tryStart(directory, UP);
        assertThat(again).isPresent();
        again.orElseThrow().close();
    }

    @Test
    void shouldStartNothingWhenThePortIsTaken() throws Exception {
        DataDirectory directory = DataDirectory.open(temporary.resolve("data"));
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerOptions options = new ServerOptions(
                    "assay up", "127.0.0.1", other.getLocalPort(), EngineKind.IN_PROCESS, ServerOptions.Role.SERVICE);
            assertThatThrownBy(() -> AssayServer.tryStart(directory, options))
                    .hasMessageContaining("The API cannot listen on 127.0.0.1:" + other.getLocalPort());
        }
        assertThat(directory.path().resolve("postgres")).doesNotExist();
    }

    @Tag("slow")
    @Test
    @Timeout(120)
    void shouldRenewTheWorkersLeaseWhenClientsOfTheApiHoldAllItsConnections() throws Exception {
        DataDirectory directory = DataDirectory.open(temporary.resolve("data"));
        try (AssayServer server = AssayServer.tryStart(directory, UP).orElseThrow();
                HttpClient client = HttpClient.newHttpClient();
                Connection other = connect(Json.tree(Files.readString(directory.endpointsFile()))
                        .get("database")
                        .textValue());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            // Nobody can read evaluations now, and a worker need not.
            statement.execute("LOCK TABLE evaluation IN ACCESS EXCLUSIVE MODE");
            for (int i = 0; i < 60; i++) {
                client.sendAsync(
                        HttpRequest.newBuilder(server.api().resolve("/api/v1/evaluations"))
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
            }
            await().atMost(Duration.ofSeconds(15)).until(() -> waiting(statement) >= 10);
            for (int renewals = 0; renewals < 3; renewals++) {
                Instant before = lease(statement);
                await().atMost(Duration.ofSeconds(15))
                        .until(() -> lease(statement).isAfter(before));
            }
            assertThat(waiting(statement)).isGreaterThanOrEqualTo(10);
            other.rollback();
        }
    }

    /** Statements that wait for a lock. */
    private static int waiting(Statement statement) throws Exception {
        try (ResultSet rows =
                statement.executeQuery("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'relation'")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static Instant lease(Statement statement) throws Exception {
        try (ResultSet rows = statement.executeQuery("SELECT max(lease_until) FROM worker")) {
            rows.next();
            return rows.getTimestamp(1).toInstant();
        }
    }

    private static Connection connect(String url) throws Exception {
        String[] parts = url.substring("postgresql://".length()).split("[:@]", 3);
        return DriverManager.getConnection("jdbc:postgresql://" + parts[2], parts[0], parts[1]);
    }

    private static int status(AssayServer server) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                            HttpRequest.newBuilder(server.api().resolve("/no-such-page"))
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        }
    }

    private static int migrations(String url) throws Exception {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM flyway_schema_history WHERE success")) {
            result.next();
            return result.getInt(1);
        }
    }

    @Test
    void shouldLeaveTheTemporalThatRunsCampaignsAloneWhenItOnlyPlans() throws Exception {
        DataDirectory directory = DataDirectory.open(temporary.resolve("planned"));
        ServerOptions options =
                new ServerOptions("assay plan", "127.0.0.1", 0, EngineKind.DEV_SERVER, ServerOptions.Role.PLANNER);

        // Its worker would go on with what campaigns of that Temporal left, and pay for it.
        try (AssayServer server = AssayServer.tryStart(directory, options).orElseThrow()) {
            assertThat(server.endpoints().temporal()).isNull();
            assertThat(directory.path().resolve("temporal")).doesNotExist();
        }
    }
}
