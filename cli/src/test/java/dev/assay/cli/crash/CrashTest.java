package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.Assay;
import dev.assay.cli.postgres.LocalPostgres;
import dev.assay.cli.postgres.PostgresHome;
import dev.assay.cli.server.DataDirectory;
import dev.assay.cli.server.Endpoints;
import dev.assay.cli.testing.Await;
import dev.assay.cli.testing.JavaProcess;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the JVM and of PostgreSQL in the middle of a campaign: it finishes, and nothing that was stored is paid for again. */
class CrashTest {

    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int IN_FLIGHT = 10;
    private static final int TRIALS = 200;

    @TempDir
    Path temporary;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        http.close();
        for (Process process : started) {
            process.destroy();
            if (!process.waitFor(Duration.ofSeconds(20))) {
                process.destroyForcibly();
            }
        }
    }

    private Path data() {
        return temporary.resolve("data");
    }

    /** 100 cases × 2 trials, 200 ms each, 10 at a time: four seconds. */
    private static String campaign() {
        StringBuilder cases = new StringBuilder();
        for (int i = 0; i < TRIALS / 2; i++) {
            cases.append("  - {id: case-")
                    .append(i)
                    .append(", prompt: Question ")
                    .append(i)
                    .append("?}\n");
        }
        return """
            name: crash
            cases:
            %sbranches:
              - {id: slow, kind: scripted, script: {answers: [Answer], delayMs: 200}}
            trials: 2
            limits: {maxConcurrent: %d}
            """.formatted(cases, IN_FLIGHT);
    }

    private Process assay(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data().toString(), "--engine", "in-process"));
        Process process = JavaProcess.start(Assay.class, all.toArray(String[]::new));
        started.add(process);
        return process;
    }

    private Endpoints awaitApi() throws Exception {
        Await.until(PATIENCE, () -> {
            Optional<Endpoints> endpoints = endpoints();
            return endpoints.isPresent() && answers(endpoints.get());
        });
        return endpoints().orElseThrow();
    }

    private Optional<Endpoints> endpoints() {
        return Files.exists(data()) ? Endpoints.read(DataDirectory.open(data())) : Optional.empty();
    }

    private boolean answers(Endpoints endpoints) throws InterruptedException {
        try {
            return get(endpoints, "/api/v1/campaigns").path("items").isArray();
        } catch (IOException e) {
            return false;
        }
    }

    private JsonNode get(Endpoints endpoints, String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(endpoints.api() + path)).build();
        return Json.tree(
                http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    private String submit(Endpoints endpoints) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(endpoints.api() + "/api/v1/campaigns"))
                .header("Content-Type", "application/yaml")
                .POST(HttpRequest.BodyPublishers.ofString(campaign()))
                .build();
        return Json.tree(
                        http.send(request, HttpResponse.BodyHandlers.ofString()).body())
                .get("id")
                .asText();
    }

    private JsonNode awaitCells(Endpoints endpoints, String id, int cells) throws Exception {
        Await.until(
                PATIENCE,
                () -> get(endpoints, "/api/v1/campaigns/" + id)
                                .at("/progress/cellsDone")
                                .asInt()
                        >= cells);
        return get(endpoints, "/api/v1/campaigns/" + id);
    }

    private static void kill(Process server, Endpoints endpoints) throws Exception {
        Long postgres = endpoints.pids().postgres();
        server.destroyForcibly();
        ProcessHandle.of(postgres).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(server.waitFor(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void shouldFinishWhenServerAndPostgresAreKilledAndUpIsStartedAgain() throws Exception {
        Process first = assay("up", "--port", "0");
        Endpoints endpoints = awaitApi();
        String id = submit(endpoints);
        JsonNode before = awaitCells(endpoints, id, 40);
        assertThat(before.at("/progress/cellsDone").asInt()).isLessThan(TRIALS);

        kill(first, endpoints);
        Process second = assay("up", "--port", "0");
        Endpoints again = awaitApi();
        Await.until(
                PATIENCE,
                () -> get(again, "/api/v1/campaigns/" + id)
                        .get("state")
                        .asText()
                        .equals("COMPLETED"));

        second.destroy();
        assertThat(second.waitFor(Duration.ofSeconds(20))).isTrue();
        assertNothingLostAndNothingPaidTwice(id);
    }

    @Test
    void shouldFinishWhenRunAndPostgresAreKilledAndCampaignIsResumed() throws Exception {
        Path file = temporary.resolve("campaign.yaml");
        Files.writeString(file, campaign());
        Process run = assay("run", file.toString());
        Endpoints endpoints = awaitApi();
        Await.until(
                PATIENCE,
                () -> !get(endpoints, "/api/v1/campaigns").get("items").isEmpty());
        String id = get(endpoints, "/api/v1/campaigns").at("/items/0/id").asText();
        awaitCells(endpoints, id, 40);

        kill(run, endpoints);
        Process resume = assay("resume", id);

        assertThat(resume.waitFor(PATIENCE)).isTrue();
        assertThat(resume.exitValue()).isZero();
        assertNothingLostAndNothingPaidTwice(id);
    }

    private void assertNothingLostAndNothingPaidTwice(String id) throws SQLException {
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(data()), () -> {});
                Connection connection = DriverManager.getConnection(
                        postgres.address().jdbcUrl(),
                        postgres.address().user(),
                        postgres.address().password())) {
            assertThat(count(connection, "SELECT count(*) FROM outcome WHERE campaign_id = ?", id))
                    .isEqualTo(TRIALS);
            assertThat(count(connection, "SELECT count(*) FROM trial WHERE campaign_id = ? AND complete", id))
                    .isEqualTo(TRIALS);
            assertThat(count(
                            connection,
                            "SELECT sum(cells_done) FROM progress WHERE kind = 'branch' AND campaign_id = ?",
                            id))
                    .isEqualTo(TRIALS);
            assertThat(count(connection, """
                SELECT count(*) FROM ledger l JOIN outcome o USING (campaign_id, ordinal)
                WHERE l.sent_at > o.finished_at AND campaign_id = ?\
                """, id))
                    .as("requests for outcomes that were stored")
                    .isZero();
            assertThat(count(connection, "SELECT count(*) FROM ledger WHERE campaign_id = ?", id) - TRIALS)
                    .as("requests that were in flight when the server was killed")
                    .isBetween(0L, (long) IN_FLIGHT + Math.ceilDiv(IN_FLIGHT, 4));
        }
    }

    private static long count(Connection connection, String sql, @Nullable String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, id);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
