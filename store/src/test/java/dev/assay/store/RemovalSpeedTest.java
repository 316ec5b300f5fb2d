package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.store.removal.RemovalRepository.Position;
import dev.assay.store.removal.RemovalRepository.Step;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The removal of a large campaign beside one that stays, while a third one is written; {@code benchmarks/fleet/removal} runs it. Then one
 * as large takes the room that it left.
 */
@EnabledIfSystemProperty(named = "assay.removal", matches = "true")
final class RemovalSpeedTest {

    private static final int CELLS = Integer.getInteger("assay.removal.cells", 1_000_000);
    private static final int SECONDS = Integer.getInteger("assay.removal.seconds", 600);
    private static final int CELLS_PER_SECOND = 2_000;
    private static final int BATCH = CELLS_PER_SECOND / 10;
    private static final int ROWS_PER_SECOND = 20_000;
    private static final int ROWS = 2_000;

    private static final String TABLES = "('outcome', 'trial', 'cell', 'ledger')";
    private static final String BYTES =
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_stat_user_tables WHERE relname IN " + TABLES;
    private static final String DEAD = "SELECT sum(n_dead_tup) FROM pg_stat_user_tables WHERE relname IN " + TABLES;
    private static final String VACUUMS =
            "SELECT sum(autovacuum_count) FROM pg_stat_user_tables WHERE relname IN " + TABLES;
    private static final String WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";
    private static final String NUMBERED = "generate_series(?::integer, ?::integer) AS n";

    private final SampleCampaign sample = new SampleCampaign("sample", 1_000, 1, 1_000);
    private final AtomicInteger written = new AtomicInteger();

