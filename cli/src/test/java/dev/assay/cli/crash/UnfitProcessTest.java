package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.Assay;
import dev.assay.cli.postgres.LocalPostgres;
import dev.assay.cli.postgres.PostgresHome;
import dev.assay.cli.process.FreePort;
import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.EndlessWork;
import dev.assay.cli.testing.ExternalStores;
import dev.assay.cli.testing.JavaProcess;
import dev.assay.cli.testing.StubModel;
import io.temporal.testserver.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A worker whose threads are held by work that does not end finishes what it has, and its process ends. */
@Tag("slow")
@Timeout(300)
class UnfitProcessTest {

    private static final Duration TO_END = Duration.ofSeconds(60);
    private static final String REASON = "Work that does not end has taken too many threads";

    @TempDir
    Path temporary;

    private final List<Process> started = new ArrayList<>();
    private StubModel model;
    private Path data;

    @BeforeEach
    void prepare() throws Exception {
        data = Files.createDirectory(temporary.resolve("data"));
        model = new StubModel();
        model.writeProviders(data);
        model.delay(Duration.ofSeconds(1));
    }

    @AfterEach
    void stop() {
        started.forEach(Process::destroyForcibly);
        model.close();
    }

    /** Longer than the pool lasts: a second for four cells. */
    private static String campaign() {
        String cases = IntStream.rangeClosed(1, 400)
                .mapToObj(i -> "  - {id: case-" + i + ", prompt: Hello, checks: [{type: contains, value: Paris}]}\n")
                .collect(Collectors.joining());
        return """
            name: unfit
            cases:
            %sbranches: [{id: b, provider: stub, model: m}]
            limits: {maxConcurrent: 4}
            """.formatted(cases);
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        Path errors = temporary.resolve("errors-" + arguments[0]);
        ProcessBuilder builder = JavaProcess.of(Assay.class, arguments).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private Path trigger() {
        return temporary.resolve("exhaust-the-pool");
    }

    private void exhaustThePoolOnceAsked() throws IOException {
        await().atMost(Api.PATIENCE).until(() -> !model.prompts().isEmpty());
        Files.createFile(trigger());
    }

    private static void assertEndsUnfit(Process process, Path errors) throws Exception {
        assertThat(process.waitFor(TO_END)).as("it ends by itself").isTrue();
        String said = Files.readString(errors, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isEqualTo(1);
        assertThat(said.lines().filter(line -> line.contains(REASON))).hasSize(1);
    }

    /** Every request that was paid for has its outcome; no cell is left to a worker that is gone. */
    private void assertDrained(Tables tables) throws Exception {
        int asked = model.prompts().size();
        assertThat(asked).isPositive();
        assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND status = 'COMPLETED'"))
                .isEqualTo(asked);
        assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND state = 'ANSWERED'"))
                .isEqualTo(asked);
        assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND state IN ('SENT', 'UNKNOWN')"))
                .as("requests of which nobody knows; one that was given up before it was sent is FAILED")
                .isZero();
        assertThat(tables.count("SELECT count(*) FROM cell WHERE campaign_id = ? AND claim_worker IS NOT NULL"))
                .isZero();
    }

    /** The same in a process that is a server too, in half a minute: {@code -Dassay.slow=true}. */
    @Test
    @EnabledIfSystemProperty(named = "assay.slow", matches = "true")
    void shouldFinishItsCellsAndEndWithOneWhenThePoolOfAServerIsExhausted() throws Exception {
        Process server = start(
                EndlessWork.once(trigger()), "up", "--port", "0", "--data", data.toString(), "--engine", "in-process");
        String id;
        try (Api api = new Api(data)) {
            api.await();
            id = api.submit(campaign());
        }

        exhaustThePoolOnceAsked();
        assertEndsUnfit(server, temporary.resolve("errors-up"));

        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(data), () -> {});
                Tables tables = new Tables(postgres.address(), id)) {
            assertDrained(tables);
        }
    }

    @Test
    void shouldFinishItsCellsAndEndWithOneWhenThePoolOfAWorkerIsExhausted() throws Exception {
        int port = FreePort.any();
        try (LocalPostgres postgres = LocalPostgres.start(PostgresHome.in(temporary.resolve("stores")), () -> {});
                TestServer.PortBoundTestServer temporal = TestServer.createPortBoundServer(port, true)) {
            Map<String, String> stores = ExternalStores.variables(postgres.address(), "127.0.0.1:" + port);
            Map<String, String> unfit = new HashMap<>(stores);
            unfit.putAll(EndlessWork.once(trigger()));
            int apiPort = FreePort.any();
            start(stores, "server", "--port", String.valueOf(apiPort), "--data", data.toString());
            Process worker = start(unfit, "worker", "--data", data.toString());
            String id;
            try (Api api = new Api(data)) {
                api.await();
                api.awaitWorkers("stub", 1);
                id = api.submit(campaign());
            }

            exhaustThePoolOnceAsked();
            assertEndsUnfit(worker, temporary.resolve("errors-worker"));

            try (Tables tables = new Tables(postgres.address(), id)) {
                assertDrained(tables);
            }
        }
    }
}
