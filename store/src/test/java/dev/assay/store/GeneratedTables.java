package dev.assay.store;

import dev.assay.store.campaign.CampaignRepository;
import java.util.List;

/**
 * Tables as years leave them behind, in a new database: a hundred live workers and campaigns among many that have ended.
 *
 * @param campaigns that have ended, each with one branch
 * @param workers that have ended, in good order or not
 * @param cells that are closed, at least one for each ended campaign; each has a request in the ledger
 * @param outcomes that the {@linkplain #OPEN open campaign} has, at most 100,000
 */
record GeneratedTables(int campaigns, int workers, int cells, int outcomes) {

    /** A campaign that runs, with most of its cells done. */
    static final String OPEN = "open";

    /** How many workers and further campaigns are live: {@code live-1} and so on. */
    static final int LIVE = 100;

    private static final SampleCampaign SAMPLE = new SampleCampaign(OPEN, 1_000, 1, 100);

    /** Fills the tables and analyses them. Its worker leases have lapsed for PostgreSQL too, though it has just started. */
    void fill(StoreFixture store) {
        store.execute("CREATE OR REPLACE FUNCTION store_started_at() RETURNS timestamptz LANGUAGE sql STABLE"
                + " RETURN now() - interval '1 day'");
        store.get(CampaignRepository.class).create(OPEN, SAMPLE.submission());
        store.execute("UPDATE campaign SET state = 'RUNNING' WHERE campaign_id = ?", OPEN);
        workers(store);
        campaigns(store, "live-", "RUNNING", LIVE);
        campaigns(store, "ended-", "COMPLETED", campaigns);
        results(store);
        batches(store);
        // What it reads would be counted as read by a call.
        store.execute("""
            DO $$ DECLARE one text; BEGIN
                FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema() LOOP
                    EXECUTE format('ALTER TABLE %I SET (autovacuum_enabled = off)', one);
                END LOOP;
            END $$\
            """);
        store.execute("ANALYZE");
    }

    private void workers(StoreFixture store) {
        SampleCampaign.registerWorker(store, "template");
        store.execute("UPDATE worker SET queues = queues || '{assay-evaluations}'");
        String copy = """
            INSERT INTO worker (worker_id, host, pid, version, queues, providers, started_at, lease_until, ended)
            SELECT ? || n, host, n, version, queues, providers, now() - n * interval '30 seconds' - interval '2 hours', %s, %s
            FROM worker, generate_series(1, ?::integer) AS n WHERE worker_id = 'template'\
            """;
        store.execute(copy.formatted("now() + interval '1 day'", "false"), "live-", LIVE);
        String killed =
                "CASE WHEN n % 2 = 0 THEN '-infinity' ELSE now() - n * interval '30 seconds' - interval '1 hour' END";
        store.execute(copy.formatted(killed, "n % 2 = 0"), "ended-", workers);
        store.execute("DELETE FROM worker WHERE worker_id = 'template'");
        for (String pool : List.of("'campaign/live-' || n", "'provider/openai'")) {
            store.execute(
                    "INSERT INTO permit_lease (pool, worker_id, granted, wanted) SELECT " + pool
                            + ", 'live-' || n, 0, 1 FROM generate_series(1, ?::integer) AS n",
                    LIVE);
        }
    }

    private static void campaigns(StoreFixture store, String prefix, String state, int number) {
        store.execute("""
            INSERT INTO campaign (campaign_id, name, suite_id, case_count, trials, definition, state, max_concurrent,
                                  created_at, changed_at)
            SELECT ? || n, name, suite_id, case_count, trials, definition, ?, max_concurrent,
                   now() - n * interval '1 minute', now() - n * interval '1 minute'
            FROM campaign, generate_series(1, ?::integer) AS n WHERE campaign_id = ?\
            """, prefix, state, number, OPEN);
        store.execute("""
            INSERT INTO campaign_branch (campaign_id, branch_index, branch_id, provider, model)
            SELECT ? || n, 0, branch_id, provider, model
            FROM campaign_branch, generate_series(1, ?::integer) AS n WHERE campaign_id = ?\
            """, prefix, number, OPEN);
        store.execute("""
            INSERT INTO progress (campaign_id, kind, member, shard, cells_done)
            SELECT ? || n, 'branch', 0, 'live-1', 20 FROM generate_series(1, ?::integer) AS n\
            """, prefix, number);
    }

