package dev.assay.store.health;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.delivery.BatchState;
import dev.assay.store.health.Census.CellState;
import dev.assay.store.health.Census.ProviderState;
import dev.assay.store.limit.LimitQueries;
import dev.assay.store.limit.LimitState;
import dev.assay.store.limit.ThrottleQueries;
import dev.assay.store.outage.KeyStates;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the work in progress over all campaigns. Its cost depends on the campaigns that have not ended and on the calls in flight,
 * not on their size.
 */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class CensusRepository implements QueryRepository {

    /** A slower store has more important work. */
    private static final String LIMIT = "SELECT set_config('statement_timeout', '3s', true)";

    private static final String CAMPAIGNS = """
        SELECT c.state, count(*) AS campaigns, coalesce(sum(b.branches * c.case_count * c.trials), 0)::bigint AS cells,
               coalesce(sum(p.done), 0)::bigint AS done, coalesce(sum(r.cells), 0)::bigint AS retry,
               extract(epoch FROM max(clock_timestamp() - c.changed_at)) * 1000 AS open_ms,
               extract(epoch FROM max(clock_timestamp() - greatest(c.changed_at, p.counted_at))) * 1000 AS idle_ms
        FROM campaign c
        CROSS JOIN LATERAL (
            SELECT count(*) AS branches FROM campaign_branch b WHERE b.campaign_id = c.campaign_id) b
        CROSS JOIN LATERAL (
            SELECT sum(cells_done) FILTER (WHERE kind = 'branch') AS done, max(counted_at) AS counted_at
            FROM progress p WHERE p.campaign_id = c.campaign_id) p
        CROSS JOIN LATERAL (
            SELECT count(*) AS cells FROM cell l
            WHERE c.state <> 'PAUSED' AND l.campaign_id = c.campaign_id AND l.next_try_at > now() AND l.closed_epoch IS NULL) r
        WHERE c.state IN ('PENDING', 'RUNNING', 'PAUSED') GROUP BY c.state\
        """;

    // Addresses of systems under test are campaigns' texts: all of them are one.
    private static final String PROVIDERS = """
        SELECT split_part(provider, '/', 1) AS provider, account, bool_or(is_down) AS is_down FROM (
            SELECT provider, account, worker_id = '' AND (key = '' OR NOT provider_has_key(provider)) AS is_down FROM outage
            UNION ALL SELECT provider, account, false FROM pool_sight) AS pools
        GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 100\
        """;

    private static final String BATCHES = """
        SELECT provider, state, count(*) AS count FROM provider_batch
        WHERE state NOT IN ('COLLECTED', 'REFUSED', 'ABANDONED') GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 500\
        """;

    private final Sql sql;
    private final LimitQueries limits;
    private final ThrottleQueries throttles;
    private final KeyStates keys;

    CensusRepository(Sql sql, LimitQueries limits, ThrottleQueries throttles, KeyStates keys) {
        this.sql = sql;
        this.limits = limits;
        this.throttles = throttles;
        this.keys = keys;
    }

    /** The current counts. Takes 6 s at most once it has a connection. */
    @ReadOnly
    public Census take() {
        sql.exists(LIMIT);
        List<Standing> standings = sql.list(CAMPAIGNS, Standing::read);
        Load load = load();
        Map<CampaignState, Long> campaigns = new EnumMap<>(CampaignState.class);
        Map<CellState, Long> cells = new EnumMap<>(CellState.class);
        Duration oldest = Duration.ZERO;
        Duration idle = Duration.ZERO;
        for (Standing standing : standings) {
            campaigns.put(standing.state(), standing.campaigns());
            cells.merge(CellState.DONE, standing.done(), Long::sum);
            cells.merge(standing.state().goesOn() ? CellState.QUEUED : CellState.PAUSED, standing.open(), Long::sum);
            cells.merge(CellState.RETRY, standing.retry(), Long::sum);
            if (standing.state().goesOn()) {
                oldest = longer(oldest, standing.sinceChanged());
                idle = longer(idle, standing.idle());
            }
        }
        List<LimitState> limited = limits.all();
        cells.putAll(held(load, limited));
        long held = load.held() + cells.getOrDefault(CellState.RETRY, 0L);
        // Judge calls are held, and the counters are a moment apart: a negative count is zero.
        cells.computeIfPresent(CellState.QUEUED, (state, open) -> Math.max(0, open - held));
        List<ProviderState> providers = sql.list(
                PROVIDERS,
                row -> new ProviderState(
                        row.getString("provider"), row.getString("account"), row.getBoolean("is_down")));
        return new Census(
                campaigns,
                cells,
                oldest,
                idle,
                load.workers(),
                providers,
                limited,
                throttles.all(),
                sql.list(BATCHES, CensusRepository::batches),
                keys.byProvider());
    }

    private static Census.BatchCount batches(ResultSet row) throws SQLException {
        return new Census.BatchCount(
                row.getString("provider"), BatchState.valueOf(row.getString("state")), row.getLong("count"));
    }

    private static Map<CellState, Long> held(Load load, List<LimitState> limited) {
        // What waits for units is told more often than what waits at all.
        long waiting = limited.stream().mapToLong(LimitState::waiting).sum();
        long forUnits = Math.min(load.permit(), waiting);
        return Map.of(
                CellState.CALLING,
                load.calling(),
                CellState.PERMIT,
                load.permit() - forUnits,
                CellState.LIMIT,
                forUnits,
                CellState.BUDGET,
                load.budget());
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    /** The campaigns in one state. */
    private record Standing(
            CampaignState state,
            long campaigns,
            long open,
            long done,
            long retry,
            Duration sinceChanged,
            Duration idle) {

        static Standing read(ResultSet row) throws SQLException {
            return new Standing(
                    CampaignState.valueOf(row.getString("state")),
                    row.getLong("campaigns"),
                    Math.max(0, row.getLong("cells") - row.getLong("done")),
                    row.getLong("done"),
                    row.getLong("retry"),
                    Duration.ofMillis(Math.max(0, row.getLong("open_ms"))),
                    Duration.ofMillis(Math.max(0, row.getLong("idle_ms"))));
        }
    }

    /** The cells that live workers hold. */
    @Introspected
    record Load(long workers, long calling, long permit, long budget) {

        long held() {
            return calling + permit + budget;
        }
    }

    @Query("""
        SELECT count(DISTINCT w.worker_id) AS workers, coalesce(sum((l ->> 'calling')::bigint), 0) AS calling,
               coalesce(sum((l ->> 'forPermit')::bigint), 0) AS permit, coalesce(sum((l ->> 'forBudget')::bigint), 0) AS budget
        FROM worker w LEFT JOIN LATERAL jsonb_array_elements(w.load) AS l ON true WHERE worker_is_live(w.lease_until)
        """)
    abstract Load load();
}
