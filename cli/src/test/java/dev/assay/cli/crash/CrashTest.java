package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.cli.Assay;
import dev.assay.cli.postgres.LocalPostgres;
import dev.assay.cli.postgres.PostgresHome;
import dev.assay.cli.server.Endpoints;
import dev.assay.cli.testing.Await;
import dev.assay.cli.testing.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the JVM and of PostgreSQL in the middle of a campaign: it finishes, and nothing that was stored is paid for again. */
class CrashTest {

    private static final int IN_FLIGHT = 10;
    private static final int TRIALS = 200;
    private static final int PANEL_TRIALS = 70;
    private static final int PANEL_CALLS = 6;
    /** Cells between their ledger row and their stored outcome: those on the wire, and a quarter that are being written. */
    private static final long IN_FLIGHT_BOUND = IN_FLIGHT + Math.ceilDiv(IN_FLIGHT, 4);

    @TempDir
    Path temporary;

    private Api api;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void prepare() {
        api = new Api(data());
    }

    @AfterEach
    void stop() throws Exception {
        api.close();
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

    private static String cases(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "  - {id: case-%d, prompt: Question %d?}%n".formatted(i, i))
                .collect(Collectors.joining());
    }

    /** 100 cases × 2 trials, 200 ms each, 10 at a time: four seconds. */
    private static String campaign() {
        return """
            name: crash
            cases:
            %sbranches:
              - {id: slow, kind: scripted, script: {answers: [Answer], delayMs: 200}}
            trials: 2
            limits: {maxConcurrent: %d}
            """.formatted(cases(TRIALS / 2), IN_FLIGHT);
    }

    /** Each trial is judged in both orders by each of three judges, 100 ms a call, 10 at a time: four seconds. */
    private static String panel() {
        String judge = "    - {kind: scripted, script: {answers: ['1'], delayMs: 100}}\n";
        return """
            name: panel
            cases:
            %sbranches:
              - {id: a, kind: scripted, script: {answers: [Answer]}}
              - {id: b, kind: scripted, script: {answers: [Another]}}
            strategy:
              type: llm-judge
              swapPositions: true
              panel:
            %slimits: {maxConcurrent: %d}
            """.formatted(cases(PANEL_TRIALS), judge.repeat(3), IN_FLIGHT);
    }

    private Process assay(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--data", data().toString(), "--engine", "in-process"));
        Process process = JavaProcess.start(Assay.class, all.toArray(String[]::new));
        started.add(process);
        return process;
    }

    private JsonNode awaitCells(String id, int cells) throws Exception {
        Await.until(Api.PATIENCE, () -> api.cellsDone(id) >= cells);
        return api.campaign(id);
    }

    private static void kill(Process server, Endpoints endpoints) throws Exception {
        Long postgres = endpoints.pids().postgres();
        server.destroyForcibly();
        ProcessHandle.of(postgres).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(server.waitFor(Duration.ofSeconds(10))).isTrue();
    }

    private void finishOnAnotherServer(String id) throws Exception {
        Process server = assay("up", "--port", "0");
        api.await();
        Await.until(Api.PATIENCE, () -> api.state(id).equals("COMPLETED"));
        server.destroy();
        assertThat(server.waitFor(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void shouldFinishWhenServerAndPostgresAreKilledAndUpIsStartedAgain() throws Exception {
        Process first = assay("up", "--port", "0");
        Endpoints endpoints = api.await();
        String id = api.submit(campaign());
        JsonNode before = awaitCells(id, 40);
        assertThat(before.at("/progress/cellsDone").asInt()).isLessThan(TRIALS);

        kill(first, endpoints);
        finishOnAnotherServer(id);
        assertNothingLostAndNothingPaidTwice(id);
    }

    @Test
    void shouldAskNoJudgeAgainWhenServerAndPostgresAreKilledInTheMiddleOfPanels() throws Exception {
        Process first = assay("up", "--port", "0");
        Endpoints endpoints = api.await();
        String id = api.submit(panel());
        Await.until(
                Api.PATIENCE, () -> api.campaign(id).at("/progress/trialsDone").asInt() >= 15);
        assertThat(api.state(id)).isEqualTo("RUNNING");

        kill(first, endpoints);
        finishOnAnotherServer(id);
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(data()), () -> {});
                Tables tables = new Tables(postgres.address(), id)) {
            assertThat(tables.count("SELECT count(*) FROM trial WHERE campaign_id = ? AND complete"))
                    .isEqualTo(PANEL_TRIALS);
            assertThat(tables.count("SELECT count(*) FROM judge_call WHERE campaign_id = ? AND status = 'COMPLETED'"))
                    .isEqualTo(PANEL_TRIALS * PANEL_CALLS);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = 'judge'")
                            - PANEL_TRIALS * PANEL_CALLS)
                    .as("judges that were being asked when the server was killed")
                    .isBetween(0L, IN_FLIGHT_BOUND);
        }
    }

    @Test
    void shouldFinishWhenRunAndPostgresAreKilledAndCampaignIsResumed() throws Exception {
        Path file = temporary.resolve("campaign.yaml");
        Files.writeString(file, campaign());
        Process run = assay("run", file.toString());
        Endpoints endpoints = api.await();
        Await.until(Api.PATIENCE, () -> api.newest().isPresent());
        String id = api.newest().orElseThrow();
        awaitCells(id, 40);

        kill(run, endpoints);
        Process resume = assay("resume", id);

        assertThat(resume.waitFor(Api.PATIENCE)).isTrue();
        assertThat(resume.exitValue()).isZero();
        assertNothingLostAndNothingPaidTwice(id);
    }

    private void assertNothingLostAndNothingPaidTwice(String id) throws SQLException {
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(data()), () -> {});
                Tables tables = new Tables(postgres.address(), id)) {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ?"))
                    .isEqualTo(TRIALS);
            assertThat(tables.count("SELECT count(*) FROM trial WHERE campaign_id = ? AND complete"))
                    .isEqualTo(TRIALS);
            tables.assertCountersEqualRows();
            assertThat(tables.count("""
                SELECT count(*) FROM ledger l JOIN outcome o USING (campaign_id, ordinal)
                WHERE l.sent_at > o.finished_at AND campaign_id = ?\
                """))
                    .as("requests for outcomes that were stored")
                    .isZero();
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?") - TRIALS)
                    .as("requests that were in flight when the server was killed")
                    .isBetween(0L, IN_FLIGHT_BOUND);
        }
    }
}
