package dev.assay.store.worker;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.health.StoreRefusal;
import dev.assay.domain.health.WorkerLoad;
import dev.assay.domain.json.Json;
import dev.assay.domain.limit.PoolCalls;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.store.campaign.CampaignRow;
import dev.assay.store.limit.LimitChanges;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;

/** Workers and their leases. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class WorkerRepository implements QueryRepository {

    private static final RowColumns<Worker> COLUMNS = RowColumns.<Worker>of()
            .key("worker_id", Worker::id)
            .column("host", Worker::host)
            .column("pid", Worker::pid)
            .column("version", Worker::version)
            .column("queues", Worker::queues)
            .json("providers", Worker::providers)
            .json("tools", Worker::tools)
            .column("strategies", Worker::strategies)
            .constant("lease_until", "now() + interval '30 seconds'")
            .constant("makes_batches", "true");

    // A worker that is already there was taken for dead, or asks again after a lost reply.
    private static final String REGISTER = COLUMNS.insert("worker")
            + " ON CONFLICT (worker_id) DO UPDATE SET lease_until = excluded.lease_until, ended = false";

    private static final String RENEW = """
        UPDATE worker w SET lease_until = now() + interval '30 seconds'
        FROM (SELECT worker_id, worker_is_live(lease_until) AS live FROM worker WHERE worker_id = ? FOR UPDATE) before
        WHERE w.worker_id = before.worker_id
        RETURNING before.live\
        """;

    // Its claims are free at once: the row says that no worker holds them any more.
    private static final String RETIRE = "UPDATE worker SET lease_until = '-infinity', ended = ? WHERE worker_id = ?";

    private final Sql sql;
    private final LimitChanges limits;

    WorkerRepository(Sql sql, LimitChanges limits) {
        this.sql = sql;
        this.limits = limits;
    }

    /**
     * A process that runs cells.
     *
     * @param id unique per start
     * @param strategies names of the custom strategies that it has
     */
    public record Worker(
            String id,
            String host,
            long pid,
            String version,
            List<String> queues,
            List<ProviderInfo> providers,
            ToolPolicy tools,
            List<String> strategies) {

        public Worker {
            queues = List.copyOf(queues);
            providers = List.copyOf(providers);
            strategies = List.copyOf(strategies);
        }

        /** A worker that lets tools reach nothing and has no custom strategy. */
        public Worker(
                String id, String host, long pid, String version, List<String> queues, List<ProviderInfo> providers) {
            this(id, host, pid, version, queues, providers, ToolPolicy.NONE, List.of());
        }
    }

    /** The state of a campaign that a worker checks every second. */
    @Introspected
    public record CampaignControl(
            String campaignId,
            int epoch,
            CampaignState state,
            @TypeDef(type = DataType.INTEGER_ARRAY) Set<Integer> cancelledBranches) {

        public CampaignControl {
            cancelledBranches = Set.copyOf(cancelledBranches);
        }
    }

    /** Whether a live worker polls the task queue. */
    @ReadOnly
    @Query("SELECT EXISTS (SELECT FROM worker WHERE worker_is_live(lease_until) AND :queue = ANY (queues))")
    public abstract boolean isPolled(String queue);

    /** Whether live workers poll a task queue, and all that do poll another one, too. */
    @ReadOnly
    @Query("""
        SELECT coalesce(bool_and(:other = ANY (queues)), false) FROM worker
        WHERE worker_is_live(lease_until) AND :queue = ANY (queues)\
        """)
    public abstract boolean isPolledOnlyWith(String queue, String other);

    /** Whether workers are alive and all of them poll the task queue; those of an earlier build may not know it. */
    @ReadOnly
    @Query("SELECT coalesce(bool_and(:queue = ANY (queues)), false) FROM worker WHERE worker_is_live(lease_until)")
    public abstract boolean isPolledByAll(String queue);

    /** Whether workers are alive and all of them know provider batches; those of an earlier build do not. */
    @ReadOnly
    @Query("SELECT coalesce(bool_and(makes_batches), false) FROM worker WHERE worker_is_live(lease_until)")
    public abstract boolean allMakeBatches();

    /** Registers a worker with a lease of 30 s by PostgreSQL's clock, and records which limits it brings. */
    @Transactional
    public void register(Worker worker) {
        sql.update(REGISTER, COLUMNS.parameters(worker));
        limits.notice(worker.id());
    }

    /**
     * Renews the lease of a worker for 30 s from now, whether or not it had lapsed.
     *
     * @return what it was until now
     */
    @Transactional
    public LeaseState renew(String workerId) {
        return sql.first(RENEW, row -> row.getBoolean(1) ? LeaseState.LIVE : LeaseState.LAPSED, workerId)
                .orElse(LeaseState.UNKNOWN);
    }

    /**
     * Records what a worker reports.
     *
     * @param refusals what PostgreSQL refuses it for now, by campaign
     * @param pools its calls, by group of models
     */
    @Transactional
    public void report(
            String workerId, List<WorkerLoad> load, Map<String, StoreRefusal> refusals, List<PoolCalls> pools) {
        sql.update(
                "UPDATE worker SET load = ?::jsonb, refusals = ?::jsonb, pool_calls = ?::jsonb WHERE worker_id = ?",
                Json.write(load),
                Json.write(refusals),
                Json.write(pools),
                workerId);
    }

    /**
     * Takes back the runs that were counted as lost when the worker's lease lapsed. The worker was cut off or stood still, and none
     * of its cells ended it.
     */
    @Transactional
    @Query("""
        UPDATE cell SET lost_runs = greatest(lost_runs - 1, 0), lost_worker = NULL
        WHERE lost_worker = :workerId AND closed_epoch IS NULL
        """)
    public abstract void acquit(String workerId);

    /** Ends the lease in good order: the worker holds no claim and no permit any more. */
    @Transactional
    public void retire(String workerId) {
        retire(workerId, true);
    }

    private void retire(String workerId, boolean ended) {
        sql.update(RETIRE, ended, workerId);
        sql.update("DELETE FROM permit_lease WHERE worker_id = ?", workerId);
    }

    /**
     * Retires the workers whose process has ended, so that nothing waits for the end of their leases. For a store whose workers all
     * run on this machine.
     *
     * @param runs whether a process is alive, by its process id
     */
    @Transactional
    public void retireDead(LongPredicate runs) {
        sql
                .list(
                        "SELECT worker_id, pid FROM worker WHERE worker_is_live(lease_until)",
                        row -> Map.entry(row.getString(1), row.getLong(2)))
                .stream()
                .filter(worker -> !runs.test(worker.getValue()))
                .forEach(worker -> retire(worker.getKey(), false));
    }

    /**
     * Marks the unsettled requests of dead workers as UNKNOWN; they count as spent at their reservation. Those in a batch of their
     * provider belong to the batch.
     *
     * @return how many there were
     */
    @Transactional
    @Query("""
        WITH dead AS (
            UPDATE ledger l SET state = 'UNKNOWN', settled_at = now()
            WHERE l.state = 'SENT' AND l.batch_id IS NULL AND NOT EXISTS (
                SELECT 1 FROM worker w WHERE w.worker_id = l.worker_id AND worker_is_live(w.lease_until))
            RETURNING l.campaign_id, l.reserved_usd),
        sums AS (SELECT campaign_id, sum(reserved_usd) AS usd FROM dead GROUP BY campaign_id),
        moved AS (
            UPDATE budget b SET spent_usd = b.spent_usd + s.usd, reserved_usd = greatest(b.reserved_usd - s.usd, 0)
            FROM sums s WHERE s.campaign_id = b.campaign_id AND s.usd IS NOT NULL)
        SELECT count(*) FROM dead
        """)
    public abstract int sweepLedger();

    /**
     * Removes a hundred rows, at most, of workers whose leases ended an hour ago, with the permits that they left. A row stays
     * while a request is open, or a cell was counted as lost, with its worker. A claim of a worker without a row is that of one that
     * died.
     *
     * @return how many rows are gone
     */
    @Transactional
    @Query("""
        WITH oldest AS (
            SELECT worker_id FROM worker
            WHERE started_at < now() - interval '1 hour' AND lease_until < now() - interval '1 hour' AND NOT worker_is_live(lease_until)
            ORDER BY started_at LIMIT 1000),
        ended AS (
            SELECT w.worker_id FROM worker w JOIN oldest o USING (worker_id)
            WHERE NOT worker_is_live(w.lease_until)
              AND NOT EXISTS (SELECT FROM ledger l WHERE l.worker_id = o.worker_id AND l.state = 'SENT')
              AND NOT EXISTS (SELECT FROM cell c WHERE c.lost_worker = o.worker_id)
            LIMIT 100 FOR UPDATE OF w SKIP LOCKED),
        freed AS (DELETE FROM permit_lease l USING ended e WHERE l.worker_id = e.worker_id),
        gone AS (DELETE FROM worker w USING ended e WHERE w.worker_id = e.worker_id RETURNING w.worker_id)
        SELECT count(*) FROM gone
        """)
    public abstract int forgetEnded();

    /** The builds of the workers that are alive. */
    @ReadOnly
    @Query("SELECT DISTINCT version FROM worker WHERE worker_is_live(lease_until)")
    public abstract Set<String> liveBuilds();

    /** Epoch and state of the given campaigns; an unknown one is left out. */
    @ReadOnly
    @Query("SELECT c.campaign_id, c.epoch, c.state, " + CampaignRow.CANCELLED_BRANCHES
            + " FROM campaign c WHERE c.campaign_id = ANY (:campaignIds)")
    public abstract List<CampaignControl> controls(
            @TypeDef(type = DataType.STRING_ARRAY) Collection<String> campaignIds);
}
