package dev.assay.activities.campaign;

import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A worker that is told to stop finishes the calls that are under way and sends no others. */
@Tag("slow")
final class DrainTest {

    /** Longer than the time between two heartbeats of an activity. */
    private static final String CAMPAIGN = """
        name: drain
        cases: [{id: only, prompt: Hello?}]
        branches: [{id: b, kind: scripted, script: {answers: [Hi], delayMs: 7000}}]
        trials: 10
        limits: {maxConcurrent: 5}
        """;

    private static final Duration DRAIN = Duration.ofSeconds(30);

    @Test
    void shouldFinishCallsUnderWayAndSendNoOthersWhenItIsToldToStop() throws Exception {
        try (Engine engine = new Engine()) {
            engine.submit("drain", CAMPAIGN, Map.of());
            await().atMost(Engine.PATIENCE).until(() -> requests(engine, "state = 'SENT'") >= 5);

            engine.stopWorker(DRAIN);

            assertThat(requests(engine, "state = 'ANSWERED'")).isEqualTo(5);
            assertThat(requests(engine, "state <> 'ANSWERED' AND cost_usd IS DISTINCT FROM 0"))
                    .as("requests that were begun and not finished")
                    .isZero();
            assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'drain'"))
                    .isEqualTo(5);
        }
    }

    @Test
    void shouldGiveTheAttemptBackBeforeTheCellIsFreedWhenItStopsWhileTheFirstRequestIsWritten() throws Exception {
        try (Engine engine = new Engine()) {
            CompletableFuture<Void> stopped;
            try (Connection other = engine.store.connect();
                    Statement statement = other.createStatement()) {
                other.setAutoCommit(false);
                // Attempts are counted now, and their requests wait.
                statement.execute("LOCK TABLE ledger IN SHARE MODE");
                engine.submit("drain", CAMPAIGN, Map.of());
                await().atMost(Engine.PATIENCE).until(() -> waiting(engine, "INSERT INTO ledger") > 0);

                stopped = runAsync(() -> stop(engine), Thread::startVirtualThread);

                await("a cell is not freed while its first request may still be written")
                        .during(Duration.ofSeconds(1))
                        .atMost(Duration.ofSeconds(4))
                        .until(() -> waiting(engine, "UPDATE cell SET claim_worker = NULL") == 0);
                other.rollback();
            }
            stopped.join();

            assertThat(requests(engine, "no_attempt = 'UNSENT'")).isPositive();
            assertThat(requests(engine, "no_attempt IS NULL")).isZero();
            assertThat(engine.store.count("SELECT sum(attempts) FROM cell WHERE campaign_id = 'drain'"))
                    .isZero();
        }
    }

    private static void stop(Engine engine) {
        try {
            engine.stopWorker(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** How many statements that begin so wait for a lock. */
    private static long waiting(Engine engine, String statement) {
        return engine.store.count(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND starts_with(query, ?)",
                statement);
    }

    private static long requests(Engine engine, String which) {
        return engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'drain' AND " + which);
    }
}
