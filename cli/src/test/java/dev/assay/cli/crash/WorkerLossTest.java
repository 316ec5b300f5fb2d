package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.cli.testing.Api;
import dev.assay.cli.testing.StubModel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Workers that die while they run cells: a cell that kills them is found, and its neighbours are not taken for it. */
@Tag("slow")
class WorkerLossTest {

    private static final int NEIGHBOURS = 100;
    private static final int IN_FLIGHT = 10;
    private static final String KILLER = "Kill";

    @TempDir
    Path temporary;

    private StubModel model;
    private KilledServer assay;
    private volatile @Nullable Process server;

    @BeforeEach
    void prepare() throws Exception {
        Path data = Files.createDirectory(temporary.resolve("data"));
        model = new StubModel();
        model.writeProviders(data);
        model.delay(Duration.ofMillis(50));
        assay = new KilledServer(data);
    }

    @AfterEach
    void stop() throws Exception {
        assay.close();
        model.close();
    }

    private void start() throws Exception {
        server = assay.up();
        assay.api().await();
    }

    /** kill -9 of the server alone: the next one takes its PostgreSQL over. */
    private void kill() {
        Process running = server;
        if (running != null) {
            running.destroyForcibly();
        }
    }

    private boolean isRunning() {
        Process running = server;
        return running != null && running.isAlive();
    }

    private static String campaign(String firstPrompt) {
        String cases = IntStream.rangeClosed(1, NEIGHBOURS)
                .mapToObj(i -> "  - {id: case-" + i + ", prompt: Hello}\n")
                .collect(Collectors.joining());
        return """
            name: losses
            cases:
              - {id: first, prompt: %s}
            %sbranches: [{id: b, provider: stub, model: m}]
            limits: {maxConcurrent: %d}
            """.formatted(firstPrompt, cases, IN_FLIGHT);
    }

    @Test
    void shouldEndTheCellThatKillsItsWorkersAndNoneOfItsNeighbours() throws Exception {
        AtomicInteger kills = new AtomicInteger();
        model.answerBy((name, prompt) -> {
            if (prompt.equals(KILLER)) {
                kills.incrementAndGet();
                kill();
            }
            return "Paris";
        });
        start();
        String id = assay.api().submit(campaign(KILLER));
        while (!assay.api().state(id).equals("COMPLETED")) {
            await().atMost(Api.PATIENCE)
                    .until(() -> !isRunning() || assay.api().state(id).equals("COMPLETED"));
            if (!isRunning()) {
                assertThat(kills.get()).as("workers that it took").isLessThanOrEqualTo(4);
                start();
            }
        }
        kill();

        assertThat(kills.get()).as("once beside others, three times alone").isEqualTo(4);
        assay.inspect(id, tables -> {
            assertThat(tables.count("""
                SELECT count(*) FROM outcome WHERE campaign_id = ? AND ordinal = 0 AND status = 'MODEL_ERROR'
                    AND error_code = 'WORKER_LOST' AND attempts = 4\
                """)).isOne();
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE campaign_id = ? AND status = 'COMPLETED'"))
                    .isEqualTo(NEIGHBOURS);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND ordinal > 0") - NEIGHBOURS)
                    .as("requests of neighbours that were in flight when they all ran together")
                    .isBetween(0L, KilledServer.inFlightBound(IN_FLIGHT));
        });
    }

    /** Takes a minute: {@code -Dassay.slow=true}. {@code LostRunsTest} shows the same in PostgreSQL alone. */
    @Test
    @EnabledIfSystemProperty(named = "assay.slow", matches = "true")
    void shouldCondemnNoCellWhenWorkersAreKilledOneAfterTheOther() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        model.answerBy((name, prompt) -> {
            asked.incrementAndGet();
            return "Paris";
        });
        start();
        String id = assay.api().submit(campaign("Hello"));
        for (int killed = 1; killed <= 5; killed++) {
            int before = asked.get();
            // In the middle of the first calls of each: cells that run alone among them.
            await().atMost(Api.PATIENCE).until(() -> asked.get() > before);
            kill();
            await().atMost(Api.PATIENCE).until(() -> !isRunning());
            start();
        }
        await().atMost(Api.PATIENCE).until(() -> assay.api().state(id).equals("COMPLETED"));
        kill();

        assay.inspect(
                id,
                tables -> assertThat(tables.count(
                                "SELECT count(*) FROM outcome WHERE campaign_id = ? AND status = 'COMPLETED'"))
                        .isEqualTo(NEIGHBOURS + 1));
    }
}