    /** Writes cells of a campaign as a worker leaves them: claimed, asked, settled, recorded, closed, selected. */
    private static void write(StoreFixture store, String id, int from, int to) {
        store.execute(
                "INSERT INTO cell (campaign_id, ordinal, kind, member, claim_worker, claim_epoch) SELECT ?, n,"
                        + " 'branch', 0, 'w', 1 FROM "
                        + NUMBERED,
                id,
                from,
                to);
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch, state)
            SELECT nextval('ledger_block'), ?, n, 'branch', 0, 1, 1, 'openai', 'model-0', 'worker-0123456789', 1, 'SENT' FROM\s\
            """ + NUMBERED + " RETURNING request_id", id, from, to);
        store.execute("""
            UPDATE ledger SET state = 'ANSWERED', settled_at = now(), cost_usd = 0.001, total_tokens = 1234
            WHERE campaign_id = ? AND state = 'SENT'\
            """, id);
        store.execute("""
            INSERT INTO outcome (campaign_id, ordinal, branch_index, case_index, trial, epoch, loop_id, status, passed, response, messages,
                original_context_length, cost_usd, latency_ms, attempts, checks, requested, effective, served)
            SELECT ?, n, 0, n % 1000, n / 1000 + 1, 1, 'loop', 'COMPLETED', n % 10 > 0, 'The capital of France is Paris.',
                jsonb_build_array(jsonb_build_object('role', 'user', 'content', repeat(md5(n::text), 6))), 0, 0.001, 200, 1,
                '[{"type": "contains", "status": "PASSED"}]', '{"model": "model-0"}', '{"model": "model-0"}', '{"model": "model-0"}'
            FROM\s\
            """ + NUMBERED, id, from, to);
        store.execute("""
            UPDATE cell SET closed_epoch = 1, is_final = true, attempts = 1, claim_worker = NULL, claim_epoch = NULL
            WHERE campaign_id = ? AND ordinal BETWEEN ? AND ?\
            """, id, from, to);
        store.execute("""
            INSERT INTO trial (campaign_id, ordinal, case_index, trial, epoch, complete, selected_index, strategy, reason, fallback, decided)
            SELECT ?, n, n % 1000, n / 1000 + 1, 1, true, 0, 'pick-first', 'The first branch.', false, true FROM\s\
            """ + NUMBERED, id, from, to);
    }

    private void fill(StoreFixture store, String... ids) {
        for (String id : ids) {
            store.get(CampaignRepository.class).create(id, sample.submission());
        }
        for (int from = 0; from < CELLS; from += 10_000) {
            for (String id : ids) {
                write(store, id, from, Math.min(CELLS, from + 10_000) - 1);
            }
        }
        for (String id : ids) {
            store.execute("UPDATE campaign SET state = 'COMPLETED' WHERE campaign_id = ?", id);
        }
    }

    /** Removes a campaign, and says how long it and its slowest step took. */
    private static void remove(RemovalRepository removal, String id, boolean paced) throws InterruptedException {
        double slowest = 0;
        long began = System.nanoTime();
        long rows = 0;
        Position position = Position.START;
        boolean ledger = false;
        boolean more = true;
        while (more) {
            long before = System.nanoTime();
            int removed;
            if (ledger) {
                removed = removal.removeLedger(id, 5 * ROWS);
                more = removed > 0;
            } else if (position == null) {
                removal.finish(id, Duration.ZERO);
                ledger = true;
                removed = 0;
            } else {
                Step step = removal.remove(id, position, ROWS);
                removed = step.removed();
                position = step.next();
            }
            slowest = Math.max(slowest, (System.nanoTime() - before) / 1e6);
            rows += removed;
            long ahead = rows * 1_000 / ROWS_PER_SECOND - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            if (paced && ahead > 0) {
                TimeUnit.MILLISECONDS.sleep(ahead);
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                "REMOVAL %s: %,d rows in %.1f s, %.0f rows/s, slowest step %.0f ms%n",
                paced ? "in the background" : "as fast as it goes", rows, seconds, rows / seconds, slowest);
    }

    private static void say(StoreFixture store, String when) {
        System.out.printf(
                "REMOVAL %s: tables and indexes %,d MB, %,d dead rows, %d runs of autovacuum, %,d MB of WAL since the"
                        + " begin%n",
                when, store.count(BYTES) >> 20, store.count(DEAD), store.count(VACUUMS), store.count(WAL) >> 20);
    }

    private static void awaitVacuum(StoreFixture store) {
        long began = System.nanoTime();
        Awaitility.await()
                .atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> store.count(DEAD) < CELLS / 5);
        System.out.printf("REMOVAL autovacuum was done after %.0f s%n", (System.nanoTime() - began) / 1e9);
    }

    @Test
    void shouldRemoveALargeCampaignWithoutBloat() throws InterruptedException {
        try (StoreFixture store = StoreFixture.open()) {
            RemovalRepository removal = store.get(RemovalRepository.class);
            fill(store, "first", "stays");
            say(store, "filled");
            long before = store.count(BYTES);

            long begun = System.nanoTime();
            removal.begin("first");
            double hidden = (System.nanoTime() - begun) / 1e9;
            System.out.printf("REMOVAL hidden after %.3f s%n", hidden);
            remove(removal, "first", false);
            say(store, "removed");
            awaitVacuum(store);
            say(store, "vacuumed");
            fill(store, "second");
            say(store, "filled again");

            assertThat(hidden).isLessThan(5);
            assertThat(store.count(BYTES)).isLessThan(before * 11 / 10);
            keepUp(store, removal);
        }
    }

    /** Cells are written all the time; a large campaign goes beside them. */
    private void keepUp(StoreFixture store, RemovalRepository removal) throws InterruptedException {
        store.get(CampaignRepository.class).create("busy", sample.submission());
        removal.begin("second");
        ScheduledExecutorService writer = Executors.newScheduledThreadPool(1);
        writer.scheduleAtFixedRate(
                () -> {
                    int from = written.getAndAdd(BATCH);
                    write(store, "busy", from, from + BATCH - 1);
                },
                0,
                100,
                TimeUnit.MILLISECONDS);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        remove(removal, "second", true);
        while (System.nanoTime() < end) {
            long left = Math.clamp(end - System.nanoTime(), 1, TimeUnit.MINUTES.toNanos(1));
            assertThat(writer.awaitTermination(left, TimeUnit.NANOSECONDS)).isFalse();
            say(store, "%,d cells written".formatted(written.get()));
        }
        writer.shutdown();
        assertThat(writer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        System.out.printf("REMOVAL %,d cells written in %d s%n", written.get(), SECONDS);
        assertThat(written.get()).isGreaterThan(CELLS_PER_SECOND * SECONDS * 9 / 10);
        assertThat(store.count(DEAD)).isLessThan(CELLS);
    }
}
