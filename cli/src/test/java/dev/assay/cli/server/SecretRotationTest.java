package dev.assay.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.Assay;
import dev.assay.cli.testing.ExternalStores;
import dev.assay.standalone.postgres.DatabaseAddress;
import dev.assay.standalone.postgres.LocalPostgres;
import dev.assay.standalone.postgres.PostgresHome;
import dev.assay.standalone.process.FreePort;
import dev.assay.standalone.testing.JavaProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that others reach, whose token and database password stand in files that change while it runs. */
@Tag("slow")
class SecretRotationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(240);

    /** It takes 10 s at most where the machine is not starved. */
    private static final Duration PROMPT = Duration.ofSeconds(30);

    private static final String A = "a".repeat(40);
    private static final String B = "b".repeat(40);

    @TempDir
    Path temporary;

    private final HttpClient http = HttpClient.newHttpClient();
    private final int port = FreePort.any();
    private Process server;

    @AfterEach
    void stop() throws InterruptedException {
        if (server != null) {
            server.destroyForcibly().waitFor();
        }
        http.close();
    }

    private Process up(Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ASSAY_DATA", temporary.resolve("data").toString());
        String[] arguments = {"up", "--host", "0.0.0.0", "--port", String.valueOf(port), "--engine", "in-process"};
        server = JavaProcess.start(Assay.class, all, arguments);
        return server;
    }

    private String ask(String path, String token) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + token)
                .build();
        try {
            var answer = http.send(request, BodyHandlers.ofString());
            return answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
            return String.valueOf(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean enters(String token) {
        return ask("/api/v1/campaigns", token).startsWith("200");
    }

    private boolean isRefused(String token) {
        return ask("/api/v1/campaigns", token).startsWith("401");
    }

    /** As Kubernetes does: the directory that a link names is exchanged in one step. */
    private void token(String token) throws IOException {
        Path version = Files.createTempDirectory(temporary, "version-");
        Files.writeString(version.resolve("token"), token + "\n");
        Path next = Files.createSymbolicLink(temporary.resolve("next"), version);
        Files.move(next, temporary.resolve("now"), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void sql(DatabaseAddress database, String statement) throws SQLException {
        try (Connection connection = database.connect();
                Statement all = connection.createStatement()) {
            all.execute(statement);
        }
    }

    private Map<String, String> files(DatabaseAddress database) throws IOException {
        token(A);
        Files.writeString(temporary.resolve("password"), database.password());
        return Map.of(
                "ASSAY_DATABASE_URL",
                "postgresql://" + database.user() + "@" + database.place(),
                "ASSAY_DATABASE_PASSWORD_FILE",
                temporary.resolve("password").toString(),
                "ASSAY_API_TOKEN_FILE",
                temporary.resolve("now/token").toString());
    }

    @Test
    void shouldTakeANewTokenAndPasswordWhileItRuns() throws Exception {
        PostgresHome home = PostgresHome.in(temporary.resolve("stores"));
        try (LocalPostgres postgres = LocalPostgres.start(home, () -> {})) {
            DatabaseAddress superuser = ExternalStores.superuser(postgres.address(), home);
            up(files(postgres.address()));
            await().atMost(PATIENCE).until(() -> enters(A));
            assertThat(isRefused(B)).isTrue();

            Set<String> statuses = ConcurrentHashMap.newKeySet();
            AtomicBoolean isOver = new AtomicBoolean();
            Thread client = Thread.ofVirtual().start(() -> {
                while (!isOver.get()) {
                    statuses.add(ask("/api/v1/campaigns", A).substring(0, 3));
                    statuses.add(ask("/api/v1/campaigns", B).substring(0, 3));
                }
            });
            sql(superuser, "ALTER ROLE assay PASSWORD 'another'");
            Files.writeString(temporary.resolve("password"), "another\n");
            token(B);
            await().atMost(PROMPT).until(() -> enters(B) && isRefused(A));
            isOver.set(true);
            client.join();
            assertThat(statuses).containsExactlyInAnyOrder("200", "401");

            sql(superuser, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'assay'");
            await().atMost(PROMPT).until(() -> enters(B));

            sql(
                    superuser,
                    "UPDATE api_token SET revoked_why = 'person', revoked_by = 'ops'"
                            + " WHERE revoked_at IS NOT NULL");
            Files.writeString(temporary.resolve("password"), "");
            token(A);
            await().atMost(PROMPT)
                    .until(() -> ask("/health/readiness", "")
                            .contains("\"variables\":[\"ASSAY_API_TOKEN\",\"ASSAY_DATABASE_PASSWORD\"]"));
            assertThat(ask("/health/readiness", "")).startsWith("200").contains("SECRET_UNREADABLE");
            assertThat(enters(B)).isTrue();
            assertThat(isRefused(A)).isTrue();
        }
    }

    @Test
    void shouldNotStartWithBothFormsOrABadFile() throws Exception {
        Path missing = temporary.resolve("missing");
        assertThat(refusal(Map.of("ASSAY_API_TOKEN", A, "ASSAY_API_TOKEN_FILE", missing.toString())))
                .contains("assay: ASSAY_API_TOKEN and ASSAY_API_TOKEN_FILE are both set; leave one.")
                .doesNotContain(A);
        assertThat(refusal(Map.of("ASSAY_DATABASE_URL_FILE", missing.toString())))
                .contains("ASSAY_DATABASE_URL_FILE names " + missing + ", which cannot be read");
    }

    private String refusal(Map<String, String> environment) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("ASSAY_DATA", temporary.resolve("data").toString());
        ProcessBuilder builder = JavaProcess.of(Assay.class, "up", "--host", "0.0.0.0", "--engine", "in-process")
                .redirectErrorStream(true);
        builder.environment().putAll(all);
        server = builder.start();
        String said = new String(server.getInputStream().readAllBytes(), UTF_8);
        assertThat(server.waitFor()).as(said).isEqualTo(2);
        return said;
    }
}