    /** A batch that was collected for each ended campaign, two lines in each; three that are out, of the open campaign. */
    private void batches(StoreFixture store) {
        String batch = """
            INSERT INTO provider_batch (id, campaign_id, epoch, provider, model, kind, round, queue, state, lines, bytes,
                estimated_tokens, answered, created_at, submitted_at, ended_at, provider_id)
            SELECT md5(? || n), ?%s, 1, 'openai', 'model-0', 'branch', 1, 'q', ?, 2, 1, 1, ?, now() - n * interval '1 minute',
                   now(), now() - n * interval '30 seconds', 'b-' || ? || n
            FROM generate_series(1, ?::integer) AS n\
            """;
        store.execute(batch.formatted(" || n"), "ended-", "ended-", "COLLECTED", 2, "ended-", campaigns);
        store.execute(batch.formatted(""), "open-", OPEN, "SUBMITTED", 0, "open-", 3);
        store.execute("""
            INSERT INTO provider_batch_item (campaign_id, request_id, batch_id, ordinal, kind, member, attempt, state)
            SELECT b.campaign_id, row_number() OVER (), b.id, 60000 + (row_number() OVER ())::integer, CASE n WHEN 1 THEN 'branch' ELSE 'judge' END, 0, 1,
                   CASE b.state WHEN 'SUBMITTED' THEN 'OUT' ELSE 'ANSWERED' END
            FROM provider_batch b, generate_series(1, 2) AS n\
            """);
    }

    private void results(StoreFixture store) {
        store.execute("""
            INSERT INTO cell (campaign_id, ordinal, kind, member, attempts, closed_epoch, is_final)
            SELECT 'ended-' || n %% %1$d + 1, n / %1$d, 'branch', 0, 1, 1, true FROM generate_series(0, ?::integer) AS n\
            """.formatted(campaigns), cells - 1);
        store.execute("""
            INSERT INTO cell (campaign_id, ordinal, kind, member, attempts, claim_worker, claim_epoch, begun)
            SELECT 'live-' || n % 100 + 1, n / 100, 'branch', 0, 1, 'live-' || n % 100 + 1, 1, true FROM generate_series(0, 499) AS n\
            """);
        store.execute("""
            INSERT INTO cell (campaign_id, ordinal, kind, member, attempts, closed_epoch, is_final)
            SELECT ?, n, 'branch', 0, 1, 1, true FROM generate_series(0, ?::integer) AS n\
            """, OPEN, outcomes - 1);
        store.execute("""
            INSERT INTO ledger (request_id, campaign_id, ordinal, kind, member, attempt, turn, provider, model, worker_id, epoch,
                                state, settled_at, cost_usd)
            SELECT -row_number() OVER (), campaign_id, ordinal, kind, member, 1, 1, 'openai', 'model-0', 'ended-' || ordinal + 1, 1,
                   'ANSWERED', now(), 0.001
            FROM cell WHERE is_final\
            """);
        SAMPLE.recordOutcome(store, OPEN, 0, 0, "COMPLETED", true);
        store.execute("""
            INSERT INTO outcome (campaign_id, ordinal, branch_index, case_index, trial, epoch, loop_id, status, passed, response,
                messages, original_context_length, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens,
                cache_write_tokens, total_tokens, cost_usd, latency_ms, attempts, checks)
            SELECT campaign_id, n, 0, n % 1000, n / 1000 + 1, 1, loop_id, status, n % 10 > 0, response, messages, 0, 10, 5, 0, 0, 0, 15,
                   cost_usd, latency_ms, 1, checks
            FROM outcome, generate_series(1, ?::integer) AS n\
            """, outcomes - 1);
        SAMPLE.recordSelection(store, OPEN, 0, 0);
        store.execute("""
            INSERT INTO trial (campaign_id, ordinal, case_index, trial, epoch, complete, selected_index, strategy, reason, fallback,
                               decided, votes)
            SELECT campaign_id, n, n % 1000, n / 1000 + 1, 1, true, 0, strategy, reason, false, true, votes
            FROM trial, generate_series(1, ?::integer) AS n\
            """, outcomes - 1);
    }
}
